// Derivation: a clicked number opened at the bottom of the page: its formula, the formula with its numbers, the number
// recomputed, and a way back to earlier ones.

import { button, element, mathematics, quiet } from "../../components/shared/elements.js";
import { exact } from "../../components/shared/numbers.js";
import { ENDINGS } from "../engine/terms.js";
import { engine } from "../engine/index.js";
import { bottomPanel } from "../page_parts.js";

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

// Digits: the fewest that let a reader redo each line of a calculation. The twin of app/arithmetic/equations.py.
//
// The factors shown give the term shown, the terms shown add up to the sum shown, and the sum gives the number shown.

const DIGITS = 4; // of a result after the point, unless it is small
const MOST_DIGITS = 14; // after the point that are tried
const POWERS = ["weight/softmax", "probability", "likelihood", "log_normaliser"]; // forms whose terms are e^(score − greatest)

// Halves go to the even digit, as in Python; toFixed takes them away from 0. Numbers of float16 often are such halves.
function fixed(value, places) {
  const whole = value.toFixed(places + 40);
  const [kept, cut] = [whole.slice(0, -40), whole.slice(-40)];
  return /^50*$/.test(cut) && Number(kept.at(-1)) % 2 === 0 ? kept : value.toFixed(places);
}

// A number with this many digits after the point, at least two of them significant; tiny ones in powers of ten.
function written(value, places) {
  for (let digits = places; digits < places + 3; digits += 1) {
    const plain = fixed(value, digits);
    if (!value || Math.abs(Number(plain)) >= Number(`1e${1 - digits}`)) return plain;
  }
  return value.toExponential(Math.max(2, places - DIGITS));
}

// A result: four digits after the point, or three significant ones if it is small.
function final(value) {
  const size = Math.abs(value);
  if (!(size > 0 && size < 0.01)) return fixed(value, DIGITS);
  const leading = -Math.floor(Math.log10(size));
  return leading < DIGITS + 2 ? fixed(value, leading + 2) : value.toExponential(2);
}

// Digits after the point: of the first term, which a share divides, of the other terms, and of the sum.
function placesOfDigits(working) {
  const { ending } = working;
  const share = ending === "share";
  const wanted = final(combinedOf(working));
  const least = ending === "sum" && !wanted.includes("e") ? Math.max(DIGITS, (wanted.split(".")[1] ?? "").length) : DIGITS;
  for (let total = least; total < MOST_DIGITS; total += 1) {
    for (let terms = total; terms < total + 3; terms += 1) {
      for (let more = 0; more < (share ? MOST_DIGITS - terms : 1); more += 1) {
        const places = { first: terms + (share ? more : 0), terms, total };
        if (comesOut(working, places, wanted)) return places;
      }
    }
  }
  return { first: MOST_DIGITS, terms: MOST_DIGITS, total: MOST_DIGITS };
}

// True if redoing the sum and the ending with the digits shown gives the sum and the number shown.
function comesOut(working, places, wanted) {
  const [head, ...others] = working.terms;
  const first = Number(written(head.value, places.first));
  const total = written(working.total, places.total);
  const again = exactSum([first, ...[...others.map(({ value }) => value), working.rest]
    .map((value) => Number(written(value, places.terms)))]);
  if (written(again, places.total) !== total) return false;
  const constant = Number(written(working.constant, places.total));
  return final(combinedOf({ ...working, terms: [{ value: first }], total: Number(total), constant })) === wanted;
}

// Rounded once, at the end, as Python's math.fsum: a sum of decimals often ends on a 5. A double times 2^200 is whole.
const exactSum = (values) =>
  Number(values.reduce((sum, value) => sum + BigInt(Math.round(value * 2 ** 200)), 0n)) / 2 ** 200;

const combinedOf = (working) => ENDINGS[working.ending](working);

// The factors, with the fewest digits that give the term as shown: `{factors, greatest}` as written; null for a single
// factor, which is the term itself.
function factorsAsWritten({ factors, value }, { form, constant }, places) {
  const power = POWERS.includes(form);
  if (factors.length === 1 && !power) return null;
  const wanted = written(value, places);
  let made;
  for (let digits = 3; digits < MOST_DIGITS; digits += 1) {
    made = { factors: factors.map((factor) => written(factor, digits)), greatest: written(constant, digits) };
    const [first, ...others] = made.factors.map(Number);
    const redone = power ? Math.exp(first - Number(made.greatest))
      : form === "state/lstm" ? first * Math.tanh(others[0])
        : others.reduce((product, factor) => product * factor, first);
    if (written(redone, places) === wanted) break;
  }
  return made;
}
