// Heads opened: from a weight to its score, to query and key, and the heads' mixed and joined values. The twin of
// model/arithmetic/transformer_heads.py; equations as in attention.js.
//
// A `row` looks at a `column`; head −1 is the mean of the heads.

import { openedEntropy, softmax, steered, wordMean } from "../arithmetic.js";
import { products, single } from "../derivation.js";
import { isHead } from "../changes/kinds.js";
import { at, rowOf } from "../matrix.js";
import { columnText, mayLook, sidesOf } from "./places.js";
import { attentionIn } from "./trace.js";

const NAMES = { encoder: "attention", decoder: "self_attention", cross: "cross_attention" }; // in the file

// The layer in question, with the name of its attention's parameters in the file.
export const layerOf = ({ attention, layer }, trace) => attentionIn(trace, attention)[layer];
export const placeInFile = ({ attention, layer }) =>
  `${attention === "encoder" ? "encoder" : "decoder"}.layers.${layer}.${NAMES[attention]}`;

// Another number of the same head, and a number that all heads of a layer share.
const ofHead = ({ trace, attention, layer, head }, kind, places) => ({ trace, kind, attention, layer, head, ...places });
export const ofLayer = ({ trace, attention, layer }, kind, row, component) => ({ trace, kind, attention, layer, row, component });

const columns = ({ attention, row }, trace, { width }) =>
  Array.from({ length: width }, (_, column) => column).filter((column) => mayLook(trace, attention, row, column));

// The score that enters the softmax: the model's own, or after a bonus and a temperature.
function score(quantity, trace) {
  const { head, row, column, attention } = quantity;
  const shown = at(layerOf(quantity, trace).scores[head], row, column);
  const own = ownScore(quantity, trace);
  if (attention !== "cross") return { ...own, shown };
  return steered(shown, own, ofHead(quantity, "head_own_score", { row, column }), row, column, trace);
}

// The model's own: query times key, divided by √Q.
function ownScore(quantity, trace) {
  const { head, row, column } = quantity;
  const layer = layerOf(quantity, trace);
  const [query, key] = [rowOf(layer.queries[head], row), rowOf(layer.keys[head], column)];
  const root = Array.from(query, () => 1 / Math.sqrt(query.length));
  const opens = (component) => [ofHead(quantity, "head_query", { row, component }), ofHead(quantity, "head_key", { column, component })];
  return { form: "head_score", shown: at(layer.ownScores[head], row, column), terms: products("q", opens, query, key, root) };
}

// Softmax of the scores that the row may attend to, or the weights set by a person.
function weight(quantity, trace) {
  const { head, row, column, attention } = quantity;
  if (head < 0) return meanWeight(quantity, trace);
  const layer = layerOf(quantity, trace);
  const shown = at(layer.weights[head], row, column);
  const { heads_off: off, head_weights: rows, weights } = trace.intervention;
  const named = [attention, quantity.layer, head];
  if (off.some((one) => isHead(one, named))) return { form: "weight/off", shown, terms: [] };
  const given = rows.find((one) => isHead(one, named) && one[3] === row)?.[4]
    ?? (attention === "cross" ? weights.find(([step]) => step === row)?.[1] : undefined);
  if (given) return { form: "given", shown, terms: single("set by hand", [], given[column] ?? 0) };
  return softmax(shown, column, columns(quantity, trace, layer.weights[head]), rowOf(layer.scores[head], row),
    (one) => columnText(trace, attention, one), (one) => [ofHead(quantity, "head_score", { row, column: one })]);
}

function meanWeight(quantity, trace) {
  const { row, column } = quantity;
  const { weights, mean } = layerOf(quantity, trace);
  const on = weights.flatMap((one, head) => (rowOf(one, row).some((weight) => weight > 0) ? [head] : []));
  return {
    form: "head_mean",
    shown: at(mean, row, column),
    terms: products((n) => `head ${on[n] + 1}`, (n) => [ofHead({ ...quantity, head: on[n] }, "head_weight", { row, column })],
      on.map((head) => at(weights[head], row, column))),
    ending: "mean",
    constant: Math.max(1, on.length),
  };
}

