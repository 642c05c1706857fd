// Tables: the numbers of each phase for a screen reader; the drawing itself is hidden from it.

import { element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";
import { kindsOf, rowsOf } from "./vectors.js";
import { candidates } from "./writing.js";

const numbered = (values) => Array.from(values, (value) => twoDecimals(value)).join(" ");

// A figure for each of these phases, named by its sentence. `say(phase)` gives its text.
export function tablesOf(trace, phases, { step, weights, blend }, say) {
  if (step < 1) return [];
  const t = step - 1;
  const { tokens } = trace.source;
  const { compared, into } = kindsOf(trace);
  const [all, last] = [rowsOf(trace, compared), trace.look ? trace.stream_after ?? trace.stream : rowsOf(trace, "attentional")];
  const likeliest = trace.atOnce ? [] : candidates(trace, t);
  const rows = {
    read: [["token", compared], ...tokens.map((label, i) => [label.text, numbered(all.row(i))])],
    ask: [["token", "score"], ...(trace.attends ? tokens.map((label, i) => [label.text, twoDecimals(trace.score.at(t, i))]) : [])],
    weigh: [["token", "weight"], ...tokens.map((label, i) => [label.text, percent(weights[i])])],
    mix: [["vector", trace.look ? "components" : "fingerprint"], [into, numbered(blend)]],
    write: [["token", "probability"], [trace.look ? "stream" : "attentional vector", numbered(last.row(t))],
      ...likeliest.map(({ label, probability }) => [label.text, percent(probability)])],
  };
  return phases.map((phase) => element("figure", { "aria-label": `${phase}: ${say(phase)}`, "data-figure": phase }, tableOf(rows[phase])));
}

const tableOf = ([head, ...rows]) => element("table", {},
  element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
  element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
