// Lines of the sentence, and how one is dragged.

import { drawing, element } from "../shared/elements.js";
import { total } from "../shared/numbers.js";
import { dragged, draftedStep } from "./draft.js";
import { sayAtStep } from "./step_text.js";
import { isLarge, positionsOf, where } from "./trace_reading.js";

// Lines: from the current target to the words that this step looks at, thicker for larger weights. Lines of earlier
// words stay, faint; a word of several steps has their mean.
//
// If the translation can be changed, a line can be dragged to another word.

const FAINTEST = 0.005; // of a weight; a fainter line would be invisible
const GHOST = 0.15; // of a weight of an earlier step

// `at.target(chip)` and `at.source(column)` are the points where a line ends, in pixels.
export function linesView(trace, act, at) {
  const [ghosts, rowLines] = ["ghosts", "row-lines"].map((name) => drawing("g", { class: name }));
  const node = drawing("svg", { class: "lines", "aria-hidden": "true" }, ghosts, rowLines);
  const view = { reading: /** @type {any} */ (null), now: 0, heaviest: -1 }; // step, column looked at most
  const drag = lineDrag(node, view, act, at, draw);
  const line = (quantity, say) => lineOf(act, drag, quantity, say);
  let earlier = [];

  function arrange(reading) {
    view.reading = reading;
    rowLines.replaceChildren(...reading.columns.map((_, column) => line(
      () => reading.quantityAtStep(view.now - 1, column), () => sayAtStep(trace, reading, view.now - 1, column))));
    earlier = (isLarge(trace) ? [] : heavyCells(reading)).map(({ row, column }) => ({ row, column, path: line(() => reading.quantity(row, column), () => act.say(reading, row, column)) }));
    ghosts.replaceChildren(...earlier.map(({ path }) => path));
    if (changeable()) rowLines.childNodes.forEach((path, column) => drag.hold(path, () => column));
  }

  const changeable = () => act.weighable && !view.reading.posterior;

  function mark(now) {
    view.now = now;
  }

  function draw() {
    const { reading, now } = view;
    const row = now > 0 ? reading.rowOf[now - 1] : -1;
    const weights = row < 0 ? [] : draftedStep(reading, now - 1, act.draft);
    rowLines.childNodes.forEach((path, column) => drawLine(path, row, column, weights[column] ?? 0));
    for (const one of earlier) drawLine(one.path, one.row, one.column, one.row < row ? reading.weights.at(one.row, one.column) : 0, 4);
    view.heaviest = weights.indexOf(Math.max(...weights));
    const drawn = row >= 0 && (drag.held() || weights[view.heaviest] > 0); // a head that is switched off has no line
    if (changeable() && drawn) drag.place();
    else drag.hide();
  }

  function drawLine(path, row, column, weight, thickest = 9) {
    path.toggleAttribute("hidden", weight < FAINTEST);
    if (weight < FAINTEST) return;
    path.setAttribute("d", curve(at.target(view.reading.chipOfRow(row)), at.source(column)));
    path.setAttribute("stroke-width", 1 + thickest * weight);
    path.setAttribute("stroke-opacity", 0.3 + 0.7 * weight);
  }

  return { node, grip: drag.node, arrange, mark, draw, beckon: drag.beckon };
}

// A click on a line opens its number; the end of a drag is no click.
const lineOf = (act, drag, quantity, says) => drawing("path", {
  hidden: true, says: () => !drag.held() && says(), onclick: () => drag.moved() || act.inspect(quantity()),
});

const heavyCells = (reading) => Array.from({ length: reading.weights.rows }, (_, row) =>
  where(Array.from(reading.weights.row(row)), (weight) => weight >= GHOST).map((column) => ({ row, column }))).flat();

// A line from a target chip up to a source chip, which stays between the two rows.
export function curve(from, to) {
  const bend = (from.y - to.y) / 2;
  return `M${from.x} ${from.y}C${from.x} ${from.y - bend} ${to.x} ${to.y + bend} ${to.x} ${to.y}`;
}

// Line drag: a line dragged to another word takes its weight along; between two words, the nearer one gets more.
//
// A finger can only drag a line by its grip. The grip is an HTML element because browsers obey `touch-action: none`
// there, not within an SVG: else they take the gesture for scrolling. A drag that the browser cancels is undone.

