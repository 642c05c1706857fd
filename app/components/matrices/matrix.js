// Matrix: a matrix in brackets under its symbol and its shape, with the names of its rows and columns.

import { element } from "../shared/elements.js";

// Pieces of a symbol: letters in italics, words upright, below or above the line.
export function symbol(pieces) {
  const tag = { sub: "sub", sup: "sup", word: "span" };
  return pieces.map(([text, kind]) => element(tag[kind] ?? "i", {}, text));
}

// `cellOf(row, column)` makes the contents of a cell. `named` keeps room for names above the columns.
export function drawn(matrix, cellOf, named, caption = "") {
  const rows = matrix.cells.map((cells, row) => {
    const head = matrix.rows.length ? [element("th", { scope: "row" }, element("span", {}, matrix.rows[row]))] : [];
    return element("tr", {}, ...head, ...cells.map((_, column) => element("td", { class: "cell" }, cellOf(row, column))));
  });
  const corner = matrix.rows.length ? [element("td", {})] : [];
  const heads = matrix.columns.map((name) => element("th", { scope: "col" }, element("span", {}, name)));
  const table = element("table", { "aria-label": `${matrix.called}, ${matrix.shape}` },
    ...(heads.length ? [element("thead", {}, element("tr", {}, ...corner, ...heads))] : []),
    element("tbody", {}, ...rows));
  const title = element("p", { class: "title" }, element("b", {}, ...symbol(matrix.symbol)),
    element("small", {}, caption || matrix.shape));
  return element("div", { class: named && !heads.length ? "matrix unnamed" : "matrix" }, title, table);
}

export function number(text) {
  return element("span", {}, text);
}

// A number that the document prints; a wrong one is crossed out and labelled.
export function printedNumber(text, isWrong) {
  if (!isWrong) return element("span", { class: "right" }, text);
  return element("s", { class: "wrong", title: "printed wrong" }, text, element("span", { class: "unseen" }, " (wrong)"));
}
