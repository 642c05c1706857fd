// Heatmaps: the weights of a translation as a table, and those of every head of a Transformer as small buttons.

import { button, drawing, element, heading, inRowsOf, rove, scroller, sideways, tabStop } from "../shared/elements.js";
import { CIVIDIS, decode, twoDecimals, weightColours } from "../shared/numbers.js";
import { drafted } from "./draft.js";
import {
  AFTERWARDS,
  ATTENTIONS,
  doneAtRow,
  fromTheRight,
  isEdited,
  isMasked,
  isOff,
  nameOf,
  pen,
  placeOf,
  stepOfRow,
} from "./trace_reading.js";

// Heatmap: one row of weights per step, or per target word, filled in as the decoder goes.

// Pixels. Numbers are written from `roomy` on; `OVERHANG` is what the last name needs on its right, as in stepper.css.
const CELL = { narrowest: 12, touchable: 24, widest: 72, roomy: 38, tight: 20, gap: 1 };
const OVERHANG = { level: 4, slanted: 52, tight: 26 };
const LINE = { written: 14, closest: 15, least: 18, usual: 26, most: 36, twice: 32, margins: 12 };
const CHARACTER = 7.6;

export function heatmapView(trace, act) {
  const links = Boolean(trace.file?.links);
  const table = element("table", { role: "grid" });
  const box = element("div", { class: "heat-box" }, table);
  const caption = element("p", { class: "note" });
  const title = element("div");
  const head = element("div", { class: "heat-head" }, title, caption, ...(links ? [] : [weightScale()]));
  const node = element("section", { class: "heat" }, head, box);
  const leftwards = fromTheRight(trace.source.tokens);
  const across = (nodes) => (leftwards ? [...nodes].reverse() : nodes); // columns run as the sentence above does
  let reading, rows, cells, firstStep, stop;
  let now = 0;
  const sight = scroller(box);
  table.addEventListener("click", (event) => {
    const { cell, header } = find(event);
    if (cell) act.inspect(reading.quantity(Number(cell.dataset.row), Number(cell.dataset.column)));
    if (header?.dataset.row) act.go(stepOfRow(trace, firstStep[Number(header.dataset.row)]));
    if (header?.dataset.column) act.pin(Number(header.dataset.column));
  });
  table.addEventListener("keydown", (event) => {
    const { cell } = find(event);
    if (cell && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); cell.click(); }
  });
  act.describe(table, (event) => {
    const { cell } = find(event);
    return cell && act.say(reading, Number(cell.dataset.row), Number(cell.dataset.column));
  });

  // The part of the table under an event; none for rows to come and the corner.
  function find(event) {
    const cell = event.composedPath()[0].closest("td, th");
    if (!cell || cell.closest(".future, .corner, tfoot")) return {};
    return cell.tagName === "TD" ? { cell } : { header: cell };
  }

  function arrange(newReading) {
    reading = newReading;
    const { rows: count, width } = reading.weights;
    const head = reading.columns.map((label, column) => element(
      "th", { scope: "col", "data-column": String(column), class: isMasked(trace, reading, column) ? "struck" : "" },
      element("span", {}, trace.sourceToken(label))));
    const each = (length, make) => Array.from({ length }, (_, index) => make(index));
    cells = each(count, (row) => each(width, (column) => cellOf(row, column)));
    rows = cells.map((row, index) => {
      const label = trace.targetToken(reading.chips[reading.chipOfRow(index)]);
      return element("tr", { class: "future", "aria-hidden": "true" },
        element("th", { scope: "row", "data-row": String(index) },
          element("span", {}, ...pen(doneAtRow(trace, reading, index)), label)), ...across(row));
    });
    firstStep = rows.map((_, row) => reading.rowOf.indexOf(row) + 1);
    stop = undefined;
    const what = links ? "Links" : reading.posterior ? "Posterior" : "Weights";
    table.setAttribute("aria-label", `${links ? what : `${what} in percent`}, a row for each step`);
    title.replaceChildren(heading(what, links ? "" : "percent"));
    caption.textContent = links ? LINK_MEANS : reading.atOnce ? READ_MEANS : ROW_MEANS[reading.posterior ? AFTERWARDS : reading.rows][Number(reading.words)];
    const names = element("tr", {}, element("td", { class: "corner" }), ...across(head));
    const foot = links || reading.atOnce ? [] : [element("tfoot", {}, coverageRow(trace, reading, across))];
    table.replaceChildren(element("thead", {}, names), element("tbody", {}, ...rows), ...foot);
    node.style.setProperty("--drawn-rows", String(count + foot.length));
  }

  function cellOf(row, column) {
    const weight = reading.weights.at(row, column);
    const cell = element("td", {
      role: "gridcell", tabindex: "-1", "data-testid": "heat-cell", "data-row": String(row), "data-column": String(column),
      class: !reading.posterior && isEdited(trace, reading, row, column) ? "edited" : "",
    });
    if (isLater(trace, reading, row, column)) {
      cell.classList.add("hatched");
      cell.append(element("span", { class: "unseen" }, "masked"));
    } else colour(cell, weight);
    return cell;
  }

  function redraw() {
    if (now < 1) return;
    const row = reading.rowOf[now - 1];
    drafted(trace, reading, now - 1, act.draft).forEach((weight, column) => colour(cells[row][column], weight));
  }

  // While weights are dragged, the row is named by the word that the model would then write.
  function preview({ written }) {
    if (now < 1 || reading.rows === "input") return;
    const row = reading.rowOf[now - 1];
    if (reading.chipOfRow(row) !== reading.producedChip(now - 1)) return;
    rows[row].querySelector("th > span").replaceChildren(trace.targetToken(written));
  }

  function colour(cell, weight) {
    const { fill, ink } = weightColours(weight);
    cell.style.setProperty("--fill", fill);
    cell.style.setProperty("--ink-on-fill", ink);
    cell.textContent = reading.inCell(weight);
    cell.dataset.value = String(weight);
  }

  function show(step, pinned) {
    now = step;
    const current = step > 0 ? reading.rowOf[step - 1] : -1;
    rows.forEach((row, index) => {
      const future = !reading.atOnce && firstStep[index] > step;
      if (row.classList.contains("future") !== future) {
        row.classList.toggle("future", future);
        row.setAttribute("aria-hidden", String(future));
      }
      row.classList.toggle("current", index === current);
    });
    showPinned(pinned);
    if (current < 0) return;
    const next = cells[current][reading.lookedAt[current]];
    tabStop(stop, next);
    stop = next;
    const { length } = reading.columns;
    sight.follow([current, rows.length], [leftwards ? length - 1 - reading.lookedAt[current] : reading.lookedAt[current], length]);
  }

  function showPinned(pinned) {
    if (table.dataset.pinned === String(pinned)) return;
    table.dataset.pinned = String(pinned);
    for (const marked of table.querySelectorAll(".pinned")) marked.classList.remove("pinned");
    if (pinned === null) return;
    for (const marked of table.querySelectorAll(`[data-column="${pinned}"]`)) marked.classList.add("pinned");
  }

  // Names of columns are level if they fit, otherwise slanted, and nearly upright over tight columns. Everything is
  // read before anything is written, or the page would be laid out for each name.
  function resize() {
    const style = getComputedStyle(node);
    const scale = Number(style.getPropertyValue("--scale")) || 1;
    const given = {
      wide: box.clientWidth,
      high: node.clientHeight - head.offsetHeight,
      fitted: style.getPropertyValue("--fitted") === "1",
      several: act.several,
      columns: reading.columns.map((label) => label.text.length),
      rows: rows.map((_, row) => reading.chips[reading.chipOfRow(row)].text.length),
      foot: table.tFoot ? Math.max(...COVERAGE.split(" ").map((word) => word.length)) : 0,
    };
    const whole = style.getPropertyValue("--whole") === "1";
    const { manner, least, ...sizes } = whole ? wholeSizes(given, scale) : sizesAt(given, scale);
    for (const [name, size] of Object.entries(sizes)) node.style.setProperty(`--${name}`, `${size}px`);
    node.style.setProperty("--shown-scale", least);
    node.classList.toggle("roomy", sizes["cell-width"] >= CELL.roomy && sizes["cell-height"] >= LINE.written);
    node.dataset.names = manner;
    const foot = table.tFoot ? sizes["cell-height"] + CELL.gap : 0;
    sight.measure([sizes["head-height"] + foot, sizes["label-width"] + OVERHANG[manner] * least]);
  }

  rove(table, () => cells.filter((_, row) => reading.atOnce || firstStep[row] <= now).flat(),
    () => ({ ...(leftwards ? { ArrowLeft: 1, ArrowRight: -1 } : sideways()), ArrowUp: -reading.weights.width, ArrowDown: reading.weights.width }));
  return { node, arrange, show, resize, redraw, preview };
}

