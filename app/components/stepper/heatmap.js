// Heatmaps: the weights of a translation as a table, a large attention as a canvas, and every head as a small button.

import { ATTENTIONS } from "../shared/alignment.js";
import {
  button, drawing, element, heading, inRowsOf, refresh, rove, scroller, sideways, tabStop,
} from "../shared/elements.js";
import { CIVIDIS, decode, total, twoDecimals, weightColours } from "../shared/numbers.js";
import { drafted } from "./dragging.js";
import {
  AFTERWARDS, FAINTEST, doneAtRow, fromTheRight, isEdited, isMasked, isOff, nameOf, pen, placeOf, shadeOf,
  stepOfRow,
} from "./trace_reading.js";

// Heatmap: one row of weights per step, or per target word, filled in as the decoder goes.

// Pixels. Numbers are written from `roomy` on; `OVERHANG` is what the last name needs on its right, as in stepper.css.
const CELL = { narrowest: 12, touchable: 24, widest: 72, roomy: 38, tight: 20, gap: 1 };
const OVERHANG = { level: 4, slanted: 52, tight: 26 };
const LINE = { written: 14, closest: 15, least: 18, usual: 26, most: 36, margins: 12 };
const CHARACTER = 7.6;

export function heatmapView(trace, act) {
  const links = Boolean(trace.file?.links);
  const table = element("table", {
    role: "grid",
    onclick: (event) => {
      const { cell, header } = find(event);
      if (cell) act.inspect(reading.quantity(...placeIn(cell)));
      if (header?.dataset.column) pin(Number(header.dataset.column));
      if (header?.dataset.row) act.go(stepOfRow(trace, firstStep[Number(header.dataset.row)]));
    },
    onkeydown: (event) => {
      const { cell } = find(event);
      if (cell && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); cell.click(); }
    },
    says: (event) => {
      const { cell } = find(event);
      return cell && act.say(reading, ...placeIn(cell));
    },
  });
  const placeIn = ({ dataset }) => [Number(dataset.row), Number(dataset.column)];
  const box = element("div", { class: "heat-box" }, table);
  const means = () => (links ? LINK_MEANS : reading.atOnce ? READ_MEANS
    : ROW_MEANS[reading.posterior ? AFTERWARDS : reading.rows][Number(reading.words)]);
  const what = () => (links ? "Links" : reading.posterior ? "Posterior" : "Weights");
  const head = element("div", { class: "heat-head" }, element("div", {}, () => heading(what(), links ? "" : "percent")),
    element("p", { class: "note" }, () => `${reading.said} ${means()}`.trim()), ...(links ? [] : [weightScale(trace)]));
  const node = element("section", { class: "heat" }, head, box);
  const leftwards = fromTheRight(trace.source.tokens);
  const across = (nodes) => (leftwards ? [...nodes].reverse() : nodes); // columns run as the sentence above does
  let reading, rows, cells, firstStep, stop;
  let now = 0;
  const sight = scroller(box);

  // The part of the table under an event; none for rows to come and the corner.
  function find(event) {
    const cell = event.composedPath()[0].closest("td, th");
    if (!cell || cell.closest(".future, .corner, tfoot")) return {};
    return cell.tagName === "TD" ? { cell } : { header: cell };
  }

  function arrange(newReading) {
    reading = newReading;
    const { rows: count, width } = reading.weights;
    refresh(head);
    const names = reading.columns.map((label, column) => element(
      "th", { scope: "col", "data-column": String(column), class: isMasked(trace, reading, column) ? "struck" : "" },
      element("span", {}, trace.sourceToken(label))));
    cells = Array.from({ length: count }, (_, row) => Array.from({ length: width }, (_, column) => cellOf(row, column)));
    rows = cells.map((row, index) => {
      const label = trace.targetToken(reading.chips[reading.chipOfRow(index)]);
      return element("tr", { class: "future", "aria-hidden": "true" },
        element("th", { scope: "row", "data-row": String(index) },
          element("span", {}, ...pen(doneAtRow(trace, reading, index)), label)), ...across(row));
    });
    firstStep = rows.map((_, row) => reading.rowOf.indexOf(row) + 1);
    stop = undefined;
    table.setAttribute("aria-label", `${links ? what() : `${what()} in percent`}, a row for each step`);
    const foot = links || reading.atOnce ? [] : [element("tfoot", {}, coverageRow(trace, reading, across))];
    table.replaceChildren(element("thead", {}, element("tr", {}, element("td", { class: "corner" }), ...across(names))),
      element("tbody", {}, ...rows), ...foot);
    node.style.setProperty("--drawn-rows", String(count + foot.length));
  }

  function cellOf(row, column) {
    const weight = reading.weights.at(row, column);
    const cell = element("td", {
      role: "gridcell", tabindex: "-1", "data-testid": "heat-cell", "data-row": String(row), "data-column": String(column),
      class: !reading.posterior && isEdited(trace, reading, row, column) ? "edited" : "",
    });
    if (trace.file?.causal && reading.rowOf.lastIndexOf(row) < reading.columnOf.indexOf(column)) {
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

  function colour(cell, weight) {
    const { fill, ink } = weightColours(reading.shade(weight));
    cell.style.setProperty("--fill", fill);
    cell.style.setProperty("--ink-on-fill", ink);
    cell.textContent = reading.inCell(weight);
    cell.dataset.value = String(weight);
  }

  function show(step) {
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
    if (current < 0) return;
    const next = cells[current][reading.lookedAt[current]];
    tabStop(stop, next);
    stop = next;
    const { length } = reading.columns;
    sight.follow([current, rows.length], [leftwards ? length - 1 - reading.lookedAt[current] : reading.lookedAt[current], length]);
  }

  function pin(column) {
    const marked = table.querySelector(`th[data-column="${column}"].pinned`);
    for (const one of table.querySelectorAll(".pinned")) one.classList.remove("pinned");
    if (!marked) for (const one of table.querySelectorAll(`[data-column="${column}"]`)) one.classList.add("pinned");
  }

  // Names of columns are level if they fit, otherwise slanted, and nearly upright over tight columns. Everything is
  // read before anything is written, or the page would be laid out for each name.
  function resize() {
    const style = getComputedStyle(node);
    const scale = Number(getComputedStyle(node.parentElement).getPropertyValue("--scale")) || 1;
    const given = {
      wide: box.clientWidth,
      high: node.clientHeight - head.offsetHeight,
      fitted: style.getPropertyValue("--fitted") === "1",
      several: act.several,
      columns: reading.columns.map((label) => label.text.length),
      rows: rows.map((_, row) => reading.chips[reading.chipOfRow(row)].text.length),
      foot: table.tFoot ? COVERAGE.length : 0,
    };
    // In a presentation all of the table is seen, with names as large as that allows.
    const large = Boolean(node.closest(".large:not(.several)"));
    const scales = Array.from({ length: large ? 12 : 1 }, (_, i) => scale * 0.85 ** i);
    const found = scales.map((one) => ({ ...sizesAt(given, one, large), shown: one }));
    const { manner, shown, ...sizes } = found.find((one) => one["cell-height"] >= LINE.closest * one.shown && one["cell-width"] >= CELL.narrowest * one.shown) ?? found[found.length - 1];
    node.style.setProperty("--scale", shown);
    for (const [name, size] of Object.entries(sizes)) node.style.setProperty(`--${name}`, `${size}px`);
    node.classList.toggle("roomy", sizes["cell-width"] >= CELL.roomy && sizes["cell-height"] >= LINE.written);
    node.dataset.names = manner;
    const foot = table.tFoot ? sizes["cell-height"] + CELL.gap : 0;
    sight.measure([sizes["head-height"] + foot, sizes["label-width"] + OVERHANG[manner] * shown]);
  }

  rove(table, () => cells.filter((_, row) => reading.atOnce || firstStep[row] <= now).flat(),
    () => ({ ...(leftwards ? { ArrowLeft: 1, ArrowRight: -1 } : sideways()), ArrowUp: -reading.weights.width, ArrowDown: reading.weights.width }));
  return { node, arrange, show, resize, redraw, pin };
}

// The table's layout in the given room, with names of that scale; `columns` and `rows` are their lengths, `foot` that of
// the row below.
function sizesAt({ wide, high, fitted, several, columns, rows, foot }, scale, whole = false) {
  const character = CHARACTER * scale;
  const longest = Math.max(...columns);
  const wanted = several ? Infinity : Math.max(64, Math.max(...rows, foot) * character + 24); // cells alike in all columns
  const label = Math.min((several ? 96 : 128) * scale, wide / 4, wanted);
  const share = (name) => (wide - label - OVERHANG[name] * scale - (whole ? 5 : 2)) / columns.length - CELL.gap;
  const manner = longest * character + 6 <= share("level") ? "level" : share("slanted") >= CELL.tight ? "slanted" : "tight";
  const narrowest = whole ? 1 : window.matchMedia("(pointer: coarse)").matches ? CELL.touchable : CELL.narrowest;
  const width = Math.min(CELL.widest * scale, Math.max(narrowest, share(manner)));
  const names = scale * (manner === "level" ? 30 : Math.min(92, 22 + 6.6 * longest));
  const each = Math.floor((high - names - LINE.margins) / (rows.length + 1)) - CELL.gap; // so that all rows are visible
  const height = fitted ? Math.max(whole ? 1 : LINE.least, Math.min(LINE.most * scale, each)) : LINE.usual;
  return { "cell-width": width, "label-width": label, "head-height": names, "cell-height": height, manner };
}

const both = (text) => [text, text]; // of tokens, of words
const ROW_MEANS = {
  output: ["Each row is a step, named by the token that it wrote.", "Each row is a word written: the mean over its steps."],
  input: both("Each row is a step, named by the word fed in, the one written just before. Luong et al. (2015, "
    + "footnote 14) read theirs that way, without a comparison; whether this fits depends on the model."),
  [AFTERWARDS]: both("What the weights would be once the word of the row is known."),
};

const READ_MEANS = "Each row is the token that looks; all of them look at once.";
const LINK_MEANS = "Each row is a target word; a dot is a link.";

function weightScale(trace) {
  const colours = CIVIDIS.map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`).join(", ");
  const band = element("span", { class: "band", style: { background: `linear-gradient(to right, ${colours})` } });
  const [least, most] = trace.file?.logarithmic ? [FAINTEST, "100%, logarithmic"] : ["0", "100%"];
  return element("p", { class: "weight-scale", "aria-hidden": "true" }, least, band, most);
}

// Coverage row: the sum of each heatmap column over the whole translation, and words that seem left out or said twice.

const COVERAGE = "coverage";
const MARKS = { "left out": "∅", "said twice": "2×" };
const MEANS = "Coverage: the sum of the column over the whole translation. About 1 is a word said once.";
const FULL = 2; // coverage from which a bar is as high as its cell

function coverageRow(trace, reading, across) {
  const cells = reading.columns.map((label, column) => {
    const sum = total(Array.from({ length: reading.weights.rows }, (_, row) => reading.weights.at(row, column)));
    const word = reading.words ? column : trace.source.wordOf[column];
    const found = reading.posterior || trace.look ? [] : (trace.flags ?? []).filter(({ source }) => source === word);
    const told = found.map(({ kind, credit }) => `; seems ${kind}: ${twoDecimals(credit)} with each step weighted by its token's probability relative to the likeliest`);
    return element("td", {
      title: `${trace.sourceToken(label).textContent}: coverage ${twoDecimals(sum)}${told.join("")}`, "data-testid": "coverage",
      "data-value": String(sum), class: found.length ? "flagged" : "", style: { "--high": `${Math.min(100, (100 * sum) / FULL)}%` },
    }, twoDecimals(sum), ...found.map(({ kind }) => element("span", { class: "mark" }, MARKS[kind])));
  });
  return element("tr", {}, element("th", { scope: "row", title: MEANS }, element("span", {}, COVERAGE)), ...across(cells));
}

