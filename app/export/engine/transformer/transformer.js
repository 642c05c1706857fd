// The Transformer that owns all parameters: embeddings with positions, encoder, decoder, output. Vaswani et al. (2017),
// section 3.4.
//
//     x_t = √D W_e[y_t] + PE(t)      p_t = softmax(W_e h̃_t)
//
// One table of embeddings W_e serves source, target and output. The twin of model/transformer/transformer.py.

import { NO_HEADS, NO_STEERING } from "../attention.js";
import { product, rowOf } from "../matrix.js";
import { decode, emptyCache, rememberSource } from "./decoder.js";
import { encodeSource } from "./encoder.js";
import { POSITIONS } from "./positions.js";
import { numbersOf } from "./trace.js";

// `encode` a sentence, `start`, then `step` from token to token, as for a recurrent network.
export function transformer(config, parameters) {
  const embedding = parameters.get("embedding.weight");
  const scale = Math.fround(Math.sqrt(config.embedding));

  function embed(token, position) {
    const encoding = POSITIONS[config.positions](position, config.embedding);
    return rowOf(embedding, token).map((value, j) => Math.fround(scale * value) + encoding[j]);
  }

  // Keys and values of a source sentence, whose ids end with `</s>`; `changed` are heads that a person changed.
  function encode(ids, changed = NO_HEADS) {
    const encoded = encodeSource(config, parameters, ids.map(embed), changed);
    return { encoded, layers: rememberSource(config, parameters, encoded.annotations), reach: ids.map(() => true) };
  }

  const start = () => ({ cache: emptyCache(config) });

  const step = (token, { cache }, { layers }, steering = NO_STEERING) =>
    decode(config, parameters, embed(token, cache[0].keys.length), cache, layers, steering);

  const logits = (attentional) => product(embedding, attentional);
  const { encoder_layers: encoder, decoder_layers: decoder, heads } = config;
  return {
    config, parameters, encode, start, step, logits,
    numbers: (memory, _, steps) => numbersOf(config, memory, steps),
    layout: { encoder: [encoder, heads], decoder: [decoder, heads], cross: [decoder, heads] },
    choices: { score: "scaled dot", wiring: "transformer", cell: "none", gates: [] },
  };
}
