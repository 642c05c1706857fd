// Terms of a number, as the table of numbers declares them, computed for one number of a translation. The twin of
// model/arithmetic/terms.py.
//
// `Numbers` is what this needs to know of a network: its letters, the value of a number or a parameter at a place, and
// what a loop goes through. recurrent_numbers.js and transformer_numbers.js say it for their networks.

import { byWords } from "../../components/shared/alignment.js";
import { ENDINGS } from "../../components/working/digits.js";
import { rowOf } from "./matrix.js";
import { columnText, tokenText } from "./quantity.js";
import { START } from "./tokenizer.js";
import { logProbabilityOf, restOf } from "./trace.js";

const GIVEN = "given"; // the form of a number that a person set
const CHANGES = {
  "": (values) => values,
  "-": (values) => values.map((value) => -value),
  "1-": (values) => values.map((value) => 1 - value),
  "1/": (values) => values.map((value) => 1 / value),
  bits: (values) => values.map((value) => -Math.log2(value)),
  centred: (values) => values.map((value) => value - values.reduce((sum, one) => sum + one, 0) / values.length),
  exp: (values) => values, // shown as the score itself, like the argument of tanh
  tanh: (values) => values,
};

// An index such as k, E+k, t-1 or 0; the name of a gate stands for itself.
function indexOf(text, letters) {
  const parts = text.match(/[+-]?\w+/g).map((part) => {
    const name = part.replace(/^[+-]/, "");
    return { sign: part.startsWith("-") ? -1 : 1, value: letters[name] ?? (/^\d+$/.test(name) ? Number(name) : name) };
  });
  return parts.length === 1 ? parts[0].value : parts.reduce((sum, { sign, value }) => sum + sign * value, 0);
}

// The numbers around one number of a trace. `table` is the table of numbers.
export class Numbers {
  constructor(quantity, trace, model, table) {
    this.quantity = quantity;
    this.trace = trace;
    this.table = table;
    this.network = model.network;
    this.model = model;
    this.letters = /** @type {any} */ ({});
    this.files = /** @type {any} */ ({}); // for `$cell`, `$attention` and so on in the names of parameters
    this.cell = ""; // where a recurrent cell is, as in the table's `cells`
    this.reads = ""; // what it reads
    this.logits = /** @type {any} */ ({}); // by step, and `alone`
    this.alone = /** @type {any} */ (null);
    this.moments = /** @type {any} */ (null);
  }

  // What each network has in its own way: the form in which the number was made, the sentences with the weights between
  // their tokens, and the weights of the number's row with a test of the columns that it may attend to.
  /** @returns {string} */ form() { throw new TypeError("a network's own"); }
  /** @returns {any} */ sides() { throw new TypeError("a network's own"); }
  /** @returns {any} */ row() { throw new TypeError("a network's own"); }

  // The letters that every network has, of step or row t and source position or column i.
  sharedLetters(t, i) {
    const { quantity: { step = 0, component: j = 0, token: y, rows }, trace: { targetIds, intervention, attentional }, network } = this;
    const { bonus, temperature } = intervention;
    this.letters = {
      t, i, j, y, w: targetIds[step], fed: t > 0 ? targetIds[t - 1] : START, T: targetIds.length, A: attentional.width,
      V: network.config.vocabulary, D: network.config.embedding, temperature,
      bonus: bonus.find(([when, where]) => when === t && where === i)?.[2] ?? 0,
    };
    if (rows) this.letters.rows = new Set(this.within("word").map(([row]) => row)).size;
  }

  // The fields of a quantity of this kind: the last ones as indexed, the others shared.
  fieldsOf({ kind, at, shared }, letters) {
    const names = this.table.kinds[kind].indices;
    const first = names.length - at.length;
    return Object.fromEntries(names.map((name, n) => [name, n < first ? shared[name] : indexOf(at[n - first], letters)]));
  }

