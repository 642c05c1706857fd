// The grid on which links are drawn. A cell cycles through no link, sure, possible; all marks are sent as text.

import { element, inRowsOf, rove, tabStop } from "../shared/elements.js";
import { component } from "../shared/mounting.js";
import { percent, weightColours } from "../shared/numbers.js";

const NEXT = { "": "-", "-": "p", p: "" };
const MEANS = { "": "no link", "-": "sure link", p: "possible link" };

function grid(parent, data, send) {
  const box = element("div", { class: "box" });
  const said = element("output", { class: "unseen", "aria-live": "polite" });
  const root = element("section", { class: "marking" }, box, said);
  let shown, marks, cells, number = 0;

  // Marks by "source target"; a sign is "-" or "p".
  function read(text) {
    const links = text.split(/\s+/).map((item) => /^(\d+)([-p])(\d+)$/.exec(item)).filter(Boolean);
    return new Map(links.map(([, source, sign, target]) => [`${source} ${target}`, sign]));
  }

  function written() {
    const places = [...marks].map(([place, sign]) => [...place.split(" ").map(Number), sign]);
    places.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    return places.map(([source, target, sign]) => `${source}${sign}${target}`).join(" ");
  }

  function sign(cell) {
    return marks.get(`${cell.dataset.column} ${cell.dataset.row}`) ?? "";
  }

  // "J' – I: sure link, the model's weight 93.1%, its link"
  function name(cell) {
    const { row, column, weight, proposed } = cell.dataset;
    const model = weight ? `, the model's weight ${percent(Number(weight))}${proposed ? ", its link" : ""}` : "";
    return `${shown.target[row]} – ${shown.source[column]}: ${MEANS[sign(cell)]}${model}`;
  }

  function draw(cell) {
    cell.dataset.mark = sign(cell);
    cell.setAttribute("aria-label", name(cell));
    cell.title = name(cell);
  }

  function turn(cell) {
    const place = `${cell.dataset.column} ${cell.dataset.row}`;
    const next = NEXT[sign(cell)];
    if (next) marks.set(place, next);
    else marks.delete(place);
    draw(cell);
    said.textContent = name(cell);
    number += 1;
    send("drawn", { text: written(), number });
  }

  function cellOf(row, column) {
    const weight = shown.weights[row]?.[column];
    const cell = element("td", {
      role: "gridcell", tabindex: "-1", "data-testid": "mark-cell", "data-row": String(row), "data-column": String(column),
      "data-weight": weight === undefined ? "" : String(weight),
    });
    if (weight === undefined) return cell;
    cell.style.setProperty("--fill", weightColours(weight).fill);
    if (shown.proposed.some(([source, target]) => source === column && target === row)) cell.dataset.proposed = "1";
    return cell;
  }

  // Names carry their number, from 0, as in the notation.
  function header(words, index, language, scope) {
    const word = element("bdi", { lang: language }, words[index]);
    return element("th", { scope, class: scope }, element("span", {}, element("small", {}, String(index)), word));
  }

  function build() {
    const focused = root.getRootNode().activeElement?.dataset ?? {};
    cells = shown.target.map((_, row) => shown.source.map((_, column) => cellOf(row, column)));
    const [source, target] = shown.languages;
    const head = shown.source.map((_, column) => header(shown.source, column, source, "col"));
    const rows = cells.map((row, index) => element("tr", {}, header(shown.target, index, target, "row"), ...row));
    const table = element("table", { role: "grid", "aria-label": "Links between words, a row for each target word" },
      element("thead", {}, element("tr", {}, element("td", {}), ...head)), element("tbody", {}, ...rows));
    table.classList.toggle("seen", shown.weights.length > 0);
    box.replaceChildren(table);
    cells.flat().forEach(draw);
    const { row = 0, column = 0 } = focused;
    const stop = cells[row]?.[column] ?? cells[0]?.[0];
    tabStop(null, stop);
    if (focused.row) stop?.focus();
  }

  // The server's marks apply unless a later drawing is still on its way there.
  function update(given) {
    const layout = ({ source, target, weights, proposed }) => JSON.stringify([source, target, weights, proposed]);
    const rebuild = !shown || layout(shown) !== layout(given);
    shown = given;
    if (rebuild || given.answered >= number) {
      number = Math.max(number, given.answered);
      marks = read(given.marks);
    }
    if (rebuild) build();
    else cells.flat().forEach(draw);
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
