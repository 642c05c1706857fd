// Encoder of the Transformer: every source token looks at all of them, layer by layer. Vaswani et al. (2017), section 3.1.
//
//     x = x + MultiHead(LayerNorm(x))      x = x + FFN(LayerNorm(x))      annotations = LayerNorm(x) after the last layer
//
// x is the residual stream: each part of a layer reads it, and adds to it. The twin of model/transformer/encoder.py.

import { givenTo } from "../attention.js";
import { attend, attentionPart, normalisedBefore, remember } from "./attention.js";
import { feedForward } from "./feed_forward.js";
import { layerNorm } from "./layer_norm.js";

// Encodes embeddings with positions: for every layer the attention and the feed-forward part of each token, with keys
// and values. `changed` has the heads that a person changed.
export function encodeSource(config, parameters, embedded, changed) {
  const layers = [];
  let streams = embedded;
  for (let number = 0; number < config.encoder_layers; number += 1) {
    const layer = `encoder.layers.${number}`;
    const name = `${layer}.attention`;
    const normalised = streams.map((stream) => normalisedBefore(parameters, name, stream));
    const memory = remember(parameters, name, normalised);
    const attention = streams.map((stream, row) => {
      const given = (head) => givenTo(changed, ["encoder", number, head], row, streams.length);
      return attentionPart(stream, normalised[row], attend(parameters, name, config.heads, normalised[row], memory, given));
    });
    const feed = attention.map(({ stream }) => feedForward(parameters, layer, stream));
    layers.push({ attention, memory, feed });
    streams = feed.map(({ stream }) => stream);
  }
  return { embedded, layers, annotations: streams.map((stream) => layerNorm(parameters, "encoder.norm", stream)) };
}
