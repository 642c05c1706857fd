// Matrix: a matrix in brackets under its symbol and its shape, with the names of its rows and columns.

import { element, inRowsOf, mathematics, rove, tabStop } from "../shared/elements.js";
import { component } from "../shared/mounting.js";

// `cellOf(row, column)` makes the contents of a cell. `named` keeps room for names above the columns.
function drawn(matrix, cellOf, named, caption = "") {
  const rows = matrix.cells.map((cells, row) => {
    const head = matrix.rows.length ? [element("th", { scope: "row" }, element("span", {}, matrix.rows[row]))] : [];
    return element("tr", {}, ...head, ...cells.map((_, column) => element("td", { class: "cell" }, cellOf(row, column))));
  });
  const corner = matrix.rows.length ? [element("td", {})] : [];
  const heads = matrix.columns.map((name) => element("th", { scope: "col" }, element("span", {}, name)));
  const table = element("table", { "aria-label": `${matrix.called}, ${matrix.shape}` },
    ...(heads.length ? [element("thead", {}, element("tr", {}, ...corner, ...heads))] : []),
    element("tbody", {}, ...rows));
  const title = element("p", { class: "title" }, element("b", {}, ...mathematics(matrix.symbol)),
    element("small", {}, caption || matrix.shape));
  return element("div", { class: named && !heads.length ? "matrix unnamed" : "matrix" }, title, table);
}

function number(text) {
  return element("span", {}, text);
}

// A number that the document prints; a wrong one is crossed out and labelled, and one that only carries a mistake on is paler.
function printedNumber(text, isWrong, isCarried) {
  if (!isWrong) return element("span", { class: "right" }, text);
  const [kind, said] = isCarried ? ["wrong carried", "right, but from numbers that were wrong"] : ["wrong", "a new mistake"];
  return element("s", { class: kind, title: said }, text, element("span", { class: "unseen" }, ` (${said})`));
}

// Matrices: one step of a worked example. An entry of the result is chosen by a click or by the arrow keys; the one
// under the pointer is shown for as long as it is there. Its sum is written out, in a place high enough for the longest
// sum of the step.

function matrices(parent, given) {
  const root = element("section", { class: "matrices" });
  let data, chosen, opened, cells, operands, others;

  const entryAt = ({ row, column }) => data.result.entries[row]?.[column];
  const placeOf = (event) => {
    const cell = event.composedPath()[0].closest?.("[data-testid=entry]");
    return cell && { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
  };

  function cellsIn(block, kind) {
    return [...block.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll(kind)]);
  }

  function cellOf(row, column) {
    const entry = data.result.entries[row][column];
    const text = data.result.cells[row][column];
    return element("button", {
      type: "button", tabindex: "-1", "data-testid": "entry", "data-row": String(row), "data-column": String(column),
      "aria-label": `${data.result.called} ${entry.where}: ${text}${entry.difference ? `, ${entry.difference}` : ""}`, title: entry.full,
    }, text);
  }

  function show(place) {
    operands.flat(2).forEach((cell) => cell.removeAttribute("data-lit"));
    for (const [operand, row, column] of entryAt(place).lit) {
      operands[operand]?.[row]?.[column]?.setAttribute("data-lit", String(operand));
    }
    cells.flat().forEach((cell) => cell.classList.remove("shown"));
    cells[place.row][place.column].classList.add("shown");
    others.flat().forEach((cell) => cell.classList.remove("here"));
    others[place.row]?.[place.column].classList.add("here");
    opened.show(entryAt(place));
  }

  function choose(place) {
    const before = cells[chosen.row]?.[chosen.column];
    before?.setAttribute("aria-pressed", "false");
    chosen = place;
    const cell = cells[place.row][place.column];
    cell.setAttribute("aria-pressed", "true");
    tabStop(before, cell);
    show(place);
  }

  function build() {
    const named = [...data.operands, data.result].some((matrix) => matrix.columns.length);
    const blocks = data.operands.flatMap((matrix) => [
      ...(matrix.sign ? [element("span", { class: "sign" }, matrix.sign)] : []),
      drawn(matrix, (row, column) => number(matrix.cells[row][column]), named),
    ]);
    operands = blocks.filter((block) => block.classList.contains("matrix")).map((block) => cellsIn(block, ".cell"));
    const compared = Boolean(data.printed.cells);
    const result = drawn(data.result, cellOf, named, compared ? "as computed" : "");
    result.classList.add("result");
    cells = cellsIn(result, "button");
    const beside = compared ? [printed(named)] : [];
    others = beside.flatMap((block) => cellsIn(block, ".cell"));
    opened = openedView(data);
    const made = element("div", { class: "made" }, element("span", { class: "sign" }, "="), result, ...beside);
    const remark = data.remark ? [element("p", { class: "remark" }, data.remark)] : [];
    const box = element("div", { class: named ? "box named" : "box" }, element("div", { class: "made" }, ...blocks), made);
    root.replaceChildren(box, opened.node, ...remark);
  }

  function printed(named) {
    const matrix = { ...data.result, cells: data.printed.cells, called: `${data.result.called} as printed` };
    const block = drawn(matrix,
      (row, column) => printedNumber(...["cells", "wrong", "carried"].map((each) => data.printed[each][row][column])), named, "as printed");
    block.classList.add("printed");
    return block;
  }

  // The chosen entry stays chosen while it exists; another step opens with its own entry.
  function update(next) {
    const same = data?.name === next.name;
    const focused = root.getRootNode().activeElement?.dataset.testid === "entry"
      && root.contains(root.getRootNode().activeElement);
    data = next;
    const [row, column] = data.open;
    if (!same || !entryAt(chosen)) chosen = { row, column };
    build();
    cells.flat().forEach((cell) => cell.setAttribute("aria-pressed", "false"));
    choose(chosen);
    if (focused) cells[chosen.row][chosen.column].focus();
  }

  root.addEventListener("click", (event) => {
    const place = placeOf(event);
    if (!place) return;
    choose(place);
    cells[place.row][place.column].focus();
  });
  root.addEventListener("focusin", (event) => {
    const place = placeOf(event);
    if (place) choose(place);
  });
  root.addEventListener("pointerover", (event) => show(placeOf(event) ?? chosen));
  root.addEventListener("pointerleave", () => show(chosen));
  rove(root, () => cells.flat(), () => inRowsOf(cells[0].length));
  update(given);
  parent.append(root);
  return { update, destroy: () => root.remove() };
}

export default component(matrices);

// A sum as text; what stands in ^( ) is raised.
function written(sum) {
  return sum.split(/\^\(([^)]*)\)/).map((text, place) => (place % 2 ? element("sup", {}, text) : text));
}

function openedView(data) {
  const entries = data.result.entries.flat();
  const longest = entries.reduce((one, other) => (other.sum.length > one.sum.length ? other : one));
  const place = element("p", { class: "place" });
  const sum = element("p", { class: "sum", "data-testid": "sum" });
  const reserve = element("p", { class: "sum reserve", "aria-hidden": "true" }, ...written(longest.sum));
  const node = element("div", { class: entries.some((entry) => entry.difference) ? "opened compared" : "opened" }, place, element("div", { class: "stack" }, sum, reserve));

  function show(entry) {
    const name = element("b", {}, ...mathematics(data.result.symbol));
    place.replaceChildren(name, ` ${entry.where}`, ...(entry.difference ? [" ", verdict(entry.difference)] : []));
    sum.replaceChildren(...written(entry.sum));
  }
  return { node, show };
}

// "printed 0.22, computed 0.28"
function verdict(difference) {
  return element("span", { class: "verdict", "data-testid": "verdict" }, difference);
}
