// Seq2seq: the network that owns all parameters: an encoder, a decoder and the output layer. The twin of
// model/seq2seq.py.

import { NO_STEERING } from "./attention.js";
import { CELLS, atRest } from "./cells.js";
import { WIRINGS } from "./decoder.js";
import { annotate } from "./encoder.js";
import { joined, product, rowOf, stacked } from "./matrix.js";
import { SCORES, keysOf, reachOf } from "./scores.js";
import { numbersOf } from "./trace.js";

// `encode` a sentence, `start`, then `step` from token to token. Nothing is stored between calls.
export function seq2seq(config, parameters) {
  const embedding = parameters.get("embedding.weight"); // also W_o: logits are W_o h̃

  // The decoder's view of a source sentence; its ids end with `</s>`.
  function encode(ids) {
    const read = annotate(config, parameters, ids);
    const score = SCORES[config.score];
    return { ...read, keys: keysOf(score, parameters, read.annotations), reach: reachOf(score, ids.length) };
  }

  // The decoder's values before its first step.
  function start({ annotations }) {
    const state = config.initial_state === "encoder"
      ? product(parameters.get("bridge.weight"), endsOf(annotations), parameters.get("bridge.bias")).map(Math.tanh)
      : new Float32Array(config.state);
    return { ...atRest(config.cell, state), attentional: new Float32Array(config.embedding) };
  }

  const step = (token, carried, memory, steering = NO_STEERING) =>
    WIRINGS[config.wiring](config, parameters, rowOf(embedding, token), carried, memory, steering);

  const numbers = (memory, start, steps, fed) =>
    ({ ...numbersOf(memory, start, steps), fedEmbeddings: stacked(fed.map((token) => rowOf(embedding, token))) });
  const logits = (attentional) => product(embedding, attentional);
  const { score, wiring, cell } = config;
  return {
    config, parameters, encode, start, step, logits, numbers, layout: {},
    choices: { score, wiring, cell, gates: CELLS[cell].gates },
  };
}

// The last state of each direction: forward at the last token, backward at the first.
export function endsOf(annotations) {
  const half = annotations.width / 2;
  return joined(rowOf(annotations, annotations.rows - 1).subarray(0, half), rowOf(annotations, 0).subarray(half));
}
