// Checkpoint of a Transformer: the contents of its files; its configuration tells it from a recurrent network. The
// twin of model/transformer/checkpoint.py and model/transformer/transformer.py.

import { POSITIONS } from "./positions.js";

export const NETWORK = "transformer";
export const TRANSFORMER_CHOICES = { network: [NETWORK], positions: Object.keys(POSITIONS) };

// The shapes of this configuration's parameters, as pairs of name and shape.
export function transformerShapes({ vocabulary, embedding: size, feed_forward: hidden, encoder_layers: reading, decoder_layers: writing }) {
  const norm = (name) => [[`${name}.weight`, [size]], [`${name}.bias`, [size]]];
  const attention = (name) => ["W_Q", "W_K", "W_V", "W_O"].map((matrix) => [`${name}.${matrix}.weight`, [size, size]]);
  const layer = (name, attentions) => [
    ...attentions.flatMap((one) => [...norm(`${name}.${one}_norm`), ...attention(`${name}.${one}`)]),
    ...norm(`${name}.feed_forward_norm`),
    [`${name}.feed_forward.W_1.weight`, [hidden, size]], [`${name}.feed_forward.W_1.bias`, [hidden]],
    [`${name}.feed_forward.W_2.weight`, [size, hidden]], [`${name}.feed_forward.W_2.bias`, [size]],
  ];
  const layers = (side, count, attentions) =>
    Array.from({ length: count }, (_, number) => layer(`${side}.layers.${number}`, attentions)).flat();
  return [
    ["embedding.weight", [vocabulary, size]],
    ...layers("encoder", reading, ["attention"]), ...norm("encoder.norm"),
    ...layers("decoder", writing, ["self_attention", "cross_attention"]), ...norm("decoder.norm"),
  ];
}
