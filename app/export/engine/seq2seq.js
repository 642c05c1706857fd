// Seq2seq: the network that owns all parameters: an encoder, a decoder and the output layer. The twin of
// model/seq2seq.py.

import { NO_STEERING } from "./attention.js";
import { CELLS, atRest } from "./cells.js";
import { WIRINGS } from "./decoder.js";
import { annotate } from "./encoder.js";
import { joined, product, rowOf } from "./matrix.js";
import { SCORES } from "./scores.js";
import { numbersOf } from "./trace.js";

// `encode` a sentence, `start`, then `step` from token to token. Nothing is remembered from call to call.
export function seq2seq(config, parameters) {
  const embedding = parameters.get("embedding.weight"); // W_o too: logits are W_o h̃

  // A source sentence as the decoder sees it; its ids end with `</s>`.
  function encode(ids) {
    const read = annotate(config, parameters, ids);
    const score = SCORES[config.score];
    return { ...read, keys: score.keys(parameters, read.annotations), reach: score.reach(ids.length) };
  }

  // What the decoder knows before its first step.
  function start({ annotations }) {
    const state = config.initial_state === "encoder"
      ? product(parameters.get("bridge.weight"), endsOf(annotations), parameters.get("bridge.bias")).map(Math.tanh)
      : new Float32Array(config.state);
    return { ...atRest(config.cell, state), attentional: new Float32Array(config.embedding) };
  }

  const step = (token, carried, memory, steering = NO_STEERING) =>
    WIRINGS[config.wiring](config, parameters, rowOf(embedding, token), carried, memory, steering);

  const logits = (attentional) => product(embedding, attentional);
  const { score, wiring, cell } = config;
  return {
    config, parameters, encode, start, step, logits, numbers: numbersOf, layout: {},
    choices: { score, wiring, cell, gates: CELLS[cell].gates },
  };
}

// The last state of either direction: forward at the last token, backward at the first.
export function endsOf(annotations) {
  const half = annotations.width / 2;
  return joined(rowOf(annotations, annotations.rows - 1).subarray(0, half), rowOf(annotations, 0).subarray(half));
}