  // The place of a named number, or null if the name stands for no number of the network.
  place(name, at) {
    const { kinds, cells, gates } = this.table;
    const named = cells[this.cell] ?? {};
    if ((!at.length && (Object.hasOwn(named, name) || (this.cell && gates.includes(name)))) || (name === "before" && this.cell)) {
      const [kind, inner] = (named[name] ?? named.gate).replace("$gate", name).replace("$j", at[0] ?? "j").split("[");
      return { kind, at: inner.replace("]", "").split(","), shared: this.quantity };
    }
    return Object.hasOwn(kinds, name) ? { kind: name, at, shared: this.quantity } : null;
  }

  // A number of a kind at a place.
  value(kind, at) {
    const { trace } = this;
    if (kind === "logit") return at.token === trace.targetIds[at.step] ? trace.logits[at.step] : this.logitsAt(at.step)[at.token];
    if (kind === "probability") return rowOf(trace.topProbabilities, at.step)[trace.topIds[at.step].indexOf(at.token)];
    return this.stored(kind, at);
  }

  logitsAt(step) {
    this.logits[step] ??= this.network.logits(rowOf(this.trace.attentional, step));
    return this.logits[step];
  }

  // A number that the trace keeps.
  stored(kind, { step, position, component }) {
    const kept = this.trace[camel(this.table.kinds[kind].array)];
    if (kept.rows === undefined) return kept[step];
    return rowOf(kept, step ?? position)[step === undefined ? component : position ?? component];
  }

  // The number that is shown; null if the trace keeps none, undefined if the page adds it up when it draws.
  shown() {
    const { quantity, trace } = this;
    const { kind, step, token, rows, row, column } = quantity;
    if (kind === "logit") return shownLogit(trace, step, token);
    if (kind === "probability") return Math.fround(Math.exp(shownLogit(trace, step, token) - trace.logNormaliser[step]));
    if (kind === "rest") return restOf(trace)[step];
    if (kind === "total_log_probability") return logProbabilityOf(trace);
    if (rows) return rowOf(byWords(this.sides(), rows).weights, row)[column];
    const { array, summed } = this.table.kinds[kind];
    if (summed) return undefined;
    return array ? this.value(kind, this.fieldsOf({ kind, at: [], shared: quantity }, {})) : null;
  }

  // What the letters of a loop go through.
  within(name) {
    const { row, column, rows, step } = this.quantity;
    if (name === "likeliest") return this.trace.topIds[step];
    if (["reach", "weighed", "columns"].includes(name)) {
      const { weights, reaches } = this.row();
      const kept = { reach: reaches, weighed: (i) => weights[i], columns: (i) => reaches(i) || weights[i] }[name];
      return places(weights).filter(kept);
    }
    if (name !== "word") return Array.from({ length: this.letters[name] }, (_, k) => k);
    const where = (list, wanted) => places(list).filter((index) => list[index] === wanted);
    const columns = where(this.sides().source.wordOf, column);
    return where(byWords(this.sides(), rows).rowOf, row).flatMap((one) => columns.map((other) => [one, other]));
  }

  // The text for a name in a label.
  label(name, letters) {
    if (name === "looked") return columnText(this.trace, this.quantity.attention ?? "cross", letters.k);
    if (name === "token") return tokenText(this.trace, letters.k);
    if (name === "written") return tokenText(this.trace, this.trace.targetIds[letters.k]);
    return typeof letters[name] === "number" ? String(letters[name] + 1) : letters[name];
  }

  // The quantity, if it can be opened: a logit only if the trace keeps it.
  openable(found) {
    const { topIds, targetIds } = this.trace;
    const hidden = /logit$/.test(found.kind) && ![...topIds[found.step], targetIds[found.step]].includes(found.token);
    return hidden ? [] : [found];
  }

  parameter(name) {
    return this.network.parameters.get(this.table.parameters[name].replace(/\$(\w+)/, (_, place) => this.files[place]));
  }

