// Multi-head attention: several queries of one vector, each with keys and values of its own. Vaswani et al. (2017),
// sections 3.2.1 and 3.2.2.
//
//     q_n = W_Q,n x      k_n = W_K,n y      v_n = W_V,n y                for every head n, each of D / N components
//     e_n = q_n · k_n / √Q      α_n = softmax(e_n)      c_n = Σ α_n v_n      output = W_O [c_1 ; … ; c_N]
//
// In self-attention y are the vectors of the same sentence as x, in cross-attention the source's. The heads of a
// vector are side by side: the first D / N components are the first head's. The twin of model/transformer/attention.py.

import { NO_STEERING, steer } from "../attention.js";
import { dot, product } from "../matrix.js";
import { layerNorm } from "./layer_norm.js";

// Keys and values of the vectors to attend to, one vector each.
export function remember(parameters, name, vectors) {
  const each = (matrix) => vectors.map((vector) => product(parameters.get(`${name}.${matrix}.weight`), vector));
  return { keys: each("W_K"), values: each("W_V") };
}

// One head's part of a vector.
export const ofHead = (vector, head, heads) =>
  vector.subarray((head * vector.length) / heads, ((head + 1) * vector.length) / heads);

// Attends from `asking` to keys and values. `steering` changes all heads; `given(head)` returns its weights, or null.
export function attend(parameters, name, heads, asking, { keys, values }, given, steering = NO_STEERING) {
  const queries = product(parameters.get(`${name}.W_Q.weight`), asking);
  const mixed = new Float32Array(queries.length);
  const root = Math.sqrt(queries.length / heads);
  const reach = keys.map(() => true);
  const found = Array.from({ length: heads }, (_, head) => {
    const query = ofHead(queries, head, heads);
    const ownScores = Float32Array.from(keys, (key) => dot(query, ofHead(key, head, heads)) / root);
    const { scores, weights: own } = steer(ownScores, reach, steering);
    const weights = given(head) ?? own;
    mix(weights, values.map((value) => ofHead(value, head, heads)), ofHead(mixed, head, heads));
    return { ownScores, scores, weights };
  });
  return { queries, heads: found, mixed, output: product(parameters.get(`${name}.W_O.weight`), mixed) };
}

// The attention of a layer: its effect on a vector of the residual stream. `normalised` is LayerNorm of the stream.
export function attentionPart(stream, normalised, attended) {
  return { normalised, ...attended, stream: stream.map((value, j) => value + attended.output[j]) };
}

export const normalisedBefore = (parameters, name, stream) => layerNorm(parameters, `${name}_norm`, stream);

// Weighted values.
function mix(weights, values, out) {
  for (let j = 0; j < out.length; j += 1) {
    let sum = 0;
    for (let i = 0; i < weights.length; i += 1) sum += weights[i] * values[i][j];
    out[j] = sum;
  }
}

// The mean weights of the active heads; one that is switched off has weights of 0.
export function meanOfHeads(rows) {
  const on = rows.filter((row) => row.some((weight) => weight > 0)).length;
  return rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / Math.max(1, on));
}