// Canvas: a pixel for each weight of a large attention from elsewhere; the bars have the row on view.

const PIXEL = { least: 2, most: 12, high: 400 }; // of a cell; rows share `high` if they fit

export function heatmapCanvasView(trace, act) {
  const canvas = element("canvas", {
    role: "img", "data-testid": "heat-canvas",
    onclick: (event) => {
      const found = find(event);
      if (found) act.inspect(reading.quantity(...found));
    },
    says: (event) => {
      const found = find(event);
      return found && act.say(reading, ...found);
    },
  });
  const marks = ["later", "current"].map((name) => element("div", { class: `map-${name}`, "aria-hidden": "true" }));
  const [later, current] = marks;
  const sheet = element("div", { class: "map-sheet" }, canvas, ...marks);
  const box = element("div", { class: "heat-box", tabindex: "0", role: "group", "aria-label": "Heatmap" }, sheet);
  const head = element("div", { class: "heat-head" }, heading(trace.file.links ? "Links" : "Weights", trace.file.links ? "" : "percent"),
    element("p", { class: "note" }, `${trace.file.said ?? ""} Point at a cell for its names, press it for its number.`.trim()),
    ...(trace.file.links ? [] : [weightScale(trace)]));
  const node = element("section", { class: "heat" }, head, box);
  const leftwards = fromTheRight(trace.source.tokens);
  const sight = scroller(box);
  let reading = /** @type {any} */ (null);
  let steps = []; // the first step of each row
  const turned = (place) => (leftwards ? reading.weights.width - 1 - place : place);

  // The row and column under an event; none in rows that are still to come.
  function find(event) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const { rows, width: columns } = reading.weights;
    const row = Math.min(rows - 1, Math.floor(((event.clientY - top) / height) * rows));
    const at = Math.min(columns - 1, Math.floor(((event.clientX - left) / width) * columns));
    return row < 0 || at < 0 || row >= Number(node.dataset.shown) ? null : [row, turned(at)];
  }
  function arrange(newReading) {
    reading = newReading;
    const { rows, width } = reading.weights;
    paint(canvas, reading.weights, reading.shade, leftwards);
    steps = Array.from({ length: rows }, (_, row) => reading.rowOf.indexOf(row) + 1);
    canvas.setAttribute("aria-label", `${rows} rows and ${width} columns; the bars show the row of the step`);
  }

  function show(step) {
    const { rows, width } = reading.weights;
    const row = step > 0 ? reading.rowOf[step - 1] : -1;
    const shown = reading.atOnce ? rows : steps.findLastIndex((first) => first <= step) + 1;
    node.dataset.shown = String(shown);
    later.style.top = `${(100 * shown) / rows}%`;
    current.hidden = row < 0;
    if (row < 0) return;
    Object.assign(current.style, { top: `${(100 * row) / rows}%`, height: `${100 / rows}%` });
    sight.follow([row, rows], [turned(reading.lookedAt[row]), width]);
  }

  function resize() {
    const { rows, width } = reading.weights;
    const [wide, high] = [box.clientWidth / width, PIXEL.high / rows].map((size) => Math.min(PIXEL.most, Math.max(PIXEL.least, size)));
    Object.assign(sheet.style, { width: `${wide * width}px`, height: `${high * rows}px` });
    sight.measure([0, 0]);
  }
  return { node, arrange, show, resize };
}