  // The letters of a recurrent cell.
  symbols() {
    return this.table.letters;
  }

  // The formula in symbols: subscripts are step t, source position i and component j, all from 1. `_` marks a subscript,
  // `^` a superscript.
  formula(form) {
    const { quantity: { kind, gate, component = 0 }, table, letters: { t = 0, i = 0, j, a = -1, b } } = this;
    const [now, past] = b === undefined ? [t, t - 1] : [i, b];
    const places = Object.entries({ t, i, j: component, asking: a, now, past, part: j }).map(([name, place]) => [name, place + 1]);
    const named = { ...this.symbols(), ...Object.fromEntries(places), at: `${now + 1},${j + 1}`, before: `${past + 1},${j + 1}` };
    const all = { ...named, gate: named[gate] ?? "" };
    const read = this.reads ? filled(table.reads[this.reads], all) : "";
    return filled(table.forms[form], { ...all, read, left: filled(table.symbols[kind], all) });
  }
}

const filled = (template, values) =>
  template.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => String(values[braced ?? plain]));

const places = (list) => Array.from(list, (_, index) => index);
export const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

// From the likeliest tokens kept by a trace, or the produced token's.
function shownLogit(trace, step, token) {
  const rank = trace.topIds[step].indexOf(token);
  return rank < 0 ? trace.logits[step] : rowOf(trace.topLogits, step)[rank];
}

// The number opened: its form, its terms and their ending, for `fold`.
export function opened(numbers) {
  const { letters, table } = numbers;
  const form = GIVEN in letters ? GIVEN : numbers.form();
  const { made, ending: ends } = table.made[form];
  const lines = made.flatMap((line) => (line[0] === "read" ? table.read_terms[numbers.reads] : [line]));
  const loops = lines.map(([, , , within]) => (within ? numbers.within(within) : [[]]));
  const terms = lines.map((line, n) => termsOf(numbers, line, loops[n]));
  const [ending, about] = ends.split(" of ");
  const powers = lines[0]?.[1][0][0] === "exp";
  const counted = about && ending !== "share" ? letters[about] ?? Math.max(1, loops[0].length) : 0;
  return {
    form, formula: numbers.formula(form), shown: numbers.shown(), terms: terms.flat(), ending,
    constant: powers ? terms[0].reduce((most, { factors: [score] }) => Math.max(most, score), -Infinity) : counted,
    first: ending === "share" ? loops[0].indexOf(letters[about]) : -1,
  };
}

// One line of terms for every item of its loop.
function termsOf(numbers, [label, factors, names], items) {
  const lettersAt = (item) => ({ ...numbers.letters, ...Object.fromEntries(names.map((name, n) => [name, [item].flat()[n]])) });
  const all = items.map(lettersAt);
  const columns = factors.map(([change, name, at]) => CHANGES[change](all.map((letters) => valueOf(numbers, name, at, letters))));
  const exponents = factors[0][0] === "exp" ? columns[0] : [];
  const greatest = exponents.reduce((most, score) => Math.max(most, score), -Infinity);
  return all.map((letters, n) => ({
    factors: columns.map((column) => column[n]),
    value: exponents.length ? Math.exp(exponents[n] - greatest) : columns.reduce((product, column, place) =>
      product * (factors[place][0] === "tanh" ? Math.tanh(column[n]) : column[n]), 1),
    label: () => label.replace(/\{(\w+)\}/g, (_, name) => numbers.label(name, letters)),
    opens: () => uniquely(factors.flatMap(([, name, at]) => {
      const place = numbers.place(name, at);
      return place ? numbers.openable({ trace: numbers.quantity.trace, kind: place.kind, ...numbers.fieldsOf(place, letters) }) : [];
    })),
  }));
}

const uniquely = (quantities) => [...new Map(quantities.map((one) => [JSON.stringify(one), one])).values()];

