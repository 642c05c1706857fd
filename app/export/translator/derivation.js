// Derivation: a number that was clicked, opened: its formula, the formula with its numbers, and the number made again.

import { button, element } from "../../components/shared/elements.js";
import { mathematics } from "../../components/shared/head.js";
import { exact } from "../../components/shared/numbers.js";
import { quiet } from "../../components/stepper/panel.js";

const CLOSE_ENOUGH = 1e-4; // float32 sums differ by their rounding

const signed = (value) => plainly(value).replace("-", "−");
const plainly = (value) => (value && Math.abs(value) < 1e-4 ? value.toExponential(3) : value.toFixed(6));
const POWERS = ["weight/softmax", "probability", "log_normaliser"]; // forms whose terms are e^(score − greatest)
const ENDS = {
  mean: ({ total, constant }) => `${signed(total)} / ${constant} =`,
  tanh: ({ total }) => `tanh(${signed(total)}) =`,
  sigmoid: ({ total }) => `σ(${signed(total)}) =`,
  share: ({ terms, total }) => `${signed(terms[0].value)} / ${signed(total)} =`,
  log: ({ total, constant }) => `${signed(constant)} + log ${signed(total)} =`,
};

// `asked` is what was opened, from the first number to the one in view; `open` opens a further one, `back` goes back.
export function derivationView({ working, name, formula, owner, asked }, { open: opens, back, close }) {
  const { shown, redone, ending, terms, more } = working;
  const rows = terms.map((term) => termRow(term, working, opens));
  if (more) rows.push(rowOf("…", working.rest, `${more} more`));
  if (terms.length > 1 || ending !== "sum") rows.push(rowOf("sum", working.total, ""));
  if (ending !== "sum") rows.push(rowOf(ENDS[ending](working), redone, ""));
  return [
    element("p", { class: "name" }, name[0].toUpperCase() + name.slice(1), owner ? ` · ${owner}` : ""),
    ...(asked.length > 1 ? [button({ class: "back" }, back, "‹ Back")] : []),
    element("p", { class: "formula" }, ...mathematics(formula)),
    ...(rows.length ? [element("table", {}, element("tbody", {}, ...rows))] : []),
    element("p", { class: "value" }, ...agreement(shown, redone)),
    button({ class: "close", "aria-label": "Close", title: "Close" }, close, "×"),
  ];
}

function agreement(shown, redone) {
  if (shown === null) return [element("output", {}, signed(redone)), quiet(" made here; the translation keeps no such number")];
  const difference = Math.abs(shown - redone);
  const agrees = difference <= CLOSE_ENOUGH * Math.max(1, Math.abs(redone));
  return [
    element("output", {}, exact(Math.fround(shown))),
    quiet(` shown · made again ${signed(redone)} · difference ${difference ? difference.toExponential(0) : "0"}`),
    ...(agrees ? [] : [element("strong", {}, " These do not agree.")]),
  ];
}

function termRow({ factors, value, label, opens: leads }, working, opens) {
  const places = leads.map((quantity, i) => button({ class: "number" }, () => opens(quantity),
    leads.length > 1 ? `${label} ${"①②③"[i]}` : label));
  return rowOf(madeOf(factors, working), value, ...(places.length ? places.flatMap((place) => [place, " "]) : [label]));
}

function madeOf(factors, { form, constant }) {
  if (POWERS.includes(form)) return `e^(${signed(factors[0])} − ${signed(constant)}) =`;
  if (form === "state/lstm") return `${signed(factors[0])} · tanh(${signed(factors[1])}) =`;
  return factors.length > 1 ? `${factors.map(signed).join(" · ")} =` : "";
}

const rowOf = (made, value, ...label) => element("tr", {},
  element("td", { class: "made" }, made), element("td", { class: "figure" }, signed(value)), element("td", {}, ...label));
