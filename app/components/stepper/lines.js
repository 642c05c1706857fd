// Lines: from the current target to the words that this step looks at, thick where it looks much. Those of earlier words
// stay, faint; a word of several steps has their mean then.
//
// Where the translation can be changed a line can be led to another word, and its weight goes along: between two words
// it is shared by how near each is.

import { drawing } from "../shared/elements.js";
import { draftedStep } from "./draft.js";
import { positionsOf, where } from "./marks.js";
import { total } from "./sliders.js";
import { sayAtStep } from "./step_text.js";

const FAINTEST = 0.005; // of a weight; below it a line would say nothing
const GHOST = 0.15; // of a weight of an earlier step
const STARTS = 4; // pixels from which on a press is a drag
const SNAPS = 0.08; // of the way between two words: nearer, all of the weight is on the one

// `at.target(chip)` and `at.source(column)` are the points where a line ends, in pixels.
export function linesView(trace, act, at) {
  const [ghosts, columnLines, rowLines] = ["ghosts", "column-lines", "row-lines"].map((name) => drawing("g", { class: name }));
  const grip = gripView();
  const node = drawing("svg", { class: "lines", "aria-hidden": "true" }, ghosts, columnLines, rowLines, grip.node);
  let reading;
  let now = 0; // the step shown
  let pinned = null; // the source whose column is shown
  let earlier = [];
  let drag = null;
  let heaviest = -1; // the column that this step looks at most
  let ended = false; // a drag has, so that its click opens nothing

  function arrange(newReading) {
    reading = newReading;
    rowLines.replaceChildren(...reading.columns.map((_, column) => line(
      () => reading.quantityAtStep(now - 1, column), () => sayAtStep(trace, reading, now - 1, column))));
    columnLines.replaceChildren(...reading.chips.map((_, chip) => lineOfRow(() => reading.rowOfChip(chip), () => pinned)));
    const cells = Array.from({ length: reading.weights.rows }, (_, row) =>
      where(Array.from(reading.weights.row(row)), (weight) => weight >= GHOST).map((column) => ({ row, column }))).flat();
    earlier = cells.map(({ row, column }) => ({ row, column, path: lineOfRow(() => row, () => column) }));
    ghosts.replaceChildren(...earlier.map(({ path }) => path));
    if (act.weighable && !reading.posterior) rowLines.childNodes.forEach((path, column) => hold(path, () => column));
  }

  const current = () => (now > 0 ? reading.rowOf[now - 1] : -1);

  const lineOfRow = (row, column) => line(
    () => reading.quantity(row(), column()), () => act.say(reading, row(), column()));

  function line(quantity, say) {
    const path = drawing("path", { hidden: "hidden" });
    path.addEventListener("click", () => {
      if (!ended) act.inspect(quantity());
      ended = false;
    });
    act.describe(path, () => !drag && say());
    return path;
  }

  function mark(step, newPinned) {
    [now, pinned] = [step, newPinned];
  }

  function draw() {
    const row = current();
    const weights = row < 0 ? [] : draftedStep(reading, now - 1, act.draft);
    rowLines.childNodes.forEach((path, column) => drawLine(path, row, column, weights[column] ?? 0));
    columnLines.childNodes.forEach((path, chip) => {
      const other = reading.rowOfChip(chip);
      const there = pinned !== null && now > 0 && other >= 0 && other <= row && other < reading.weights.rows;
      drawLine(path, other, pinned, there ? reading.weights.at(other, pinned) : 0);
    });
    for (const { row: other, column, path } of earlier) {
      drawLine(path, other, column, other < row && pinned === null ? reading.weights.at(other, column) : 0, 4);
    }
    heaviest = weights.indexOf(Math.max(...weights));
    const held = row >= 0 && (drag !== null || weights[heaviest] > 0); // a head that is switched off has no line
    if (act.weighable && !reading.posterior && held && pinned === null) grip.place(at.source(drag ? drag.nearest : heaviest), drag?.x);
    else grip.hide();
  }

  function drawLine(path, row, column, weight, thickest = 9) {
    path.toggleAttribute("hidden", weight < FAINTEST);
    if (weight < FAINTEST) return;
    path.setAttribute("d", curve(at.target(reading.chipOfRow(row)), at.source(column)));
    path.setAttribute("stroke-width", 1 + thickest * weight);
    path.setAttribute("stroke-opacity", 0.3 + 0.7 * weight);
  }

  // A press on `handle` that moves leads the line of a column elsewhere.
  function hold(handle, column) {
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || now < 1) return;
      handle.setPointerCapture(event.pointerId);
      drag = { column: column(), nearest: column(), from: event.clientX, x: null, own: act.draft.base() };
      ended = false;
    });
    handle.addEventListener("pointermove", (event) => {
      if (!drag || (drag.x === null && Math.abs(event.clientX - drag.from) < STARTS)) return;
      node.classList.add("held");
      grip.quiet();
      lead(event.clientX - node.getBoundingClientRect().left);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      handle.addEventListener(end, () => {
        node.classList.remove("held");
        ended = drag !== null && drag.x !== null;
        drag = null;
        if (ended) act.draft.settle();
        draw();
      });
    }
  }
  hold(grip.node, () => heaviest);

  function lead(x) {
    const open = act.draft.open();
    const tokens = (column) => positionsOf(reading, column).filter((i) => open[i]);
    const columns = where(reading.columns, () => true).filter((column) => tokens(column).length);
    const past = columns.findIndex((column) => at.source(column).x > x);
    const right = columns.at(past < 0 ? -1 : past);
    const left = columns.at(past < 0 ? -1 : Math.max(0, past - 1));
    const [from, to] = [at.source(left).x, at.source(right).x];
    const exactly = left === right ? 1 : (x - from) / (to - from);
    const share = exactly < SNAPS ? 0 : exactly > 1 - SNAPS ? 1 : exactly;
    const row = Array.from(drag.own);
    const carried = total(positionsOf(reading, drag.column).map((i) => row[i]));
    for (const i of positionsOf(reading, drag.column)) row[i] = 0;
    for (const [column, part] of left === right ? [[left, 1]] : [[left, 1 - share], [right, share]]) {
      for (const i of tokens(column)) row[i] += (carried * part) / tokens(column).length;
    }
    drag.x = Math.min(Math.max(x, at.source(columns[0]).x), at.source(columns.at(-1)).x);
    drag.nearest = share < 0.5 ? left : right;
    act.draft.put(row);
  }

  return { node, arrange, mark, draw, beckon: grip.beckon };
}

// From a target chip up to a source chip; it stays between the two rows.
export function curve(from, to) {
  const bend = (from.y - to.y) / 2;
  return `M${from.x} ${from.y}C${from.x} ${from.y - bend} ${to.x} ${to.y + bend} ${to.x} ${to.y}`;
}

// What the heaviest line can be taken by, at its upper end; the keyboard has the sliders of the weights.
function gripView() {
  const label = drawing("text", { x: 16, y: 5 });
  label.textContent = "drag me";
  const node = drawing("g", { class: "line-grip", hidden: "hidden", "data-testid": "line-grip" },
    drawing("circle", { class: "reach", r: 14 }), drawing("circle", { class: "knob", r: 6 }), label);
  function place({ x, y }, dragged) {
    node.removeAttribute("hidden");
    node.setAttribute("transform", `translate(${dragged ?? x} ${y + 7})`);
  }
  const hide = () => node.setAttribute("hidden", "hidden");
  const beckon = () => node.classList.add("beckoning");
  const quiet = () => node.classList.remove("beckoning");
  return { node, place, hide, beckon, quiet };
}
