// Heatmap of a large attention from elsewhere: a canvas with a pixel for each weight, and the row on view as a table
// for screen readers. A cell is opened by a click; names are read from it by pointing.

import { element, heading, scroller } from "../shared/elements.js";
import { percent, weightColours } from "../shared/numbers.js";
import { weightScale } from "./heatmap.js";
import { fromTheRight } from "./trace_reading.js";

const CELL = { least: 2, most: 12, high: 400 }; // pixels; rows share `high` if they fit
const LISTED = 0.0005; // the least weight of the table, 0.1% once rounded

export function heatmapCanvasView(trace, act) {
  const canvas = element("canvas", { role: "img", "data-testid": "heat-canvas" });
  const marks = ["later", "current", "pinned"].map((name) => element("div", { class: `map-${name}`, "aria-hidden": "true" }));
  const [later, current, column] = marks;
  const sheet = element("div", { class: "map-sheet" }, canvas, ...marks);
  const box = element("div", { class: "heat-box", tabindex: "0", role: "group", "aria-label": "Heatmap" }, sheet);
  const table = element("table", { class: "unseen", "data-testid": "heat-row" });
  const head = element("div", { class: "heat-head" }, heading(trace.file.links ? "Links" : "Weights", trace.file.links ? "" : "percent"),
    element("p", { class: "note" }, "Point at a cell for its names, press it for its number."), ...(trace.file.links ? [] : [weightScale()]));
  const node = element("section", { class: "heat" }, head, box, table);
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
  canvas.addEventListener("click", (event) => {
    const found = find(event);
    if (found) act.inspect(reading.quantity(found[0], found[1]));
  });
  act.describe(canvas, (event) => {
    const found = find(event);
    return found && act.say(reading, found[0], found[1]);
  });

  function arrange(newReading) {
    reading = newReading;
    const { rows, width } = reading.weights;
    paintWeights(canvas, reading.weights, leftwards);
    steps = Array.from({ length: rows }, (_, row) => reading.rowOf.indexOf(row) + 1);
    canvas.setAttribute("aria-label", `${rows} rows and ${width} columns; the row of the step is in the table below`);
  }

  function show(step, pinned) {
    const { rows, width } = reading.weights;
    const row = step > 0 ? reading.rowOf[step - 1] : -1;
    const shown = reading.atOnce ? rows : steps.findLastIndex((first) => first <= step) + 1;
    node.dataset.shown = String(shown);
    later.style.top = `${(100 * shown) / rows}%`;
    current.hidden = row < 0;
    column.hidden = pinned === null;
    if (pinned !== null) Object.assign(column.style, { left: `${(100 * turned(pinned)) / width}%`, width: `${100 / width}%` });
    if (row < 0) return table.replaceChildren();
    Object.assign(current.style, { top: `${(100 * row) / rows}%`, height: `${100 / rows}%` });
    table.replaceChildren(...rowTable(trace, reading, row));
    sight.follow([row, rows], [turned(reading.lookedAt[row]), width]);
  }

  function resize() {
    const { rows, width } = reading.weights;
    const [wide, high] = [box.clientWidth / width, CELL.high / rows].map((size) => Math.min(CELL.most, Math.max(CELL.least, size)));
    Object.assign(sheet.style, { width: `${wide * width}px`, height: `${high * rows}px` });
    sight.measure([0, 0]);
  }
  return { node, arrange, show, resize };
}

// The row of the step: its name, and its columns but those without weight.
function rowTable(trace, reading, row) {
  const weights = Array.from(reading.weights.row(row));
  const listed = weights.flatMap((weight, column) => (weight >= LISTED ? [[weight, column]] : []));
  const name = trace.targetToken(reading.chips[reading.chipOfRow(row)]).textContent;
  return [element("caption", {}, `Row of ${name}: columns of at least 0.1%`),
    ...listed.map(([weight, column]) => element("tr", {},
      element("th", { scope: "row" }, trace.sourceToken(reading.columns[column])), element("td", {}, percent(weight))))];
}

// One pixel for each weight, in 256 colours of the heatmap.
function paintWeights(canvas, weights, leftwards) {
  const palette = Array.from({ length: 256 }, (_, i) => (weightColours(i / 255).fill.match(/\d+/g) ?? []).map(Number));
  const { rows, width } = weights;
  [canvas.width, canvas.height] = [width, rows];
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const colour = palette[Math.round(255 * Math.min(1, weights.at(row, column)))];
      image.data.set([...colour, 255], 4 * (row * width + (leftwards ? width - 1 - column : column)));
    }
  }
  context.putImageData(image, 0, 0);
}