// Chooser: every head of every layer as a small heatmap that is a button. Arrow keys go from head to head.

// `choose(look)` receives the choice; `edit` switches a head off, and is null if nothing can be changed.
export function chooserView(choose, edit) {
  let now = /** @type {any} */ (null); // the place on view
  let raw = /** @type {any} */ (null);
  let changes = /** @type {any} */ (null);
  let single = false; // without the mean of the heads
  let drawn = /** @type {any} */ (null); // the attention whose heads are in the grid
  const tell = (place) => `${nameOf(place)}${isOff(changes, place) ? ", switched off" : ""}`;
  const width = () => raw.heads[now.attention].layers[0].heads.length + Number(!single);
  const kinds = Object.entries(ATTENTIONS).map(([attention, text]) => button({
    class: "switch", "data-testid": `attention-${attention}`, "data-handle": `attention-${attention}`,
    hidden: () => !(attention in raw.heads), "aria-pressed": () => String(attention === now.attention),
  }, () => choose({ attention }), text));
  const off = button({ class: "small", "data-testid": "head-off", "data-handle": "head-off",
    disabled: () => !now.head },
    () => edit({ kind: "head", attention: now.attention, layer: now.layer - 1, head: now.head - 1,
      off: !isOff(changes, now) }),
    () => (!now.head ? "Choose a head to switch off" : isOff(changes, now) ? "Switch it on again" : "Switch it off"));
  const name = element("output", { class: "head-name", "data-testid": "head-name" }, () => tell(now));
  const grid = element("div", { class: "head-grid", role: "group", "aria-label": "Layers and heads" });
  rove(grid, () => [...grid.querySelectorAll(".head-one")], () => inRowsOf(width()), (one) => one.click());
  const node = element("div", { class: "chooser", "data-testid": "chooser" },
    element("div", { class: "head-kinds", role: "group", "aria-label": "Attention" },
      element("span", { class: "segments" }, ...kinds), element("p", { class: "head-told" }, name, ...(edit ? [off] : []))),
    grid);

  function headButton(weights, place) {
    const picture = element("canvas", { "aria-hidden": "true" });
    paint(picture, weights, shadeOf(raw));
    const crossed = isOff(changes, place)
      ? [drawing("svg", { viewBox: "0 0 10 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawing("path", { d: "M0 0L10 10M10 0L0 10" }))] : [];
    const chosen = () => place.layer === now.layer && place.head === now.head;
    return button({
      class: crossed.length ? "head-one off" : "head-one", "aria-label": tell(place), "data-testid": "head",
      tabindex: () => (chosen() ? "0" : "-1"), "aria-pressed": () => String(chosen()),
      "data-layer": String(place.layer), "data-head": String(place.head), "data-handle": `head-${place.layer}-${place.head}`,
    }, () => choose(place), picture,
    element("span", { class: "head-number", "aria-hidden": "true" }, place.head ? String(place.head) : "mean"),
    ...crossed);
  }

  function draw() {
    drawn = raw.heads[now.attention];
    const { layers } = drawn;
    const rows = layers.map((layer, i) => [...layer.heads, ...(single ? [] : [layer.mean])].map((one, n) => headButton(
      decode(one.weight), { attention: now.attention, layer: i + 1, head: n < layer.heads.length ? n + 1 : 0 })));
    const stepper = node.closest(".stepper"); // the phases beside the grid make room for it
    stepper.style.setProperty("--heads", String(width()));
    stepper.style.setProperty("--layers", String(layers.length));
    grid.replaceChildren(...rows.flatMap((row, i) => [
      element("span", { class: "head-layer" }, `layer ${i + 1}`), ...row]));
  }

  // `newRaw` is the trace as sent, `look` the part on view, `offered` its changes if more can be made.
  function show(newRaw, offered, look) {
    const newChanges = offered ?? newRaw.changes;
    const outdated = newRaw !== raw || newChanges !== changes || look.single !== single;
    [raw, changes, now, single] = [newRaw, newChanges, placeOf(newRaw, look), look.single];
    const focused = () => grid.contains(/** @type {any} */ (node.getRootNode()).activeElement);
    const had = focused();
    if (outdated || drawn !== raw.heads[now.attention]) draw();
    refresh(node);
    if (had && !focused()) grid.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
  }
  return { node, show };
}

function paint(canvas, weights, shade, leftwards = false) {
  const { rows, width } = weights;
  [canvas.width, canvas.height] = [width, rows];
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const colour = PALETTE[Math.round(255 * Math.min(1, shade(weights.at(row, column))))];
      image.data.set([...colour, 255], 4 * (row * width + (leftwards ? width - 1 - column : column)));
    }
  }
  context.putImageData(image, 0, 0);
}

const PALETTE = Array.from({ length: 256 }, (_, i) => (weightColours(i / 255).fill.match(/\d+/g) ?? []).map(Number));
