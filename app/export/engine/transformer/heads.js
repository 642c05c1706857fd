// Heads as the stepper draws them: every attention of every layer, one head at a time or their mean. The twin of
// app/components/stepper/payload.py: the same names, the same numbers.

import { BEGIN, ROWS } from "../alignment.js";
import { encode, heaviest, label, labelled, weightArrays, wordWeights } from "../labels.js";
import { matrix } from "../matrix.js";
import { mayLook, sidesOf } from "./places.js";
import { attentionIn, feedForwardIn } from "./trace.js";

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
