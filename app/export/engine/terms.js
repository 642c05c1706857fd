// Terms of a number, as the table of numbers declares them, computed for one number of a translation. The twin of
// model/arithmetic/terms.py, recurrent.py and transformer.py.
//
// `Numbers` is what the interpreter needs to know of a network: its letters, the value of a number or a parameter at a
// place, and what a loop goes through. A subclass says it for each network.

import { byWords, sidesOf, tokenLabel } from "../../components/shared/alignment.js";
import { ENDINGS } from "../../components/working/digits.js";
import { isHead } from "./changes.js";
import { dot, rowOf } from "./matrix.js";
import { columnText, mayLook, tokenText } from "./quantity.js";
import { atRest, SCORES, stepAlone } from "./seq2seq.js";
import { START } from "./tokenizer.js";
import { logProbabilityOf, restOf } from "./trace.js";
import { attentionIn, EPSILON, feedForwardIn, isTransformer, momentsOf, sinusoid } from "./transformer.js";

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
class Numbers {
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
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

// From the likeliest tokens kept by a trace, or the produced token's.
function shownLogit(trace, step, token) {
  const rank = trace.topIds[step].indexOf(token);
  return rank < 0 ? trace.logits[step] : rowOf(trace.topLogits, step)[rank];
}

// The number opened: its form, its terms and their ending, for `fold`.
function opened(numbers) {
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
function usualForm({ table, trace: { maker } }, kind, keys = "") {
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
function fold({ form, formula, shown, terms, ending = "sum", constant = 0, first = -1 }) {
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

// The recurrent network's. The likelihood of the posterior is a probability like any other, of a step taken with all weight on
// one position: its numbers open like those of the translation.

const ALONE = "alone_";
const CELLS = {
  decoder: ["state", "cell", "gate", "kept"], alone: ["alone_state", "alone_cell", "alone_gate"],
  encoder: ["annotation", "encoder_cell", "encoder_gate", "encoder_kept"],
};

const NOT_GATES = ["memory", "kept", "state"]; // the other letters of a cell
const ARROWS = { forwards: "→", backwards: "←" };

class RecurrentNumbers extends Numbers {
  constructor(quantity, trace, model, table) {
    super(quantity, trace, model, table);
    const { kind, step: t = 0, position: i = 0, gate = "candidate" } = quantity; // the gate that `kept` belongs to
    const { config, parameters } = model.network;
    const bahdanau = config.wiring === "bahdanau";
    this.cell = Object.keys(CELLS).find((cell) => CELLS[cell].includes(kind)) ?? "";
    const decoder = bahdanau ? "context" : config.input_feeding ? "attentional" : "fed";
    this.reads = { encoder: "source", alone: "alone", decoder }[this.cell] ?? "";
    this.sharedLetters(t, i);
    Object.assign(this.letters, {
      x: trace.sourceIds[i], a: t - Number(bahdanau), letter: "s", S: trace.annotations.rows, E: trace.annotations.width, H: config.state,
      scale: 1 / Math.sqrt(config.state),
    }, this.cell === "encoder" ? this.direction() : {});
    this.files = { cell: this.letters.d ? `encoder.${this.letters.d}` : "decoder.cell" };
    const { H, j } = this.letters;
    Object.assign(this.letters, { r: trace.maker.gates.indexOf(gate) * H + j, X: parameters.get(`${this.files.cell}.rnn.weight_ih_l0`).width });
    const given = kind === "weight" ? trace.intervention.weights.find(([when]) => when === t)?.[1] : null;
    if (given) this.letters.given = given[i];
  }

  // The letters of the encoder's direction that the number belongs to; `b` is the position before.
  direction() {
    const { position: i, component: j, direction } = this.quantity;
    const half = this.network.config.encoder_state;
    const d = direction ?? (j < half ? "forwards" : "backwards");
    return { d, H: half, j: j % half, letter: "h", ...(d === "forwards" ? { h: 0, b: i - 1 } : { h: half, b: i + 1 }) };
  }

  form() {
    const { quantity: { kind, step, position, gate }, trace, letters } = this;
    if (kind === "score" && (letters.bonus || letters.temperature !== 1)) return "score/steered";
    if (kind === "weight" && !rowOf(trace.mask, step)[position]) return "weight/masked";
    if (kind === "posterior" && !rowOf(trace.weights, step)[position]) return "posterior/zero";
    if (step < 0) return kind === "state" && this.network.config.initial_state === "encoder" ? "state/bridge" : "zero";
    if (gate === "candidate") return trace.maker.cell === "gru" ? "gate/reset" : "gate/tanh";
    return usualForm(this, kind, SCORES[trace.maker.score].keys);
  }

  // The letters of the cell: with an arrow in the encoder, with (i) where one token has all weight.
  symbols() {
    const { trace: { maker }, cell, letters: { d }, quantity: { kind, position } } = this;
    const named = { ...this.table.letters, candidate: maker.cell === "gru" ? "n" : "g" };
    const each = (change) => Object.fromEntries(Object.entries(named).map(([name, letter]) => [name, change(letter, name)]));
    if (cell === "encoder") return each((letter, name) => ARROWS[d] + (name === "state" ? "h" : letter));
    if (cell !== "alone") return named;
    const before = kind === "alone_state" ? NOT_GATES.slice(1) : NOT_GATES; // an LSTM's state reads the new cell state
    return each((letter, name) => (before.includes(name) ? letter : `${letter}^{(${position + 1})}`));
  }

  // The sentences with the weights between their tokens, or with the posterior.
  sides() {
    const { trace, quantity: { kind } } = this;
    return kind === "word_posterior" ? { ...trace, weights: trace.posterior.posterior } : trace;
  }

  row() {
    const { trace, quantity: { step } } = this;
    return { weights: rowOf(trace.weights, step), reaches: (i) => rowOf(trace.mask, step)[i] };
  }

  stored(kind, at) {
    const { trace } = this;
    if (at.step < 0) return trace[camel(`initial_${kind}`)][at.component];
    if (at.gate) return trace.gates[at.step][trace.maker.gates.indexOf(at.gate)][at.component];
    return super.stored(kind, at);
  }

  value(kind, at) {
    const { trace, letters } = this;
    if (["posterior", "likelihood"].includes(kind)) return rowOf(trace.posterior[kind], at.step)[at.position];
    if (kind.startsWith(ALONE)) return this.valueAlone(kind.slice(ALONE.length), at);
    if (kind.endsWith("kept")) {
      const row = trace.maker.gates.indexOf("candidate") * letters.H + at.component;
      return dot(rowOf(this.parameter("W_hh"), row), this.stateBefore()) + this.parameter("b_hh")[row];
    }
    if (kind.startsWith("encoder_") || (kind === "annotation" && at.position === letters.b)) return this.inEncoder(kind, at);
    if (kind === "key") return rowOf(trace.keys, at.position)[at.component];
    if (["query", "comparison"].includes(kind)) {
      const state = letters.a < 0 ? trace.initialState : rowOf(trace.states, letters.a);
      const query = dot(rowOf(this.parameter("W"), at.component), state);
      return kind === "query" ? query : Math.tanh(query + this.value("key", at));
    }
    return super.value(kind, at);
  }

  // A number of the step taken with all weight on the position. The translation stores no such number.
  valueAlone(kind, { token, component, gate }) {
    const { trace, quantity } = this;
    this.alone ??= stepAlone(this.network, trace, quantity.step, quantity.position);
    if (kind !== "logit") return gate ? this.alone.gates[trace.maker.gates.indexOf(gate)][component] : this.alone[kind][component];
    this.logits.alone ??= this.network.logits(this.alone.attentional);
    return this.logits.alone[token];
  }

  stateBefore() {
    const { trace, letters } = this;
    if (this.cell === "encoder") return this.momentAt(letters.b).state;
    return letters.t ? rowOf(trace.states, letters.t - 1) : trace.initialState;
  }

  // One direction of the encoder at a position, at rest before it begins.
  momentAt(position) {
    const { trace, letters } = this;
    return trace[letters.d][position] ?? atRest(trace.maker.cell, new Float32Array(letters.H));
  }

  inEncoder(kind, { position, component, gate }) {
    const moment = this.momentAt(position);
    if (kind === "encoder_gate") return moment.gates[this.trace.maker.gates.indexOf(gate)][component];
    return kind === "annotation" ? moment.state[component - this.letters.h] : moment.cell[component];
  }

  within(name) {
    const { S, E } = this.letters;
    return name === "ends" ? Array.from({ length: E }, (_, k) => [k < E / 2 ? S - 1 : 0, k]) : super.within(name);
  }

  label(name, letters) {
    return name === "entry" ? tokenLabel(this.model.tokenizer.token(letters.k)) : super.label(name, letters);
  }

  // The quantity, but none before an encoder begins.
  openable(found) {
    const { letters } = this;
    return this.cell === "encoder" && found.position === letters.b && !this.trace[letters.d][letters.b] ? [] : super.openable(found);
  }
}

// A Transformer's. A `row` looks at a `column`; head −1 is the mean of the heads.

const NAMES = { encoder: "attention", decoder: "self_attention", cross: "cross_attention" }; // in the file
const FEED_FORWARD = ["feed_forward_normalised", "hidden", "feed_forward", "feed_forward_stream"];
const MOMENT = /_(mean|deviation)$/;

class TransformerNumbers extends Numbers {
  constructor(quantity, trace, model, table) {
    super(quantity, trace, model, table);
    const { attention, row, column, step = 0, position, component: j = 0, head, layer, kind } = quantity;
    const { heads: N, embedding: size, feed_forward: F } = model.network.config;
    const Q = size / N;
    this.sharedLetters(attention ? row : kind === "annotation" ? position : step, attention ? column : position);
    const { t = 0 } = this.letters;
    const given = this.givenByHand();
    Object.assign(this.letters, {
      x: trace.sourceIds[t], r: head * Q + j, N, Q, F, scale: 1 / Math.sqrt(Q), root: Math.sqrt(size), epsilon: EPSILON,
      sinusoid: sinusoid(t, j, size), part: FEED_FORWARD.includes(kind) ? "feed-forward" : "heads joined",
      ...(given !== undefined && { given }),
    });
    const place = `${attention === "encoder" ? "encoder" : "decoder"}.layers.${layer}`;
    const own = `${place}.${NAMES[attention]}`;
    const norms = { annotation: "encoder.norm", attentional: "decoder.norm", normalised: `${own}_norm` };
    this.files = { layer: place, attention: own, norm: norms[kind] ?? `${place}.feed_forward_norm` };
  }

  // The weight that a person set, if any.
  givenByHand() {
    const { kind, attention, layer, head, row, column } = this.quantity;
    if (kind !== "head_weight" || head < 0 || this.isOff()) return undefined;
    const { head_weights: rows, weights } = this.trace.intervention;
    const given = rows.find((one) => isHead(one, [attention, layer, head]) && one[3] === row)?.[4]
      ?? (attention === "cross" ? weights.find(([step]) => step === row)?.[1] : undefined);
    return given && (given[column] ?? 0);
  }

  isOff() {
    const { attention, layer, head } = this.quantity;
    return this.trace.intervention.heads_off.some((one) => isHead(one, [attention, layer, head]));
  }

  form() {
    const { quantity: { kind, attention, head, column }, letters } = this;
    const cross = attention === "cross";
    if (kind === "head_score" && cross && (letters.bonus || letters.temperature !== 1)) return "score/steered";
    if (kind === "head_weight") {
      if (head < 0) return "head_mean";
      if (this.isOff()) return "weight/off";
      return this.row().reaches(column) ? "weight/softmax" : "weight/masked";
    }
    if (["head_key", "head_value"].includes(kind)) return `${kind}/${cross ? "cross" : "self"}`;
    if (kind !== "embedded") return usualForm(this, kind);
    return `embedded/${attention === "encoder" ? "source" : "target"}${this.network.config.positions === "none" ? "/unplaced" : ""}`;
  }

  sides() {
    const [target, source] = sidesOf(this.trace, this.quantity.attention);
    return { source, target, weights: this.weightsOf(this.quantity.head) };
  }

  // The weights of a head of the layer, or the heads' mean.
  weightsOf(head) {
    const { weights, mean } = attentionIn(this.trace, this.quantity.attention)[this.quantity.layer];
    return head < 0 ? mean : weights[head];
  }

  row() {
    const { trace, quantity: { attention, row, head } } = this;
    return { weights: rowOf(this.weightsOf(head), row), reaches: (column) => mayLook(trace, attention, row, column) };
  }

  stored(kind, at) {
    const { attention, layer, head, row, column, component } = at;
    const { trace, table } = this;
    if (!attention) return super.stored(kind, at);
    if (kind === "embedded") return rowOf(attention === "encoder" ? trace.sourceEmbedded : trace.targetEmbedded, row)[component];
    if (kind === "head_weight") return rowOf(this.weightsOf(head), row)[column];
    const layers = FEED_FORWARD.includes(kind) ? feedForwardIn(trace, attention) : attentionIn(trace, attention);
    const kept = layers[layer][camel(table.kinds[kind].array)];
    return rowOf(head === undefined ? kept : kept[head], row ?? column)[component ?? column];
  }

  value(kind, at) {
    const [, moment] = MOMENT.exec(kind) ?? [];
    if (!moment) return super.value(kind, at);
    this.moments ??= momentsOf(Array.from({ length: this.letters.D }, (_, component) =>
      this.stored(kind.replace(MOMENT, ""), { ...at, component })));
    return this.moments[moment];
  }

  // The vector of the residual stream that the number is made from.
  stream() {
    const { trace, kind, attention, layer, row, step, position, component } = this.quantity;
    const last = (side) => ({ trace, kind: "feed_forward_stream", attention: side, layer: feedForwardIn(this.trace, side).length - 1, component });
    if (MOMENT.test(kind)) return { ...this.quantity, kind: kind.replace(MOMENT, "") };
    if (kind === "annotation") return { ...last("encoder"), row: position };
    if (kind === "attentional") return { ...last("decoder"), row: step };
    if (FEED_FORWARD.includes(kind)) {
      return { trace, kind: "attention_stream", attention: attention === "encoder" ? attention : "cross", layer, row, component };
    }
    if (attention === "cross") return { trace, kind: "attention_stream", attention: "decoder", layer, row, component };
    if (layer === 0) return { trace, kind: "embedded", attention, row, component };
    return { trace, kind: "feed_forward_stream", attention, layer: layer - 1, row, component };
  }

  place(name, at) {
    const { quantity, table } = this;
    if (name === "added") return { kind: FEED_FORWARD.includes(quantity.kind) ? "feed_forward" : "heads_joined", at, shared: quantity };
    if (["stream", "mean", "deviation"].includes(name)) {
      const shared = this.stream();
      return { kind: name === "stream" ? shared.kind : `${shared.kind}_${name}`, at, shared };
    }
    const ofHead = `head_${name}`;
    return super.place(quantity.attention && Object.hasOwn(table.kinds, ofHead) ? ofHead : name, at);
  }

  // The quantity; a component that is centred opens the mean as well.
  openable(found) {
    if (!this.quantity.kind.endsWith("_deviation")) return super.openable(found);
    return [{ ...this.quantity, kind: `${found.kind}_mean` }, found];
  }

  within(name) {
    const { quantity: { attention, row, layer }, trace, letters: { N, Q } } = this;
    const heads = Array.from({ length: N }, (_, head) => head);
    if (name === "on") {
      const { weights } = attentionIn(trace, attention)[layer];
      return heads.filter((head) => rowOf(weights[head], row).some((weight) => weight > 0));
    }
    if (name !== "heads") return super.within(name);
    return heads.flatMap((head) => Array.from({ length: Q }, (_, k) => [head * Q + k, head, k]));
  }
}

// Opens one number of a trace that this model made; `table` is the table of numbers.
export const workOut = (asked, trace, model, table) =>
  fold(opened(new (isTransformer(trace) ? TransformerNumbers : RecurrentNumbers)(asked, trace, model, table)));
