// Arithmetic: any number of a translation opened down to its terms. The twin of model/arithmetic/work_out.py.
//
// Every term names the numbers it came from, leading from a weight to its score, from there to the state, its gates,
// and back to the embeddings and parameters. `shown` is null where a trace stores no such number.

import { byWords } from "./alignment.js";
import { entropyOf } from "./attention.js";
import { DISTRIBUTION } from "./output.js";
import { GATES } from "./recurrent_cell.js";
import { at, dot, product, rowOf } from "./matrix.js";
import { mergedBy, sourceText } from "./quantity.js";
import { fold, powers, products, single } from "./derivation.js";
import { SCORES } from "./scores.js";

// Opens one number of a trace that this model made.
export const workOut = (quantity, trace, model) => fold(OPENERS[quantity.kind](quantity, trace, model));

// The step whose state asks: the one before in Bahdanau's wiring.
export const asking = ({ step = 0 }, { maker }) => (maker.wiring === "bahdanau" ? step - 1 : step);

const stateAt = (trace, step) => (step < 0 ? trace.initialState : rowOf(trace.states, step));

function score(quantity, trace, model) {
  const { step, position } = quantity;
  const own = ownScore(quantity, trace, model);
  return steered(at(trace.scores, step, position), own, { ...quantity, kind: "own_score" }, step, position, trace);
}

// The score that enters the softmax: the model's own, opened, or that after a bonus and a temperature.
export function steered(shown, own, named, step, position, { intervention: { bonus, temperature } }) {
  const added = bonus.find(([when, where]) => when === step && where === position)?.[2] ?? 0;
  if (!added && temperature === 1) return { ...own, shown };
  return {
    form: "score/steered",
    shown,
    terms: [
      ...single("own score", [named], own.shown, 1 / temperature),
      ...single("bonus", [], added, 1 / temperature),
    ],
  };
}

function ownScore({ trace: index, step, position }, trace, { network: { parameters } }) {
  const form = `score/${trace.maker.score}`;
  const score = SCORES[trace.maker.score];
  const shown = at(trace.ownScores, step, position);
  if (score.compares === "nothing") return { form, shown, terms: [] };
  const when = asking({ step }, trace);
  const [state, key] = [stateAt(trace, when), rowOf(trace.keys, position)];
  if (score.compares === "network") {
    const query = product(parameters.get("decoder.score.W.weight"), state);
    const compared = Array.from(query, (one, j) => Math.tanh(one + key[j]));
    const opens = (component) => [{ trace: index, kind: "comparison", step, position, component }];
    return { form, shown, terms: products("u", opens, parameters.get("decoder.score.v.weight").values, compared) };
  }
  const other = score.keys ? "key" : "annotation";
  const opens = (component) => [
    { trace: index, kind: "state", step: when, component }, { trace: index, kind: other, position, component },
  ];
  const scale = score.scaled ? [Array.from(state, () => 1 / Math.sqrt(state.length))] : [];
  return { form, shown, terms: products("s", opens, state, key, ...scale) };
}

function weight({ trace: index, step, position }, trace) {
  const shown = at(trace.weights, step, position);
  const given = trace.intervention.weights.find(([when]) => when === step)?.[1];
  if (given) return { form: "given", shown, terms: single("set by hand", [], given[position]) };
  const open = Array.from({ length: trace.mask.width }, (_, i) => i).filter((i) => at(trace.mask, step, i));
  return softmax(shown, position, open, rowOf(trace.scores, step), (one) => sourceText(trace, one),
    (one) => [{ trace: index, kind: "score", step, position: one }]);
}

// The share of one position among the open ones; `label` and `opens` take a position.
export function softmax(shown, position, open, scores, label, opens) {
  if (!open.includes(position)) return { form: "weight/masked", shown, terms: [] };
  return {
    form: "weight/softmax",
    shown,
    ...powers((n) => label(open[n]), (n) => opens(open[n]), open.map((one) => scores[one])),
    ending: "share",
    first: open.indexOf(position),
  };
}

const entropy = ({ trace: index, step }, trace) => openedEntropy(rowOf(trace.weights, step),
  (position) => sourceText(trace, position), (position) => [{ trace: index, kind: "weight", step, position }]);