// The entropy of one row of a head's weights, or of their mean, in bits.
function entropy(quantity, trace) {
  const { head, row, attention } = quantity;
  const { mean, weights } = layerOf(quantity, trace);
  return openedEntropy(rowOf(head < 0 ? mean : weights[head], row), (column) => columnText(trace, attention, column),
    (column) => [ofHead(quantity, "head_weight", { row, column })]);
}

function wordWeight(quantity, trace) {
  const [target, source] = sidesOf(trace, quantity.attention);
  const { mean, weights } = layerOf(quantity, trace);
  const sides = { source, target, weights: quantity.head < 0 ? mean : weights[quantity.head] };
  return wordMean("word_weight", quantity, sides, (column) => columnText(trace, quantity.attention, column),
    (row, column) => [ofHead(quantity, "head_weight", { row, column })]);
}

// A row of the head's part of a matrix, times a vector.
function projected(quantity, matrix, letter, opens, vector, { network: { parameters, config } }) {
  const W = parameters.get(`${placeInFile(quantity)}.${matrix}.weight`);
  return products(letter, opens, rowOf(W, (quantity.head * W.rows) / config.heads + quantity.component), vector);
}

function query(quantity, trace, model) {
  const { head, row, component } = quantity;
  const layer = layerOf(quantity, trace);
  const opens = (j) => [ofLayer(quantity, "normalised", row, j)];
  return {
    form: "head_query",
    shown: at(layer.queries[head], row, component),
    terms: projected(quantity, "W_Q", "x̂", opens, rowOf(layer.normalised, row), model),
  };
}

// A key or a value: W_K or W_V times the vector attended to.
const lookedAt = (matrix, kept) => (quantity, trace, model) => {
  const { kind, head, column, component, attention } = quantity;
  const layer = layerOf(quantity, trace);
  const cross = attention === "cross";
  const opens = (j) => [cross ? { trace: quantity.trace, kind: "annotation", position: column, component: j }
    : ofLayer(quantity, "normalised", column, j)];
  const vector = rowOf(cross ? trace.annotations : layer.normalised, column);
  return {
    form: `${kind}/${cross ? "cross" : "self"}`,
    shown: at(layer[kept][head], column, component),
    terms: projected(quantity, matrix, cross ? "h" : "x̂", opens, vector, model),
  };
};

// Weighted values.
function mixed(quantity, trace) {
  const { head, row, component, attention } = quantity;
  const layer = layerOf(quantity, trace);
  const open = columns(quantity, trace, layer.weights[head]);
  const opens = (n) => [
    ofHead(quantity, "head_weight", { row, column: open[n] }), ofHead(quantity, "head_value", { column: open[n], component }),
  ];
  return {
    form: "head_mixed",
    shown: at(layer.mixed[head], row, component),
    terms: products((n) => columnText(trace, attention, open[n]), opens, open.map((column) => at(layer.weights[head], row, column)),
      open.map((column) => at(layer.values[head], column, component))),
  };
}

// A row of W_O times the joined output of all heads.
function joined(quantity, trace, { network: { parameters } }) {
  const { row, component } = quantity;
  const layer = layerOf(quantity, trace);
  const size = layer.mixed[0].width;
  const heads = layer.mixed.flatMap((one) => [...rowOf(one, row)]);
  const part = (n) => ({ head: Math.floor(n / size), component: n % size });
  return {
    form: "heads_joined",
    shown: at(layer.output, row, component),
    terms: products((n) => `head ${part(n).head + 1}, z ${part(n).component + 1}`,
      (n) => [ofHead({ ...quantity, head: part(n).head }, "head_mixed", { row, component: part(n).component })],
      rowOf(parameters.get(`${placeInFile(quantity)}.W_O.weight`), component), heads),
  };
}

export const HEADS = {
  head_score: score, head_own_score: ownScore, head_weight: weight, head_entropy: entropy, head_word_weight: wordWeight, head_query: query,
  head_key: lookedAt("W_K", "keys"), head_value: lookedAt("W_V", "values"), head_mixed: mixed, heads_joined: joined,
};
