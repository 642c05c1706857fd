// Attention: the weights with which the fixed example was read at a moment of the run, a row for each number written.

import { element, heading, inRowsOf, rove } from "../shared/elements.js";
import { percent, weightColours } from "../shared/numbers.js";
import { FOUND, WEIGHTS } from "./records.js";

export const FEW_COLUMNS = 9; // cells have numbers up to this many columns
const SOME_COLUMNS = 13; // and up to this many on a wide screen
const END = "end";
const MEAN = "percent, mean of the last layer’s heads";

export function attentionView(run, act) {
  const [columns, rows] = [[...run.source, END], [...run.target, END]];
  const name = (text) => element("span", text === END ? { class: "end" } : {}, text);
  const cells = rows.map((_, row) => columns.map((_, column) => element("td", {
    role: "gridcell", tabindex: row || column ? "-1" : "0", "data-testid": "weight",
    "data-row": String(row), "data-column": String(column),
  })));
  const body = cells.map((row, i) => element("tr", {}, element("th", { scope: "row" }, name(rows[i])), ...row));
  const head = element("tr", {}, element("td", {}), ...columns.map((text) => element("th", { scope: "col" }, name(text))));
  const table = element("table", { role: "grid", "aria-label": "Weights of the example in percent" },
    element("thead", {}, head), element("tbody", {}, ...body));
  const size = columns.length <= FEW_COLUMNS ? "few" : columns.length <= SOME_COLUMNS ? "some" : "many";
  const found = element("p", { class: "note", "data-testid": "found" });
  const node = element("section", { class: `attention ${size}` },
    heading("Attention", run.heads ? MEAN : "percent, on a held-out sequence"),
    element("div", { class: "weights-box" }, table), found);
  node.style.setProperty("--columns", columns.length);
  let weights = null;

  act.describe(table, (event) => {
    const cell = event.composedPath()[0].closest("td[data-row]");
    if (!cell || !weights) return "";
    const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
    return `${rows[row]} (row ${row + 1}) looks at ${columns[column]} (column ${column + 1}): ${percent(weights[row][column])}`;
  });
  rove(table, () => cells.flat(), () => inRowsOf(columns.length));

  function show(look) {
    weights = look ? look[WEIGHTS] : null;
    cells.forEach((row, i) => row.forEach((cell, j) => {
      const weight = weights?.[i]?.[j];
      if (weight === undefined) return;
      const { fill, ink } = weightColours(weight);
      cell.style.background = fill;
      cell.style.color = ink;
      cell.textContent = (100 * weight).toFixed(1);
    }));
    table.classList.toggle("empty", !weights);
    found.textContent = told(look);
  }

  function told(look) {
    if (!run.attends) return "No attention: the decoder begins from the encoder's last states and looks at nothing.";
    return look ? `${percent(look[FOUND])} of the weight lies on the number to be written, over all rows but the last.` : "";
  }
  return { node, show };
}
