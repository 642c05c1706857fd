// Bar frame: the bars of a step in two columns, beside the names of the source tokens. They always show tokens, however
// the rest is read.

import { button, element, rove, scroller, upAndDown } from "../shared/elements.js";

// `headings` are one node for each column of the grid, `notes` stand below it. The box keeps `around` rows in sight
// on either side of the row that it follows.
export function barFrame(trace, { kind = "", headings, notes, around = 0 }) {
  const grid = element("div", { class: `bars ${kind}` });
  const box = element("div", { class: "bars-box" }, grid);
  const node = element("section", {}, element("div", { class: `bars-head ${kind}` }, ...headings), box, ...notes);
  const sight = scroller(box, around);
  let reading, names;
  let columns = /** @type {any[][]} */ ([[], []]);
  for (const column of [0, 1]) rove(grid, () => columns[column].map((bar) => bar.press), upAndDown);

  // Draws the bars of both columns, a bar for each token; returns the names.
  function arrange(newReading, ...newColumns) {
    [reading, columns] = [newReading, newColumns];
    names = trace.source.tokens.map((label) => element("span", { class: "name" }, trace.sourceToken(label)));
    const cells = [names, ...columns.map((bars) => bars.map((bar) => bar.node))];
    for (const [column, nodes] of cells.entries()) {
      for (const [row, cell] of nodes.entries()) cell.style.gridArea = `${row + 1} / ${column + 1}`;
    }
    grid.replaceChildren(...cells.flat());
    return names;
  }

  // `t` is −1 before the first step, when the bars are empty.
  function show(t, pinned) {
    grid.classList.toggle("blank", t < 0);
    names.forEach((name, i) => name.classList.toggle("pinned", reading.columnOf[i] === pinned));
  }
  return { node, arrange, show, follow: (row) => sight.follow([row, names.length]), resize: () => sight.measure() };
}

// A bar that is a button: a press opens its arithmetic.
export function pressable(kind, name, data, inspect, first) {
  const figure = element("span", { class: "figure" });
  const bar = element("span", { class: "fill" });
  const node = button({ class: `bar ${kind}`, tabindex: first ? 0 : -1, ...data }, inspect,
    element("span", { class: "unseen" }, name), figure, element("span", { class: "track" }, bar));
  return { node, press: node, figure, bar };
}

// Gives a bar its value, the value's text and the bar's length as a share of its track.
export function write(bar, value, text, length = value) {
  if (bar.figure.textContent !== text) bar.figure.textContent = text;
  bar.node.dataset.value = String(value);
  if (bar.bar) bar.bar.style.transform = `scaleX(${length})`;
}