// Each weight above 0 times its surprisal in bits; `label` and `opens` take the position of the weight.
export function openedEntropy(row, label, opens) {
  const seen = Array.from(row, (_, i) => i).filter((i) => row[i] > 0);
  return {
    form: "entropy",
    shown: entropyOf({ rows: 1, width: row.length, values: row })[0],
    terms: products((n) => label(seen[n]), (n) => opens(seen[n]), seen.map((i) => row[i]), seen.map((i) => -Math.log2(row[i]))),
  };
}

const wordWeight = (quantity, trace) => tokensMean(quantity, trace, trace.weights, "weight");

// Between words of the two sentences; each number between tokens is a `kind`.
export const tokensMean = (quantity, trace, weights, kind) => wordMean(`word_${kind}`, quantity, { ...trace, weights },
  (position) => sourceText(trace, position), (step, position) => [{ trace: quantity.trace, kind, step, position }]);

// The sum over the tokens of the column, and the mean over those of the row.
export function wordMean(form, quantity, sides, label, opens) {
  const [steps, positions] = mergedBy(quantity, sides);
  const pairs = steps.flatMap((step) => positions.map((position) => [step, position]));
  return {
    form,
    shown: at(byWords(sides, quantity.rows).weights, quantity.row, quantity.column),
    terms: products((n) => `${label(pairs[n][1])} at ${pairs[n][0] + 1}`, (n) => opens(...pairs[n]),
      pairs.map(([step, position]) => at(sides.weights, step, position))),
    ending: "mean",
    constant: steps.length,
  };
}

function context({ trace: index, step, component }, trace) {
  const seen = Array.from({ length: trace.mask.width }, (_, i) => i)
    .filter((i) => at(trace.mask, step, i) || at(trace.weights, step, i));
  const opens = (n) => [
    { trace: index, kind: "weight", step, position: seen[n] },
    { trace: index, kind: "annotation", position: seen[n], component },
  ];
  return {
    form: "context",
    shown: at(trace.contexts, step, component),
    terms: products((n) => sourceText(trace, seen[n]), opens, seen.map((i) => at(trace.weights, step, i)),
      seen.map((i) => at(trace.annotations, i, component))),
  };
}

export function attentional({ trace: index, step, component }, trace, { network: { parameters } }) {
  if (step < 0) return { form: "zero", shown: trace.initialAttentional[component], terms: [] };
  const W = rowOf(parameters.get("decoder.W_c.weight"), component);
  const width = trace.contexts.width;
  const part = (letter, kind, row, values) =>
    products(letter, (j) => [{ trace: index, kind, step, component: j }], row, values);
  return {
    form: "attentional",
    shown: at(trace.attentional, step, component),
    terms: [
      ...part("c", "context", W.subarray(0, width), rowOf(trace.contexts, step)),
      ...part("s", "state", W.subarray(width), rowOf(trace.states, step)),
    ],
    ending: "tanh",
  };
}

function key({ trace: index, position, component }, trace, { network: { parameters } }) {
  const name = SCORES[trace.maker.score].keys;
  const opens = (j) => [{ trace: index, kind: "annotation", position, component: j }];
  const row = rowOf(parameters.get(`decoder.score.${name}.weight`), component);
  return { form: `key/${name}`, shown: null, terms: products("h", opens, row, rowOf(trace.annotations, position)) };
}

function query(quantity, trace, { network: { parameters } }) {
  const when = asking(quantity, trace);
  const opens = (j) => [{ trace: quantity.trace, kind: "state", step: when, component: j }];
  const row = rowOf(parameters.get("decoder.score.W.weight"), quantity.component);
  return { form: "query", shown: null, terms: products("s", opens, row, stateAt(trace, when)) };
}

function comparison({ trace: index, step, position, component }, trace, { network: { parameters } }) {
  const row = rowOf(parameters.get("decoder.score.W.weight"), component);
  const quantity = dot(row, stateAt(trace, asking({ step }, trace)));
  return {
    form: "comparison",
    shown: null,
    terms: [
      ...single("query", [{ trace: index, kind: "query", step, component }], quantity),
      ...single("key", [{ trace: index, kind: "key", position, component }], at(trace.keys, position, component)),
    ],
    ending: "tanh",
  };
}

export const OPENERS = {
  score, own_score: ownScore, weight, entropy, word_weight: wordWeight, context, attentional, key, query, comparison,
  ...GATES, ...DISTRIBUTION,
};