// True for a cell of causal self-attention that is masked: its column comes after its row.
const isLater = (trace, { rowOf, columnOf }, row, column) => Boolean(trace.file?.causal) && rowOf.lastIndexOf(row) < columnOf.indexOf(column);

// The table's layout in the given room, with names of that scale; `columns` and `rows` are their lengths, `foot` that of the row below.
function sizesAt({ wide, high, fitted, several, columns, rows, foot }, scale, whole = false) {
  const character = CHARACTER * scale;
  const [longest, longestRow] = [Math.max(...columns), Math.max(...rows, foot)];
  const wanted = several ? Infinity : Math.max(64 * (whole ? scale : 1), longestRow * character + 24); // cells alike in all columns
  const label = Math.min((several ? 96 : 128) * scale, wide / 4, wanted);
  const overhang = (name) => OVERHANG[name] * scale;
  const share = (name) => (wide - label - overhang(name) - (whole ? 4 : 2)) / columns.length - CELL.gap;
  const level = longest * character + 6 <= share("level");
  const manner = level ? "level" : share("slanted") >= CELL.tight * (whole ? scale : 1) ? "slanted" : "tight";
  const narrowest = whole ? 1 : window.matchMedia("(pointer: coarse)").matches ? CELL.touchable : CELL.narrowest;
  const width = Math.min(CELL.widest * scale, Math.max(narrowest, share(manner)));
  const names = scale * (level ? 30 : Math.min(92, 22 + 6.6 * longest));
  const broken = foot && !whole && COVERAGE.length * character > label - 8; // the foot's name, in two lines
  const heightOf = (room, count) => lineHeight(room - names, scale, count, whole ? 1 : LINE.least);
  const above = broken ? heightOf(high - Math.ceil(LINE.twice * scale) - CELL.gap, rows.length) : Infinity;
  const height = fitted ? Math.min(heightOf(high, rows.length + 1), above) : LINE.usual;
  return { "cell-width": width, "label-width": label, "head-height": names, "cell-height": height, manner, least: scale };
}

