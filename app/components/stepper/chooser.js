// Chooser: every head of every layer as a small heatmap that is a button. Arrow keys go from head to head; the one
// pointed at is shown enlarged beside them.

import { button, drawing, element, inRowsOf, rove, tabStop } from "../shared/elements.js";
import { decode, weightColours } from "../shared/numbers.js";
import { ATTENTIONS, isOff, nameOf, placeOf } from "./heads.js";

// `choose(look)` receives the choice; `edit` switches a head off, and is null if nothing can be changed.
export function chooserView(choose, edit) {
  const kinds = Object.entries(ATTENTIONS).map(([attention, text]) => {
    const node = button({ class: "switch", "data-testid": `attention-${attention}`, "data-handle": `attention-${attention}` },
      () => choose({ attention }), text);
    return { attention, node };
  });
  const grid = element("div", { class: "head-grid", role: "group", "aria-label": "Layers and heads" });
  const name = element("output", { class: "head-name", "data-testid": "head-name" });
  const off = button({ class: "small", "data-testid": "head-off", "data-handle": "head-off" }, () => edit?.({
    kind: "head", attention: now.attention, layer: now.layer - 1, head: now.head - 1, off: !isOff(changes, now),
  }));
  const large = element("canvas", { class: "head-large", "aria-hidden": "true", hidden: "hidden" });
  const node = element("div", { class: "chooser", "data-testid": "chooser" },
    element("div", { class: "head-kinds", role: "group", "aria-label": "Attention" },
      element("span", { class: "segments" }, ...kinds.map((kind) => kind.node)),
      element("p", { class: "head-told" }, name, ...(edit ? [off] : []))),
    grid, large);
  let now = /** @type {any} */ (null); // the place on view
  let raw = /** @type {any} */ (null);
  let changes = /** @type {any} */ (null);
  let buttons = [];
  let drawn = /** @type {any} */ (null); // the attention whose heads are in the grid
  let single = false; // without the mean of the heads
  const width = () => raw.heads[now.attention].layers[0].heads.length + Number(!single);
  rove(grid, () => buttons.map((one) => one.node), () => inRowsOf(width()));
  grid.addEventListener("focusin", (event) => {
    const one = buttons.find((candidate) => candidate.node === event.composedPath()[0]);
    if (one && !same(one.place, now) && pressed) choose(one.place);
  });
  let pressed = false; // an arrow key moves the choice along, Tab does not
  grid.addEventListener("keydown", (event) => { pressed = event.key.startsWith("Arrow"); }, { capture: true });
  grid.addEventListener("keyup", () => { pressed = false; });
  grid.addEventListener("pointerover", (event) => enlarge(buttons.find((one) => event.composedPath().includes(one.node))));
  grid.addEventListener("pointerleave", () => enlarge(null));

  function enlarge(one) {
    large.hidden = !one;
    if (one) paint(large, one.weights);
    if (now) name.textContent = tell(one?.place ?? now);
  }
  const tell = (place) => `${nameOf(place)}${isOff(changes, place) ? ", switched off" : ""}`;

  function draw() {
    const { layers } = raw.heads[now.attention];
    buttons = layers.flatMap((layer, i) => [...layer.heads, ...(single ? [] : [layer.mean])].map((one, n) => {
      const place = { attention: now.attention, layer: i + 1, head: n < layer.heads.length ? n + 1 : 0 };
      const weights = decode(one.arrays.weight);
      const picture = element("canvas", { "aria-hidden": "true" });
      paint(picture, weights);
      const node = button({
        class: "head-one", "aria-label": tell(place), "data-testid": "head", tabindex: "-1",
        "data-layer": String(place.layer), "data-head": String(place.head), "data-handle": `head-${place.layer}-${place.head}`,
      }, () => choose(place), picture, element("span", { class: "head-number", "aria-hidden": "true" }, place.head ? String(place.head) : "mean"));
      node.classList.toggle("off", isOff(changes, place));
      if (isOff(changes, place)) node.append(crossed());
      return { node, place, weights };
    }));
    const stepper = node.closest(".stepper"); // the phases beside the grid make room for it
    stepper.style.setProperty("--heads", String(width()));
    stepper.style.setProperty("--layers", String(layers.length));
    const rows = layers.flatMap((layer, i) => [
      element("span", { class: "head-layer" }, `layer ${i + 1}`),
      ...buttons.filter((one) => one.place.layer === i + 1).map((one) => one.node)]);
    grid.replaceChildren(...rows);
    drawn = raw.heads[now.attention];
  }

  // `newRaw` is the trace as sent, `look` the part on view, `offered` its changes if more can be made.
  function show(newRaw, offered, look) {
    const newChanges = offered ?? newRaw.changes;
    const redraw = newRaw !== raw || newChanges !== changes || look.single !== single;
    [raw, changes, now, single] = [newRaw, newChanges, placeOf(newRaw, look), look.single];
    const focused = grid.contains(/** @type {any} */ (node.getRootNode()).activeElement);
    if (redraw || drawn !== raw.heads[now.attention]) draw();
    for (const { attention, node: kind } of kinds) {
      kind.hidden = !(attention in raw.heads);
      kind.setAttribute("aria-pressed", String(attention === now.attention));
    }
    for (const { node: one, place } of buttons) one.setAttribute("aria-pressed", String(same(place, now)));
    const chosen = buttons.find((one) => same(one.place, now)).node;
    for (const one of buttons) if (one.node.tabIndex === 0) tabStop(one.node, null);
    tabStop(null, chosen);
    if (focused && !grid.contains(/** @type {any} */ (node.getRootNode()).activeElement)) chosen.focus({ preventScroll: true });
    name.textContent = tell(now);
    off.textContent = !now.head ? "Choose a head to switch off" : isOff(changes, now) ? "Switch it on again" : "Switch it off";
    off.title = now.head ? "" : "A mean of heads cannot be switched off: choose one of them first, by its number";
    off.setAttribute("aria-disabled", String(!now.head));
    off.disabled = !now.head;
  }
  return { node, show };
}

const same = (one, other) => one.attention === other.attention && one.layer === other.layer && one.head === other.head;
const crossed = () => drawing("svg", { viewBox: "0 0 10 10", preserveAspectRatio: "none", "aria-hidden": "true" },
  drawing("path", { d: "M0 0L10 10M10 0L0 10" }));

// One pixel per weight, in the colours of the heatmap.
function paint(canvas, weights) {
  [canvas.width, canvas.height] = [weights.width, weights.rows];
  const context = canvas.getContext("2d");
  for (let row = 0; row < weights.rows; row += 1) {
    for (let column = 0; column < weights.width; column += 1) {
      context.fillStyle = weightColours(weights.at(row, column)).fill;
      context.fillRect(column, row, 1, 1);
    }
  }
}
