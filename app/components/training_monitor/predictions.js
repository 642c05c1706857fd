// Predictions: held-out sequences, what they should become, and what the network writes at a moment.

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
    element("p", { class: "title" }, "Predictions", element("small", {}, "on held-out sequences"), count),
    element("table", {},
      element("thead", {}, element("tr", {}, named("col", "read"), named("col", "wanted, written"), named("col", "wrong"))),
      element("tbody", {}, ...rows.map((row) => row.node))));
  const all = run.examples.flatMap(({ source, wanted }) => [source, wanted]);
  node.style.setProperty("--longest", Math.max(...all.map((list) => list.length)) + 1); // and one superfluous number
  node.style.setProperty("--widest", Math.max(...all.flat().map((symbol) => symbol.length)));

  function show(look) {
    const places = rows.map((row, place) => (look ? placesOf(row.wanted, look[WRITTEN][place]) : []));
    const wrong = places.map((each) => look && faultsOf(each));
    rows.forEach((row, place) => {
      row.written.replaceChildren(...places[place].map(placeNode));
      row.verdict.textContent = look ? `${wrong[place] ? "✗" : "✓"} ${wrong[place]}` : "";
      row.node.classList.toggle("right", wrong[place] === 0);
    });
    count.textContent = look ? `${wrong.filter((faulty) => !faulty).length} of ${rows.length} right` : "";
  }
  return { node, show };
}

const NUMBER = /^[0-9]+$/;
const symbols = (list) => list.map((symbol) => element("span", { class: "symbol" }, symbol));

// The output under the wanted output, place by place: its text, its number of faults, and their description. Missing
// and superfluous numbers count; several superfluous ones are given as a count at the end.
export function placesOf(wanted, written) {
  const places = wanted.map((symbol, i) => (i < written.length
    ? { text: written[i], faults: Number(written[i] !== symbol), title: "" } : { text: "·", faults: 1, title: "missing" }));
  const more = written.slice(wanted.length);
  if (more.length === 1) places.push({ text: more[0], faults: 1, title: "too much" });
  if (more.length > 1) places.push({ text: `+${more.length}`, faults: more.length, title: `${more.length} too many` });
  return places;
}

export const faultsOf = (places) => places.reduce((sum, { faults }) => sum + faults, 0);

function placeNode({ text, faults, title }) {
  if (title === "missing") return element("span", { class: "symbol missing", title }, text);
  return element(faults ? "mark" : "span", { class: NUMBER.test(text) ? "symbol" : "symbol other", title }, text);
}
