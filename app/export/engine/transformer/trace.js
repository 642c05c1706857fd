// Trace of a Transformer: every number of one translation, of every layer and head. The twin of
// model/transformer/trace.py and model/transformer/transformer.py.
//
// An attention is a list of its layers; T vectors look at S, the same ones in self-attention. `ownScores` are the
// model's, `scores` those after a person's changes. For a position still to come, score and weight are written as 0.
// `mixed` has the weighted values; W_O of them, the heads joined, is `output`; `stream` is the residual stream after
// adding it.

import { matrix, stacked } from "../matrix.js";
import { meanOfHeads, ofHead } from "./attention.js";

export function numbersOf({ heads, encoder_layers: reading, decoder_layers: writing }, memory, steps) {
  const { encoded, layers } = memory;
  const ofStep = (number, part) => steps.map((step) => step.layers[number][part]);
  const each = (count, make) => Array.from({ length: count }, (_, number) => make(number));
  const cross = each(writing, (number) => attentionOf(ofStep(number, "cross"), layers[number], heads));
  const cache = steps.at(-1).cache;
  return {
    sourceEmbedded: stacked(encoded.embedded),
    encoderAttention: each(reading, (number) => attentionOf(encoded.layers[number].attention, encoded.layers[number].memory, heads)),
    encoderFeedForward: each(reading, (number) => feedForwardOf(encoded.layers[number].feed)),
    annotations: stacked(encoded.annotations),
    targetEmbedded: stacked(steps.map(({ embedded }) => embedded)),
    decoderAttention: each(writing, (number) => attentionOf(ofStep(number, "self"), cache[number], heads)),
    crossAttention: cross,
    decoderFeedForward: each(writing, (number) => feedForwardOf(ofStep(number, "feed"))),
    attentional: stacked(steps.map(({ attentional }) => attentional)),
    weights: cross.at(-1).mean,
  };
}

export const isTransformer = (trace) => trace.maker.wiring === "transformer";

// The layers of one of the three attentions of a trace, by its name in an intervention.
export const attentionIn = (trace, attention) =>
  ({ encoder: trace.encoderAttention, decoder: trace.decoderAttention, cross: trace.crossAttention })[attention];

// The layers of the feed-forward networks that follow an attention.
export const feedForwardIn = (trace, attention) =>
  (attention === "encoder" ? trace.encoderFeedForward : trace.decoderFeedForward);

// One layer of one attention, from the result of each row; a matrix per head.
function attentionOf(rows, { keys, values }, heads) {
  const width = keys.length;
  const vectors = (name) => stacked(rows.map((row) => row[name]));
  const cut = (all) => Array.from({ length: heads }, (_, head) => stacked(all.map((vector) => ofHead(vector, head, heads))));
  const square = (name) => Array.from({ length: heads }, (_, head) => padded(rows.map((row) => row.heads[head][name]), width));
  const weights = square("weights");
  return {
    normalised: vectors("normalised"),
    queries: cut(rows.map(({ queries }) => queries)),
    keys: cut(keys),
    values: cut(values),
    ownScores: square("ownScores"),
    scores: square("scores"),
    weights,
    mean: stacked(rows.map((row, t) => meanOfHeads(weights.map((one) => one.values.subarray(t * width, (t + 1) * width))))),
    mixed: cut(rows.map(({ mixed }) => mixed)),
    output: vectors("output"),
    stream: vectors("stream"),
  };
}

const feedForwardOf = (rows) => Object.fromEntries(["normalised", "hidden", "output", "stream"]
  .map((name) => [name, stacked(rows.map((row) => row[name]))]));

// Pads shorter rows with zeros.
function padded(rows, width) {
  const made = matrix(rows.length, width);
  rows.forEach((row, t) => made.values.set(row, t * width));
  return made;
}
