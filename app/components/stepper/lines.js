// Lines: from the current target to the words that this step looks at, thicker for larger weights. Lines of earlier
// words stay, faint; a word of several steps has their mean.
//
// If the translation can be changed, a line can be dragged to another word (line_drag.js).

import { drawing } from "../shared/elements.js";
import { draftedStep } from "./draft.js";
import { lineDrag } from "./line_drag.js";
import { where } from "./marks.js";
import { sayAtStep } from "./step_text.js";

const FAINTEST = 0.005; // of a weight; a fainter line would be invisible
const GHOST = 0.15; // of a weight of an earlier step
const GROUPS = ["ghosts", "column-lines", "row-lines"];

// `at.target(chip)` and `at.source(column)` are the points where a line ends, in pixels.
export function linesView(trace, act, at) {
  const [ghosts, columnLines, rowLines] = GROUPS.map((name) => drawing("g", { class: name }));
  const node = drawing("svg", { class: "lines", "aria-hidden": "true" }, ghosts, columnLines, rowLines);
  const view = { reading: /** @type {any} */ (null), now: 0, pinned: null, heaviest: -1 }; // step, pinned source, column looked at most
  const drag = lineDrag(node, view, act, at, draw);
  const line = (quantity, say) => lineOf(act, drag, quantity, say);
  let earlier = [];

  function arrange(reading) {
    view.reading = reading;
    const atCell = (row, column) => line(() => reading.quantity(row(), column()), () => act.say(reading, row(), column()));
    rowLines.replaceChildren(...reading.columns.map((_, column) => line(
      () => reading.quantityAtStep(view.now - 1, column), () => sayAtStep(trace, reading, view.now - 1, column))));
    columnLines.replaceChildren(...reading.chips.map((_, chip) => atCell(() => reading.rowOfChip(chip), () => view.pinned)));
    earlier = heavyCells(reading).map(({ row, column }) => ({ row, column, path: atCell(() => row, () => column) }));
    ghosts.replaceChildren(...earlier.map(({ path }) => path));
    if (changeable()) rowLines.childNodes.forEach((path, column) => drag.hold(path, () => column));
  }

  const changeable = () => act.weighable && !view.reading.posterior;

  function mark(now, pinned) {
    Object.assign(view, { now, pinned });
  }

  function draw() {
    const { reading, now, pinned } = view;
    const row = now > 0 ? reading.rowOf[now - 1] : -1;
    const weights = row < 0 ? [] : draftedStep(reading, now - 1, act.draft);
    rowLines.childNodes.forEach((path, column) => drawLine(path, row, column, weights[column] ?? 0));
    drawPast(row);
    view.heaviest = weights.indexOf(Math.max(...weights));
    const drawn = row >= 0 && (drag.held() || weights[view.heaviest] > 0); // a head that is switched off has no line
    if (changeable() && drawn && pinned === null) drag.place();
    else drag.hide();
  }

  // Up to the step of this row: the lines of a pinned column, else those of earlier rows.
  function drawPast(row) {
    const { weights, rowOfChip } = view.reading;
    columnLines.childNodes.forEach((path, chip) => {
      const other = rowOfChip(chip);
      const there = view.pinned !== null && view.now > 0 && other >= 0 && other <= row && other < weights.rows;
      drawLine(path, other, view.pinned, there ? weights.at(other, view.pinned) : 0);
    });
    for (const { row: other, column, path } of earlier) {
      drawLine(path, other, column, other < row && view.pinned === null ? weights.at(other, column) : 0, 4);
    }
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
function lineOf(act, drag, quantity, say) {
  const path = drawing("path", { hidden: "hidden" });
  path.addEventListener("click", () => drag.moved() || act.inspect(quantity()));
  act.describe(path, () => !drag.held() && say());
  return path;
}

const heavyCells = (reading) => Array.from({ length: reading.weights.rows }, (_, row) =>
  where(Array.from(reading.weights.row(row)), (weight) => weight >= GHOST).map((column) => ({ row, column }))).flat();

// A line from a target chip up to a source chip, which stays between the two rows.
export function curve(from, to) {
  const bend = (from.y - to.y) / 2;
  return `M${from.x} ${from.y}C${from.x} ${from.y - bend} ${to.x} ${to.y + bend} ${to.x} ${to.y}`;
}
