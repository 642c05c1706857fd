// Derivation: a clicked number opened at the bottom of the page: its formula, the formula with its numbers, the number
// recomputed, and a way back to earlier ones.

import { button, element, mathematics, quiet } from "../../components/shared/elements.js";
import { exact } from "../../components/shared/numbers.js";
import { bottomPanel } from "../bottom_panel.js";
import { engine } from "../engine/index.js";
import { factorsAsWritten, final, placesOfDigits, POWERS, written } from "./digits.js";

const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].entries()) };

const minus = (number) => number.replace(/-/g, "−");
const powersOfTen = (number) => {
  const [mantissa, power] = number.split("e");
  return minus(power === undefined ? mantissa : `${mantissa} · 10${[...String(Number(power))].map((digit) => RAISED[digit]).join("")}`);
};
const ENDS = {
  mean: ({ total, constant }) => `${total} / ${constant} =`,
  root: ({ total, constant }) => `√(${total} / ${constant}) =`,
  tanh: ({ total }) => `tanh(${total}) =`,
  relu: ({ total }) => `max(0, ${total}) =`,
  sigmoid: ({ total }) => `σ(${total}) =`,
  share: ({ first, total }) => `${first} / ${total} =`,
  log: ({ total, greatest }) => `${greatest} + log ${total} =`,
};

// `numbers` is the table of numbers; `answered` gives the traces in view and the models that made them.
export function numberPanel(node, numbers, answered) {
  const panel = bottomPanel(node);

  // `asked` lists the numbers opened, from the clicked one to the one in view.
  function open(asked) {
    const { models, traces, after } = answered();
    const opened = asked.map((one) => engine.unmerged(one, traces[one.trace]));
    const last = opened.at(-1);
    const [trace, model] = [traces[last.trace], models[last.trace]];
    const working = engine.workOut(last, trace, model, numbers);
    const owner = traces.length > 1 ? (after ? ["before", "after"][last.trace] : model.title) : "";
    const formula = engine.formulaOf(working, last, engine.asking(last, trace), numbers);
    const name = engine.nameOf(last, trace, numbers.phrases);
    panel.show(name, owner, ...derivationView({ working, formula, asked: opened },
      { open: (further) => open([...opened, further]), back: () => open(opened.slice(0, -1)) }));
  }
  return { open, close: panel.close };
}

function derivationView({ working, formula, asked }, { open: opens, back }) {
  const { redone, ending, terms, more, rest, total, constant } = working;
  const places = /** @type {any} */ (terms.length ? placesOfDigits(working) : null);
  const rows = terms.map((term, n) => termRow(term, working, n ? places.terms : places.first, opens));
  if (more) rows.push(rowOf("…", written(rest, places.terms), `${more} more`));
  if (ending !== "sum") {
    rows.push(rowOf("", written(total, places.total), "sum"));
    rows.push(rowOf(ENDS[ending]({
      total: powersOfTen(written(total, places.total)), first: powersOfTen(written(terms[0].value, places.first)),
      constant: constant.toFixed(0), greatest: powersOfTen(written(constant, places.total)),
    }), final(redone), ""));
  } else if (terms.length > 1) rows.push(rowOf("", final(redone), "sum"));
  return [
    ...(asked.length > 1 ? [button({ class: "back" }, back, "‹ Back")] : []),
    element("p", { class: "formula" }, ...mathematics(formula)),
    ...(rows.length ? [element("table", {}, element("tbody", {}, ...rows))] : []),
    element("p", { class: "value" }, ...agreement(working)),
  ];
}

function agreement({ shown, redone, difference, tolerance, agrees, tells }) {
  if (shown === null) {
    return [element("output", {}, powersOfTen(final(redone))), quiet(" computed here; the translation stores none")];
  }
  const doubt = `. Too small to tell: for a sum of this size, float32 rounds by up to ${powersOfTen(tolerance.toExponential(0))}`;
  return [
    element("output", {}, exact(Math.fround(shown))),
    quiet(` shown · recomputed ${powersOfTen(final(redone))} · difference ${difference ? powersOfTen(difference.toExponential(0)) : "0"}`
      + (agrees && !tells ? doubt : "")),
    ...(agrees ? [] : [element("strong", {}, " These do not agree.")]),
  ];
}

function termRow(term, working, places, opens) {
  const { value, label, opens: leads } = term;
  const buttons = leads.map((quantity, i) => button({ class: "number" }, () => opens(quantity),
    leads.length > 1 ? `${label} ${"①②③"[i]}` : label));
  const named = buttons.length ? buttons.flatMap((one) => [one, " "]) : [label];
  return rowOf(madeOf(factorsAsWritten(term, working, places), working), written(value, places), ...named);
}

function madeOf(made, { form }) {
  if (!made) return "";
  const factors = made.factors.map(powersOfTen);
  if (POWERS.includes(form)) {
    const greatest = powersOfTen(made.greatest);
    return ["e", element("sup", {}, `${factors[0]} − ${greatest.startsWith("−") ? `(${greatest})` : greatest}`), " ="];
  }
  if (form === "state/lstm") return `${factors[0]} · tanh(${factors[1]}) =`;
  return `${factors.map((factor, n) => (n && factor.startsWith("−") ? `(${factor})` : factor)).join(" · ")} =`;
}

const rowOf = (made, value, ...label) => element("tr", {},
  element("td", { class: "made" }, ...[made].flat()), element("td", { class: "figure" }, powersOfTen(value)), element("td", {}, ...label));
