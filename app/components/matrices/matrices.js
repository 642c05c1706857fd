// Matrices: one step of a worked example. An entry of the result is chosen by a click or by the arrow keys; the one
// under the pointer is shown for as long as it is there. Its sum is written out, in a place high enough for the longest
// sum of the step.

import { element, inRowsOf, mathematics, refresh, rove } from "../shared/elements.js";
import { component } from "../shared/mounting.js";

export default component((parent, given) => {
  const root = element("section", { class: "matrices" });
  let data, chosen, shown; // places, as [row, column]

  const entryAt = ([row, column]) => data.result.entries[row]?.[column];
  const cells = () => [...root.querySelectorAll("button")];
  const focus = ([row, column]) => root.querySelector(`[data-row="${row}"][data-column="${column}"]`).focus();
  const placeOf = (event) => {
    const cell = event.composedPath()[0].closest?.("[data-testid=entry]");
    return cell && [Number(cell.dataset.row), Number(cell.dataset.column)];
  };

  function show(place) {
    shown = place;
    refresh(root);
  }

  function choose(place) {
    chosen = place;
    show(place);
  }

  function operandCell(operand, row, column) {
    const lit = () => entryAt(shown).lit.some((cell) => String(cell) === String([operand, row, column])) && String(operand);
    return element("td", { class: "cell", "data-lit": lit }, element("span", {}, data.operands[operand].cells[row][column]));
  }

  function resultCell(row, column) {
    const entry = data.result.entries[row][column];
    const text = data.result.cells[row][column];
    const isAt = (place) => String(place) === String([row, column]);
    return element("td", { class: "cell" }, element("button", {
      type: "button", "data-testid": "entry", "data-row": String(row), "data-column": String(column), title: entry.full,
      classes: { shown: () => isAt(shown) }, tabindex: () => (isAt(chosen) ? "0" : "-1"), "aria-pressed": () => String(isAt(chosen)),
      "aria-label": `${data.result.called} ${entry.where}: ${text}${entry.difference ? `, ${entry.difference}` : ""}`,
    }, text));
  }

  // A number that the document prints; a wrong one is crossed out and labelled, and one that only carries a mistake on is
  // paler.
  function printedCell(row, column) {
    const [text, isWrong, isCarried] = ["cells", "wrong", "carried"].map((each) => data.printed[each][row][column]);
    const [kind, title] = isCarried ? ["wrong carried", "right, but from numbers that were wrong"] : ["wrong", "a new mistake"];
    const number = isWrong ? element("s", { class: kind, title }, text, element("span", { class: "unseen" }, ` (${title})`))
      : element("span", {}, text);
    return element("td", { class: "cell", classes: { here: () => String(shown) === String([row, column]) } }, number);
  }

  function build() {
    const named = [...data.operands, data.result].some((matrix) => matrix.columns.length);
    const operands = data.operands.flatMap((matrix, operand) => [
      ...(matrix.sign ? [element("span", { class: "sign" }, matrix.sign)] : []),
      drawn(matrix, (row, column) => operandCell(operand, row, column), named),
    ]);
    const compared = Boolean(data.printed.cells);
    const printed = { ...data.result, called: `${data.result.called} as printed` };
    const result = [
      drawn(data.result, resultCell, named, compared ? "as computed" : ""),
      ...(compared ? [element("div", { class: "printed" }, drawn(printed, printedCell, named, "as printed"))] : []),
    ];
    root.replaceChildren(
      element("div", { class: named ? "box named" : "box" }, element("div", { class: "made" }, ...operands),
        element("div", { class: "made" }, element("span", { class: "sign" }, "="), ...result)),
      opened(), ...(data.remark ? [element("p", { class: "remark" }, data.remark)] : []));
  }

  // The entry shown: its place, its sum, and an unseen one below it that is as long as the longest.
  function opened() {
    const entries = data.result.entries.flat();
    const longest = entries.reduce((one, other) => (other.sum.length > one.sum.length ? other : one));
    const verdict = ({ difference }) =>
      (difference ? [" ", element("span", { class: "verdict", "data-testid": "verdict" }, difference)] : []);
    return element("div", { class: entries.some((entry) => entry.difference) ? "opened compared" : "opened" },
      element("p", { class: "place" }, () =>
        [element("b", {}, ...mathematics(data.result.symbol)), ` ${entryAt(shown).where}`, ...verdict(entryAt(shown))]),
      element("div", { class: "stack" },
        element("p", { class: "sum", "data-testid": "sum" }, () => written(entryAt(shown).sum)),
        element("p", { class: "sum reserve", "aria-hidden": "true" }, ...written(longest.sum))));
  }

  // The chosen entry stays chosen while it exists; another step opens with its own entry.
  function update(next) {
    const same = data?.name === next.name;
    const focused = root.contains(root.getRootNode().activeElement);
    data = next;
    if (!same || !entryAt(chosen)) chosen = data.open;
    build();
    choose(chosen);
    if (focused) focus(chosen);
  }

  root.addEventListener("click", (event) => {
    const place = placeOf(event);
    if (!place) return;
    choose(place);
    focus(place); // not every browser focuses a button that is clicked
  });
  root.addEventListener("focusin", (event) => choose(placeOf(event) ?? chosen));
  root.addEventListener("pointerover", (event) => show(placeOf(event) ?? chosen));
  root.addEventListener("pointerleave", () => show(chosen));
  rove(root, cells, () => inRowsOf(data.result.cells[0].length));
  parent.append(root);
  update(given);
  return { update, destroy: () => root.remove() };
});

// A matrix in brackets under its symbol and its shape, with the names of its rows and columns. `named` keeps room for
// names above the columns.
function drawn(matrix, cellOf, named, caption = "") {
  const name = (scope, text) => element("th", { scope }, element("span", {}, text));
  const rows = matrix.cells.map((cells, row) => element("tr", {},
    ...(matrix.rows.length ? [name("row", matrix.rows[row])] : []), ...cells.map((_, column) => cellOf(row, column))));
  const corner = matrix.rows.length ? [element("td", {})] : [];
  const heads = matrix.columns.map((text) => name("col", text));
  const title = element("p", { class: "title" }, element("b", {}, ...mathematics(matrix.symbol)),
    element("small", {}, caption || matrix.shape));
  return element("div", { class: named && !heads.length ? "matrix unnamed" : "matrix" }, title,
    element("table", { "aria-label": `${matrix.called}, ${matrix.shape}` },
      ...(heads.length ? [element("thead", {}, element("tr", {}, ...corner, ...heads))] : []),
      element("tbody", {}, ...rows)));
}

// A sum as text; what stands in ^( ) is raised.
function written(sum) {
  return sum.split(/\^\(([^)]*)\)/).map((text, place) => (place % 2 ? element("sup", {}, text) : text));
}
