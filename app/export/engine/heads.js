// Heads of a Transformer: the places of their numbers, and what the stepper draws of them.

import { BEGIN, ROWS, STEP, wordLabels } from "./alignment.js";
import { encode, heaviest, label, labelled, tokenLabel, weightArrays, which, wordWeights } from "./labels.js";
import { matrix } from "./matrix.js";
import { attentionIn, feedForwardIn } from "./transformer.js";

// Places of a Transformer's numbers: the sentence that looks, the one looked at, and the words for both. The twin of
// model/arithmetic/quantity.py.

const NAMES = { encoder: "encoder self-attention", decoder: "decoder self-attention", cross: "cross-attention" };

// The asking side, and the one attended to.
export const sidesOf = ({ source, target }, attention) =>
  ({ encoder: [source, source], decoder: [target, fedOf(target)], cross: [target, source] })[attention];

// The tokens fed in, step by step: the start of the sentence, then every target token but the last.
function fedOf({ text, language, tokens, words, wordOf, characters }) {
  const count = tokens.length;
  const rows = [0, ...wordOf.slice(0, -1).map((word) => word + 1)].slice(0, count);
  return {
    text,
    language,
    tokens: [BEGIN, ...tokens.slice(0, -1)].slice(0, count),
    words: [BEGIN, ...words].slice(0, Math.max(-1, ...rows) + 1),
    wordOf: rows,
    characters: [{ start: 0, stop: 0 }, ...characters.slice(0, -1)].slice(0, count),
  };
}

// True if a row may attend to a column.
export function mayLook(trace, attention, row, column) {
  if (attention === "cross") return !trace.intervention.hidden.includes(column);
  return attention === "encoder" || column <= row;
}

// A token attended to; repeated tokens also get their number.
export function columnText(trace, attention, column) {
  const { tokens } = sidesOf(trace, attention)[1];
  return tokenLabel(tokens[column]) + which(tokens, column);
}

// The words that complete the phrase of a kind of number.
export function wordsOfPlace({ kind, attention, layer, head, row, column, rows }, trace) {
  const side = attention === "encoder" ? "encoder" : "decoder";
  const ofLayer = `layer ${layer + 1} of the ${NAMES[attention]}`;
  const words = {
    side: `${side} layer ${layer + 1}`,
    of_layer: ofLayer,
    of_head: `${head >= 0 ? `head ${head + 1}` : "the mean of the heads"}, ${ofLayer}`,
  };
  const [looking, looked] = sidesOf(trace, attention);
  if (kind === "head_word_weight") {
    const own = wordLabels(looking);
    const names = rows === "input" ? [BEGIN, ...own] : own;
    const word_row = rows === STEP ? rowText(looking, side, row) : `“${names[row]}”`;
    return { ...words, word_row, column: `“${wordLabels(looked)[column]}”` };
  }
  if (column !== undefined) words.looked = `“${columnText(trace, attention, column)}”`;
  if (row === undefined) return words;
  return { ...words, from_row: `at ${rowText(looking, side, row)}` };
}

// The asking side: a step, or in the encoder a token.
const rowText = ({ tokens }, side, row) => (side === "encoder" ? `“${tokenLabel(tokens[row])}” (token ${row + 1})` : `step ${row + 1}`);

// Heads as the stepper draws them: every attention of every layer, one head at a time or their mean. The twin of
// app/components/stepper/payload.py: the same names, the same numbers.

export const headsOf = (trace) => Object.fromEntries(["encoder", "decoder", "cross"].map((name) => [name, attentionOf(trace, name)]));

function attentionOf(trace, name) {
  const [asking, looked] = sidesOf(trace, name);
  const atOnce = name === "encoder"; // all its rows exist before the decoder begins
  const [rows, width] = [asking.tokens.length, looked.tokens.length];
  const mask = Float32Array.from({ length: rows * width }, (_, i) => Number(mayLook(trace, name, Math.floor(i / width), i % width)));
  const between = { source: looked, target: asking, rows: atOnce ? ROWS.slice(0, 1) : ROWS };
  const after = feedForwardIn(trace, name);
  return {
    source: labelled(looked),
    target: labelled(asking),
    begin: atOnce ? null : label(BEGIN),
    mask: encode(matrix(rows, width, mask)),
    embedded: encode(name === "decoder" ? trace.targetEmbedded : trace.sourceEmbedded), // of the tokens looked at
    layers: attentionIn(trace, name).map((layer, number) => layerOf(layer, name === "decoder" ? null : after[number], between)),
  };
}

// A layer's heads, their mean, and its own vectors; a feed-forward network follows all but the decoder's
// self-attention.
function layerOf(layer, after, between) {
  const vectors = { normalised: layer.normalised, joined: layer.output, stream: layer.stream };
  const more = after ? { hidden: after.hidden, feed_forward: after.output, stream_after: after.stream } : {};
  return {
    heads: layer.weights.map((_, head) => headOf(layer, head, between)),
    mean: weightsOf(layer.mean, between),
    arrays: encoded({ ...vectors, ...more }),
  };
}

function headOf(layer, head, between) {
  const drawn = weightsOf(layer.weights[head], between);
  const { scores, queries, keys, values, mixed } = layer;
  const own = { score: scores[head], query: queries[head], key: keys[head], value: values[head], mixed: mixed[head] };
  return { ...drawn, arrays: { ...drawn.arrays, ...encoded(own) } };
}

const weightsOf = (weights, { source, target, rows }) => ({
  looked_at: heaviest(weights),
  words: Object.fromEntries(rows.map((way) => [way, wordWeights({ source, target, weights }, way)])),
  arrays: weightArrays(weights),
});

const encoded = (matrices) => Object.fromEntries(Object.entries(matrices).map(([name, one]) => [name, encode(one)]));
