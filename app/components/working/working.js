// The working of a number as a table: every term with its factors, their sum, and the result, in line at the decimal point.

import { button, element } from "../shared/elements.js";
import { POWERS, factorsAsWritten, final, placesOf, written } from "./digits.js";

const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].entries()) };
const ENDS = {
  mean: ({ total, constant }) => `${total} / ${constant} =`,
  root: ({ total, constant }) => `√(${total} / ${constant}) =`,
  tanh: ({ total }) => `tanh(${total}) =`,
  relu: ({ total }) => `max(0, ${total}) =`,
  sigmoid: ({ total }) => `σ(${total}) =`,
  share: ({ first, total }) => `${first} / ${total} =`,
  log: ({ total, greatest }) => `${greatest} + log ${total} =`,
};

// A number as text, such as −1.25 · 10⁻⁷ for -1.25e-7.
export function powersOfTen(number) {
  const [mantissa, power] = number.replace(/^-/, "−").split("e");
  return power === undefined ? mantissa : `${mantissa} · 10${[...String(Number(power))].map((digit) => RAISED[digit]).join("")}`;
}

// The table of a working, which has at least one term. With `opens`, the names of terms are buttons that open what each
// factor is.
export function workingView(working, opens = /** @type {any} */ (null)) {
  const { ending, terms, more, rest, total, constant } = working;
  const places = placesOf(working);
  const at = (n) => (n ? places.terms : places.first);
  const rows = terms.map((term, n) => ({
    made: madeOf(factorsAsWritten(term, working, at(n)), working.form), value: written(term.value, at(n)), label: namesOf(term, opens),
  }));
  if (more) rows.push({ made: ["…"], value: written(rest, places.terms), label: [`${more.toLocaleString("en")} more`] });
  const sum = written(total, places.total);
  const result = final(working.redone);
  if (ending === "sum") rows.push({ made: [], value: result, label: [], kind: terms.length > 1 ? "sum result" : "result" });
  else {
    const [first, greatest] = [written(terms[0].value, places.first), written(constant, places.total)].map(powersOfTen);
    const made = ENDS[ending]({ total: powersOfTen(sum), first, greatest, constant: constant.toFixed(0) });
    rows.push({ made: [], value: sum, label: ["sum"], kind: "sum" }, { made: [made], value: result, label: [], kind: "result" });
  }
  const widest = Math.max(...rows.map(({ value }) => decimals(value)));
  return element("table", { class: "working" }, element("tbody", {}, ...rows.map((row) => rowOf(row, widest))));
}

const decimals = (value) => (value.includes("e") ? 0 : (value.split(".")[1] ?? "").length);

// Unseen zeros fill a value up to the digits of the longest, so that all points are in line.
function rowOf({ made, value, label, kind = "" }, widest) {
  const pad = value.includes("e") ? 0 : widest - decimals(value);
  return element("tr", { class: kind },
    element("td", { class: "made" }, ...made),
    element("td", { class: "figure" }, powersOfTen(value), ...(pad ? [element("span", { class: "pad", "aria-hidden": "true" }, "0".repeat(pad))] : [])),
    element("td", {}, ...label));
}

function namesOf({ label, opens: leads }, opens) {
  if (!opens || !leads.length) return [label];
  return leads.flatMap((quantity, i) =>
    [button({ class: "number" }, () => opens(quantity), leads.length > 1 ? `${label} ${"①②③"[i]}` : label), " "]);
}

function madeOf(made, form) {
  if (!made) return [];
  const factors = made.factors.map(powersOfTen);
  if (POWERS.includes(form)) {
    const greatest = powersOfTen(made.greatest);
    return ["e", element("sup", {}, `${factors[0]} − ${greatest.startsWith("−") ? `(${greatest})` : greatest}`), " ="];
  }
  if (form === "state/lstm") return [`${factors[0]} · tanh(${factors[1]}) =`];
  return [`${factors.map((factor, n) => (n && factor.startsWith("−") ? `(${factor})` : factor)).join(" · ")} =`];
}
