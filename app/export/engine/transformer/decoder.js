// Decoder of the Transformer: a target token looks at those before it, then at the source. Vaswani et al. (2017),
// sections 3.1 and 3.2.3.
//
//     x = x + MultiHead(LayerNorm(x), target so far)
//     x = x + MultiHead(LayerNorm(x), annotations)
//     x = x + FFN(LayerNorm(x))                                      h̃ = LayerNorm(x) after the last layer
//
// Tokens come one by one: keys and values of the earlier ones are kept (key-value cache), so a step computes only one
// token. The twin of model/transformer/decoder.py.

import { givenTo } from "../attention.js";
import { attend, attentionPart, meanOfHeads, normalisedBefore, remember } from "./attention.js";
import { feedForward } from "./feed_forward.js";
import { layerNorm } from "./layer_norm.js";

// Keys and values of the annotations, for each layer.
export const rememberSource = ({ decoder_layers: layers }, parameters, annotations) => Array.from({ length: layers },
  (_, number) => remember(parameters, `decoder.layers.${number}.cross_attention`, annotations));

// An empty cache, as before the first step.
export const emptyCache = ({ decoder_layers: layers }) => Array.from({ length: layers }, () => ({ keys: [], values: [] }));

// One step from an embedding with its position. `cache` and `source` are keys and values for each layer.
export function decode(config, parameters, embedded, cache, source, steering) {
  const layers = [];
  let stream = embedded;
  for (let number = 0; number < config.decoder_layers; number += 1) {
    layers.push(decoderLayer(config, parameters, number, stream, cache[number], source[number], steering));
    stream = layers.at(-1).feed.stream;
  }
  return {
    embedded,
    layers,
    cache: layers.map(({ memory }) => memory),
    attentional: layerNorm(parameters, "decoder.norm", stream),
    weights: meanOfHeads(layers.at(-1).cross.heads.map(({ weights }) => weights)),
  };
}

function decoderLayer({ heads }, parameters, number, stream, before, source, steering) {
  const layer = `decoder.layers.${number}`;
  const step = before.keys.length;
  const given = (attention, width) => (head) => givenTo(steering.heads, [attention, number, head], step, width);
  const look = (name, from, memory, ...changes) => {
    const normalised = normalisedBefore(parameters, name, from);
    const looked = memory(normalised);
    return [attentionPart(from, normalised, attend(parameters, name, heads, normalised, looked, ...changes)), looked];
  };
  const [self, memory] = look(`${layer}.self_attention`, stream,
    (normalised) => longer(before, remember(parameters, `${layer}.self_attention`, [normalised])), given("decoder", step + 1));
  const [cross] = look(`${layer}.cross_attention`, self.stream, () => source, given("cross", source.keys.length), steering);
  return { self, cross, memory, feed: feedForward(parameters, layer, cross.stream) };
}

// Appends the keys and values of later positions.
const longer = (before, more) =>
  ({ keys: [...before.keys, ...more.keys], values: [...before.values, ...more.values] });
