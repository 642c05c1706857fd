// Feed-forward network of a layer: the same two maps for every position by itself. Vaswani et al. (2017), section 3.3.
//
//     FFN(x) = W_2 max(0, W_1 x + b_1) + b_2          x = x + FFN(LayerNorm(x))
//
// The twin of model/transformer/attention.py.

import { product } from "../matrix.js";
import { layerNorm } from "./layer_norm.js";

// The feed-forward part of a layer: its effect on a vector of the residual stream.
export function feedForward(parameters, layer, stream) {
  const map = (name, vector) =>
    product(parameters.get(`${layer}.feed_forward.${name}.weight`), vector, parameters.get(`${layer}.feed_forward.${name}.bias`));
  const normalised = layerNorm(parameters, `${layer}.feed_forward_norm`, stream);
  const hidden = map("W_1", normalised).map((value) => Math.max(0, value));
  const output = map("W_2", hidden);
  return { normalised, hidden, output, stream: stream.map((value, j) => value + output[j]) };
}