// The largest names that leave the whole table visible, each row and column as thick as its name.
function wholeSizes(given, scale) {
  const scales = Array.from({ length: 12 }, (_, i) => scale * 0.85 ** i);
  const found = scales.map((one) => sizesAt(given, one, true));
  return found.find((sizes, i) => sizes["cell-height"] >= LINE.closest * scales[i] && sizes["cell-width"] >= CELL.narrowest * scales[i])
    ?? found[found.length - 1];
}

// The greatest height of rows that leaves them all visible, if the page gives the heatmap a fixed height.
const lineHeight = (room, scale, count, least) =>
  Math.max(least, Math.min(LINE.most * scale, Math.floor((room - LINE.margins) / count) - CELL.gap));

const both = (text) => [text, text]; // of tokens, of words
const ROW_MEANS = {
  output: ["Each row is a step, named by the token that it wrote.", "Each row is a word written: the mean over its steps."],
  input: both("Each row is a step, named by the word fed in, the one written just before. Luong et al. (2015, "
    + "footnote 14) read theirs that way, without a comparison; whether this fits depends on the model."),
  [AFTERWARDS]: both("What the weights would be once the word of the row is known."),
};

const READ_MEANS = "Each row is the token that looks; all of them look at once.";
const LINK_MEANS = "Each row is a target word; a dot is a link.";

export function weightScale() {
  const colours = CIVIDIS.map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`).join(", ");
  const band = element("span", { class: "band" });
  band.style.background = `linear-gradient(to right, ${colours})`;
  return element("p", { class: "weight-scale", "aria-hidden": "true" }, "0", band, "100%");
}

// Coverage row: the sum of each heatmap column over the whole translation, and words that seem left out or said twice.


const COVERAGE = "total coverage"; // the row's name, in two lines where it is narrow
const MARKS = { "left out": "∅", "said twice": "2×" };
const MEANS = "Coverage: the sum of the column over the whole translation. About 1 is a word said once.";
const COUNTED = "by its token's probability relative to the likeliest token's";
const FULL = 2; // coverage from which a bar is as high as its cell

function coverageRow(trace, reading, across) {
  const { rows, width, values } = reading.weights;
  const cells = Array.from({ length: width }, (_, column) => {
    const sum = Array.from({ length: rows }, (_, row) => values[row * width + column]).reduce((one, other) => one + other, 0);
    return cellOf(trace, reading, column, sum);
  });
  return element("tr", {}, element("th", { scope: "row", title: MEANS }, element("span", {}, COVERAGE)), ...across(cells));
}

function cellOf(trace, reading, column, sum) {
  const words = new Set(reading.words ? [column] : reading.columnOf.flatMap((at, token) => (at === column ? [trace.source.word_of[token]] : [])));
  const found = reading.posterior || trace.look ? [] : (trace.flags ?? []).filter(({ source }) => words.has(source));
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const told = [twoDecimals(sum), ...new Set(found.map((flag) => sayFlag(flag, sum)))].join("; ");
  const title = `${trace.sourceToken(reading.columns[column]).textContent}: coverage ${told}`;
  const cell = element("td", { title, "data-testid": "coverage", "data-value": String(sum), class: kinds.length ? "flagged" : "" },
    twoDecimals(sum), ...kinds.map((kind) => element("span", { class: "mark" }, MARKS[kind])));
  cell.style.setProperty("--high", `${Math.min(100, (100 * sum) / FULL)}%`);
  return cell;
}

// A word is left out by its credit, which in the model's own translation is the coverage.
export function sayFlag({ kind, credit }, sum) {
  const decides = kind === "left out" && twoDecimals(credit) !== twoDecimals(sum);
  return decides ? `seems ${kind}: the word has ${twoDecimals(credit)} if each step counts ${COUNTED}` : `seems ${kind}`;
}

// Chooser: every head of every layer as a small heatmap that is a button. Arrow keys go from head to head; the one
// pointed at is shown enlarged beside them.

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
      if (isOff(changes, place)) node.append(drawing("svg", { viewBox: "0 0 10 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        drawing("path", { d: "M0 0L10 10M10 0L0 10" }))); // crossed out
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
