// Predictions: sequences kept from training, what they should become, and what the network writes at a moment.

import { element } from "../shared/elements.js";
import { WRITTEN } from "./records.js";

export function predictionsView(run) {
  const rows = run.examples.map(({ source, wanted }) => {
    const written = element("div", { class: "written", "data-testid": "written" });
    const verdict = element("td", { class: "verdict", "data-testid": "verdict" });
    const node = element("tr", {},
      element("th", { scope: "row" }, element("div", { class: "read" }, ...symbols(source))),
      element("td", {}, element("div", { class: "wanted" }, ...symbols(wanted)), written), verdict);
    return { node, wanted, written, verdict };
  });
  const count = element("span", { class: "values", "data-testid": "right" });
  const named = (scope, text, attributes = {}) => element("th", { scope, ...attributes }, text);
  const node = element("section", { class: "predictions" },
    element("p", { class: "title" }, "Predictions", element("small", {}, "on sequences kept from training"), count),
    element("table", {},
      element("thead", {}, element("tr", {}, named("col", "read"), named("col", "wanted, written"), named("col", "wrong"))),
      element("tbody", {}, ...rows.map((row) => row.node))));
  const all = run.examples.flatMap(({ source, wanted }) => [source, wanted]);
  node.style.setProperty("--longest", Math.max(...all.map((list) => list.length)) + 1); // and one that is too much
  node.style.setProperty("--widest", Math.max(...all.flat().map((symbol) => symbol.length)));

  function show(look) {
    const wrong = rows.map((row, place) => look && faults(row.wanted, look[WRITTEN][place]));
    rows.forEach((row, place) => {
      row.written.replaceChildren(...(look ? compared(row.wanted, look[WRITTEN][place]) : []));
      row.verdict.textContent = look ? `${wrong[place] ? "✗" : "✓"} ${wrong[place]}` : "";
      row.node.classList.toggle("right", wrong[place] === 0);
    });
    count.textContent = look ? `${wrong.filter((faulty) => !faulty).length} of ${rows.length} right` : "";
  }
  return { node, show };
}

const symbols = (list) => list.map((symbol) => element("span", { class: "symbol" }, symbol));

// Place by place; what is missing counts, and so does what is too much.
function faults(wanted, written) {
  const places = Math.max(wanted.length, written.length);
  return Array.from({ length: places }, (_, i) => wanted[i] !== written[i]).filter(Boolean).length;
}

// What was written under what was wanted; of what is too much only the first is shown.
function compared(wanted, written) {
  const places = Math.max(wanted.length, Math.min(written.length, wanted.length + 1));
  return Array.from({ length: places }, (_, i) => {
    if (written[i] === undefined) return element("span", { class: "symbol missing", title: "missing" }, "·");
    return element(written[i] === wanted[i] ? "span" : "mark", { class: "symbol" }, written[i]);
  });
}
