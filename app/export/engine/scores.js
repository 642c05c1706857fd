// Scores: how well does annotation h_i answer decoder state s_t? Luong, Pham and Manning (2015), section 3.1.
//
//     dot      s · h_i
//     general  s · W_a h_i
//     scaled   s · W_a h_i / √H          general's, divided as by Vaswani et al. (2017), section 3.2.1
//     concat   v · tanh(W s + U h_i)     the additive score of Bahdanau, Cho and Bengio (2015), A.1.2
//     none     0                         no attention: every step gets the mean of the encoder's two last annotations
//
// The twin of model/scores.py. The table of numbers, model/arithmetic/numbers.toml, defines each: the matrix of its
// keys, how they are compared with the state, and whether the root of the state's size divides the result.

import { dot, matrix, product, rowOf, stacked } from "./matrix.js";

export const SCORES = {
  dot: { keys: "", compares: "product", scaled: false },
  general: { keys: "W_a", compares: "product", scaled: false },
  scaled_dot: { keys: "W_a", compares: "product", scaled: true },
  concat: { keys: "U", compares: "network", scaled: false },
  none: { keys: "", compares: "nothing", scaled: false },
};

// The matrices and vectors of a score, as shapes by name.
export const parametersOfScore = ({ keys, compares }, state, annotation) => ({
  ...(keys && { [keys]: [state, annotation] }),
  ...(compares === "network" && { W: [state, state], v: [1, state] }),
});

// The keys, which depend only on the annotations; computed once per sentence.
export function keysOf({ keys, compares }, parameters, annotations) {
  if (compares === "nothing") return matrix(annotations.rows, 0);
  if (!keys) return annotations;
  const W = parameters.get(`decoder.score.${keys}.weight`);
  return stacked(Array.from({ length: annotations.rows }, (_, i) => product(W, rowOf(annotations, i))));
}

// The positions a decoder may look at: all, or both ends of the sentence if nothing is compared.
export const reachOf = ({ compares }, positions) =>
  Array.from({ length: positions }, (_, i) => compares !== "nothing" || i === 0 || i === positions - 1);

export const scoresOf = (score, parameters, state, keys) => COMPARED[score.compares](parameters, state, keys, score);

const COMPARED = {
  product: (parameters, state, keys, { scaled }) => {
    const scale = scaled ? Math.fround(Math.sqrt(state.length)) : 1;
    return Float32Array.from({ length: keys.rows }, (_, i) => dot(state, rowOf(keys, i)) / scale);
  },
  network(parameters, state, keys) {
    const query = product(parameters.get("decoder.score.W.weight"), state);
    const v = parameters.get("decoder.score.v.weight").values;
    return Float32Array.from({ length: keys.rows }, (_, i) => {
      const key = rowOf(keys, i);
      let sum = 0;
      for (let j = 0; j < v.length; j += 1) sum += v[j] * Math.tanh(query[j] + key[j]);
      return sum;
    });
  },
  nothing: (parameters, state, keys) => new Float32Array(keys.rows),
};