const STARTS = 4; // pixels after which a press becomes a drag
const SNAPS = 0.08; // share of the way between two words; closer than this, one word gets all weight
const BELOW = 9; // pixels from a word to the middle of the knob

// `view` is what the lines show: reading, step and heaviest column. `at.source(column)` is where a line ends, in pixels.
export function lineDrag(svg, view, act, at, draw) {
  const grip = gripView();
  let held = /** @type {any} */ (null); // the dragged line: its column, its row of weights at the start, and its current place
  let moved = false; // true if the last press was a drag, so that its click opens nothing

  function hold(handle, column) {
    handle.addEventListener("selectstart", (event) => event.preventDefault());
    dragged(handle, {
      begin: ({ pointerType, clientX }) => {
        if (view.now < 1 || (pointerType === "touch" && handle !== grip.node)) return false;
        act.draft.grab();
        held = { column: column(), nearest: column(), from: clientX, x: null, own: act.draft.base() };
        moved = false;
        return true;
      },
      move: lead,
      end: letGo,
    });
  }

  function lead({ clientX }) {
    if (held.x === null && Math.abs(clientX - held.from) < STARTS) return;
    moved = true;
    for (const node of [svg, grip.node]) node.classList.add("held");
    grip.quiet();
    const { row, ...where } = led(view.reading, act.draft.open(), at, held, clientX - svg.getBoundingClientRect().left);
    Object.assign(held, where);
    act.draft.put(row);
  }

  function letGo(cancelled) {
    held = null;
    for (const node of [svg, grip.node]) node.classList.remove("held");
    if (!moved) return;
    if (cancelled) act.draft.drop();
    else act.draft.settle();
    draw();
  }
  hold(grip.node, () => view.heaviest);

  const place = () => grip.place(at.source(held ? held.nearest : view.heaviest), held?.x);
  return { node: grip.layer, hold, place, hide: grip.hide, beckon: grip.beckon, held: () => held !== null, moved: () => moved };
}

// The row of weights, the nearest column and the place of the line when `held` is at `x`. Masked words get nothing.
function led(reading, open, at, { own, column }, x) {
  const tokens = (other) => positionsOf(reading, other).filter((i) => open[i]);
  const columns = where(reading.columns, () => true).filter((other) => tokens(other).length);
  const past = columns.findIndex((other) => at.source(other).x > x);
  const right = columns.at(past < 0 ? -1 : past);
  const left = columns.at(past < 0 ? -1 : Math.max(0, past - 1));
  const [from, to] = [at.source(left).x, at.source(right).x];
  const exactly = left === right ? 1 : (x - from) / (to - from);
  const share = exactly < SNAPS ? 0 : exactly > 1 - SNAPS ? 1 : exactly;
  const row = Array.from(own);
  const carried = total(positionsOf(reading, column).map((i) => row[i]));
  for (const i of positionsOf(reading, column)) row[i] = 0;
  for (const [other, part] of left === right ? [[left, 1]] : [[left, 1 - share], [right, share]]) {
    for (const i of tokens(other)) row[i] += (carried * part) / tokens(other).length;
  }
  const inside = Math.min(Math.max(x, at.source(columns[0]).x), at.source(columns.at(-1)).x);
  return { row, x: inside, nearest: share < 0.5 ? left : right };
}

// The handle of the heaviest line, at its upper end; the keyboard has the sliders of the weights.
function gripView() {
  const node = element("div", { class: "line-grip", hidden: true, "data-testid": "line-grip" },
    element("span", { class: "knob" }), element("span", { class: "asks" }, "drag me"));
  function place({ x, y }, dragged) {
    node.hidden = false;
    node.style.setProperty("--x", `${dragged ?? x}px`);
    node.style.transform = `translate(var(--x), ${y + BELOW}px)`;
  }
  return {
    node, layer: element("div", { class: "grip-layer", "aria-hidden": "true" }, node), place,
    hide: () => { node.hidden = true; },
    beckon: () => node.classList.add("beckoning"), quiet: () => node.classList.remove("beckoning"),
  };
}
