// The grid on which links are drawn. A cell cycles through no link, sure, possible; all marks are sent as text.

import { element, inRowsOf, rove, tabStop } from "../shared/elements.js";
import { component } from "../shared/mounting.js";
import { percent, weightColours } from "../shared/numbers.js";

const NEXT = { "": "-", "-": "p", p: "" };
const MEANS = { "": "no link", "-": "sure link", p: "possible link" };
const placeOf = ({ dataset }) => `${dataset.column} ${dataset.row}`;

function grid(parent, data, send) {
  const box = element("div", { class: "box" });
  const said = element("output", { class: "unseen", "aria-live": "polite" });
  const root = element("section", { class: "marking" }, box, said);
  let shown, marks, cells, number = 0; // `marks` are signs, "-" or "p", by "source target"

  function written() {
    const places = [...marks].map(([place, sign]) => [...place.split(" ").map(Number), sign]);
    places.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    return places.map(([source, target, sign]) => `${source}${sign}${target}`).join(" ");
  }

  // "J' – I: sure link, the model's weight 93.1%, its link"
  function draw(cell) {
    const { row, column, proposed } = cell.dataset;
    const weight = shown.weights[row]?.[column];
    const model = weight === undefined ? "" : `, the model's weight ${percent(weight)}${proposed ? ", its link" : ""}`;
    cell.dataset.mark = marks.get(placeOf(cell)) ?? "";
    cell.title = `${shown.target[row]} – ${shown.source[column]}: ${MEANS[cell.dataset.mark]}${model}`;
    cell.setAttribute("aria-label", cell.title);
  }

  function turn(cell) {
    marks.set(placeOf(cell), NEXT[cell.dataset.mark]);
    if (!marks.get(placeOf(cell))) marks.delete(placeOf(cell));
    draw(cell);
    said.textContent = cell.title;
    number += 1;
    send("drawn", { text: written(), number });
  }

  function cellOf(row, column) {
    const weight = shown.weights[row]?.[column];
    const cell = element("td", { role: "gridcell", tabindex: "-1", "data-testid": "mark-cell", "data-row": String(row), "data-column": String(column) });
    if (weight !== undefined) cell.style.setProperty("--fill", weightColours(weight).fill);
    if (shown.proposed.some(([source, target]) => source === column && target === row)) cell.dataset.proposed = "1";
    draw(cell);
    return cell;
  }

  // Names carry their number, from 0, as in the notation.
  const header = (words, index, language, scope) => element("th", { scope, class: scope },
    element("span", {}, element("small", {}, String(index)), element("bdi", { lang: language }, words[index])));

  // The server's marks apply unless a later drawing is still on its way there.
  function update(given) {
    const focused = root.getRootNode().activeElement?.dataset ?? {};
    const other = !shown || String([shown.source, shown.target]) !== String([given.source, given.target]);
    shown = given;
    if (other || given.answered >= number) {
      number = Math.max(number, given.answered);
      const links = given.marks.split(/\s+/).map((item) => /^(\d+)([-p])(\d+)$/.exec(item)).filter(Boolean);
      marks = new Map(links.map(([, source, sign, target]) => [`${source} ${target}`, sign]));
    }
    const { source, target, languages } = shown;
    cells = target.map((_, row) => source.map((_, column) => cellOf(row, column)));
    const names = source.map((_, column) => header(source, column, languages[0], "col"));
    const rows = cells.map((row, index) => element("tr", {}, header(target, index, languages[1], "row"), ...row));
    box.replaceChildren(element("table", { role: "grid", class: shown.weights.length ? "seen" : "", "aria-label": "Links between words, a row for each target word" },
      element("thead", {}, element("tr", {}, element("td", {}), ...names)), element("tbody", {}, ...rows)));
    const stop = cells[focused.row ?? 0]?.[focused.column ?? 0] ?? cells[0]?.[0];
    tabStop(null, stop);
    if (focused.row) stop?.focus();
  }

  const target = (event) => event.composedPath()[0].closest?.("[data-testid=mark-cell]");
  box.addEventListener("click", (event) => {
    const cell = target(event);
    if (!cell) return;
    tabStop(box.querySelector("td[tabindex='0']"), cell);
    cell.focus();
    turn(cell);
  });
  box.addEventListener("keydown", (event) => {
    const cell = target(event);
    if (!cell || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    turn(cell);
  });
  rove(box, () => cells.flat(), () => inRowsOf(shown.source.length));
  update(data);
  parent.append(root);
  return { update, destroy: () => root.remove() };
}

export default component(grid, { keeps: true });
