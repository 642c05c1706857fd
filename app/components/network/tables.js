// Tables: the numbers of each phase for a screen reader; the drawing itself is hidden from it.

import { element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";

const numbered = (values) => Array.from(values, (value) => twoDecimals(value)).join(" ");

// A figure for each of these phases, named by its sentence. `say(phase)` gives its text.
export function tablesOf(trace, phases, { step, weights, annotation, blend, attentional }, say) {
  if (step < 1) return [];
  const t = step - 1;
  const { tokens } = trace.source;
  const rows = {
    read: [["token", trace.look ? "value" : "annotation"], ...tokens.map((label, i) => [label.text, numbered(annotation.row(i))])],
    ask: [["token", "score"], ...(trace.attends ? tokens.map((label, i) => [label.text, twoDecimals(trace.score.at(t, i))]) : [])],
    weigh: [["token", "weight"], ...tokens.map((label, i) => [label.text, percent(weights[i])])],
    mix: [["vector", trace.look ? "components" : "fingerprint"], [trace.look ? "mixed" : "context", numbered(blend)]],
    write: [["token", "probability"], ...(attentional ? [["attentional vector", numbered(attentional.row(t))]] : []),
      ...(trace.atOnce ? [] : trace.top_labels[t]).slice(0, 5).map((label, rank) => [label.text, percent(trace.top_probability.at(t, rank))])],
  };
  return phases.map((phase) => element("figure", { "aria-label": `${phase}: ${say(phase)}`, "data-figure": phase }, tableOf(rows[phase])));
}

const tableOf = ([head, ...rows]) => element("table", {},
  element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
  element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