// What a factor's name stands for: a parameter's number, a number of the network, or one of the letters.
function valueOf(numbers, name, at, letters) {
  if (Object.hasOwn(numbers.table.parameters, name)) {
    const [row, column] = at.map((one) => indexOf(one, letters));
    const array = numbers.parameter(name);
    return column === undefined ? array[row] : array.values[row * array.width + column];
  }
  const place = numbers.place(name, at);
  return place ? numbers.value(place.kind, numbers.fieldsOf(place, letters)) : indexOf(name, letters);
}

// The form of numbers of a kind in a model without a person's changes, such as score/dot.
export function usualForm({ table, trace: { maker } }, kind, keys = "") {
  const { form, in_transformer: other } = table.kinds[kind];
  if (maker.wiring === "transformer") return other || form;
  return form.replace(/\{(\w+)\}/, (_, name) => ({ ...maker, keys })[name]);
}

// Derivation: one number opened: its terms and their result. The twin of model/arithmetic/terms.py.
//
// The terms are added in float64; then comes an ending, such as tanh for an attentional vector. Terms are sorted by
// magnitude, and all but the largest are folded into one sum.

const SHOWN_TERMS = 6; // terms shown separately
const RELATIVE = 1e-4; // tolerance between two float32 programs, as a share of the number: what four digits show
const ROUNDING = 1e-5; // in addition, as a share of the sum of all magnitudes, even if they cancelled out
const CARRIED = 1e-6; // and for the rounding of earlier numbers, most of them near 1
const LEAST = 1.1754943508222875e-38; // below this float32 loses digits

// How much an error as large as all the terms together changes the number: the slope of the ending.
const SPREADS = {
  sum: ({ magnitude }) => magnitude,
  relu: ({ magnitude }) => magnitude,
  tanh: ({ magnitude, redone }) => magnitude * (1 - redone ** 2),
  sigmoid: ({ magnitude, redone }) => magnitude * redone * (1 - redone),
  log: ({ constant }) => Math.abs(constant),
  root: ({ magnitude, constant, redone }) => magnitude / (2 * constant * redone),
};

// Keeps the largest terms separate and adds up the rest; `first` is the term that a share is for.
export function fold({ form, formula, shown, terms, ending = "sum", constant = 0, first = -1 }) {
  const sorted = terms.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
  const order = first < 0 ? sorted : [terms[first], ...sorted.filter((term) => term !== terms[first])];
  const count = order.length <= SHOWN_TERMS + 1 ? order.length : SHOWN_TERMS;
  const sum = (some) => some.reduce((total, { value }) => total + value, 0);
  const kept = order.slice(0, count).map((term) => ({ ...term, label: term.label(), opens: term.opens() }));
  const working = {
    form, formula, shown, ending, constant, terms: kept, rest: sum(order.slice(count)), more: order.length - count,
    total: sum(order), magnitude: order.reduce((all, { value }) => all + Math.abs(value), 0),
  };
  const redone = ENDINGS[ending](working);
  const made = { ...working, redone, shown: shown === undefined ? Math.fround(redone) : shown };
  return { ...made, ...verdict(made) };
}

// True if the shown number equals the recomputed one up to float32 rounding, and if agreeing means anything: not if
// both are so near 0 that rounding could have made them. Weights and probabilities have terms of one sign, so a tiny
// one is as exact for its size.
export function verdict(working) {
  const { shown, redone, ending, form } = working;
  const near = RELATIVE * Math.abs(redone) + LEAST;
  const oneSign = ["share", "mean"].includes(ending) || form.startsWith("weight/");
  const tolerance = oneSign ? near : near + ROUNDING * SPREADS[ending](working) + CARRIED;
  if (shown === null) return { difference: null, tolerance, agrees: true, tells: true };
  const difference = Math.abs(shown - redone);
  const tells = difference === 0 || Math.max(Math.abs(shown), Math.abs(redone)) > tolerance;
  return { difference, tolerance, agrees: difference <= tolerance, tells };
}
