// Head: the heading of a column when several are side by side.

import { element } from "./elements.js";
import { exact, twoDecimals } from "./numbers.js";

export function headView(trace, act) {
  const { head } = trace;
  const whole = { trace: trace.index, kind: "total_log_probability" };
  const logarithm = act.number(twoDecimals(head.log_probability), whole);
  act.describe(logarithm, () => `log-probability ${exact(head.log_probability)}`);
  const facts = [["log-probability", logarithm], ...head.facts].map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element("header", { class: "model", "data-testid": "model" },
    element("h2", {}, head.title),
    ...(head.formula ? [element("p", { class: "formula" }, ...mathematics(head.formula))] : []),
    element("p", { class: "written", lang: trace.target.language, "data-testid": "written" },
      ...head.pieces.map(pieceOf)),
    element("dl", { class: "facts" }, ...facts));
}

// Marks words that the first column lacks; a caret stands for words that only the first column has.
export function pieceOf({ text, kind }) {
  if (kind === "same") return text;
  if (kind === "other") return element("mark", {}, text);
  const told = `left out: ${text}`;
  return element("span", { class: "missing", role: "img", title: told, "aria-label": told }, "‸");
}

// A formula: _ puts a character, or those in braces, below the line and ^ above it; letters are italic, names of functions
// are not.
export function mathematics(formula) {
  return formula.split(/([_^]\{[^}]*\}|[_^].)/).flatMap((part) => /^[_^]/.test(part)
    ? [element(part[0] === "_" ? "sub" : "sup", {}, ...letters(part.replace(/[_^{}]/g, "")))]
    : letters(part));
}

function letters(text) {
  return text.split(/([A-Za-z]+)/).filter(Boolean)
    .map((part) => (/^[A-Za-z]{1,2}$/.test(part) ? element("i", {}, part) : part));
}
