// Scores: how well does annotation h_i answer decoder state s_t? Luong, Pham and Manning (2015), section 3.1.
//
//     dot      s · h_i
//     general  s · W_a h_i
//     concat   v · tanh(W s + U h_i)     the additive score of Bahdanau, Cho and Bengio (2015), A.1.2
//     none     0                         no attention: every step gets the mean of the encoder's two last annotations
//
// The twin of model/scores.py: what a score needs of the annotations alone, its keys, is computed once a sentence; its
// reach are the positions that it lets a decoder look at.

import { dot, matrix, product, rowOf, stacked } from "./matrix.js";

const eachRow = (annotations, W) =>
  stacked(Array.from({ length: annotations.rows }, (_, i) => product(W, rowOf(annotations, i))));

const everywhere = (positions) => Array.from({ length: positions }, () => true);

const multiplied = (parameters, state, keys) =>
  Float32Array.from({ length: keys.rows }, (_, i) => dot(state, rowOf(keys, i)));

function compared(parameters, state, keys) {
  const query = product(parameters.get("decoder.score.W.weight"), state);
  const v = parameters.get("decoder.score.v.weight").values;
  return Float32Array.from({ length: keys.rows }, (_, i) => {
    const key = rowOf(keys, i);
    let sum = 0;
    for (let j = 0; j < v.length; j += 1) sum += v[j] * Math.tanh(query[j] + key[j]);
    return sum;
  });
}

export const SCORES = {
  dot: { keys: (parameters, annotations) => annotations, scores: multiplied, reach: everywhere },
  general: {
    keys: (parameters, annotations) => eachRow(annotations, parameters.get("decoder.score.W_a.weight")),
    scores: multiplied,
    reach: everywhere,
  },
  concat: {
    keys: (parameters, annotations) => eachRow(annotations, parameters.get("decoder.score.U.weight")),
    scores: compared,
    reach: everywhere,
  },
  none: {
    keys: (parameters, annotations) => matrix(annotations.rows, 0),
    scores: (parameters, state, keys) => new Float32Array(keys.rows),
    reach: (positions) => Array.from({ length: positions }, (_, i) => i === 0 || i === positions - 1),
  },
};
