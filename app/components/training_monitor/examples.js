// Examples at a moment of the run: the weights with which the first was read, a row for each number written, and all
// held-out sequences with what they should become and what the network writes.

import { element, heading, inRowsOf, refresh, rove } from "../shared/elements.js";
import { percent, weightColours } from "../shared/numbers.js";

const [WEIGHTS, WRITTEN, FOUND] = [1, 2, 3]; // indexes in a look, after its update
export const FEW_COLUMNS = 9; // cells have numbers up to this many columns
const SOME_COLUMNS = 13; // and up to this many on a wide screen
const END = "end";
const MEAN = "percent, mean of the last layer’s heads";

export function attentionView(run, describe) {
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

  describe(table, (event) => {
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

export function predictionsView(run) {
  let look = null;
  const places = (row) => (look ? placesOf(run.examples[row].wanted, look[WRITTEN][row]) : []);
  const isRight = (row) => Boolean(look) && !faultsOf(places(row));
  const verdict = (row) => (look ? `${isRight(row) ? "✓" : "✗"} ${faultsOf(places(row))}` : "");
  const rows = run.examples.map(({ source, wanted }, row) => element("tr", { classes: { right: () => isRight(row) } },
    element("th", { scope: "row" }, element("div", { class: "read" }, ...symbols(source))),
    element("td", {}, element("div", { class: "wanted" }, ...symbols(wanted)),
      element("div", { class: "written", "data-testid": "written" }, () => places(row).map(placeNode))),
    element("td", { class: "verdict", "data-testid": "verdict" }, () => verdict(row))));
  const right = () => (look ? `${rows.filter((_, row) => isRight(row)).length} of ${rows.length} right` : "");
  const named = (text) => element("th", { scope: "col" }, text);
  const node = element("section", { class: "predictions" },
    element("p", { class: "title" }, "Predictions", element("small", {}, "on held-out sequences"),
      element("span", { class: "values", "data-testid": "right" }, right)),
    element("table", {},
      element("thead", {}, element("tr", {}, named("read"), named("wanted, written"), named("wrong"))),
      element("tbody", {}, ...rows)));
  const all = run.examples.flatMap(({ source, wanted }) => [source, wanted]);
  node.style.setProperty("--longest", Math.max(...all.map((list) => list.length)) + 1); // and one superfluous number
  node.style.setProperty("--widest", Math.max(...all.flat().map((symbol) => symbol.length)));

  function show(newLook) {
    look = newLook;
    refresh(node);
  }
  return { node, show };
}

const symbols = (list) => list.map((symbol) => element("span", { class: "symbol" }, symbol));

// The output under the wanted output, place by place: its text, its number of faults, and their description. Missing
// and superfluous numbers count; the latter are given as a count at the end.
export function placesOf(wanted, written) {
  const places = wanted.map((symbol, i) => (i < written.length
    ? { text: written[i], faults: Number(written[i] !== symbol), title: "" } : { text: "·", faults: 1, title: "missing" }));
  const more = written.length - wanted.length;
  if (more > 0) places.push({ text: `+${more}`, faults: more, title: `${more} too many` });
  return places;
}

export const faultsOf = (places) => places.reduce((sum, { faults }) => sum + faults, 0);

function placeNode({ text, faults, title }) {
  if (title === "missing") return element("span", { class: "symbol missing", title }, text);
  return element(faults ? "mark" : "span", { class: "symbol", title }, text);
}
