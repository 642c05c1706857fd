// Attention: scores become weights, weights make a context. Luong et al. (2015), equations 7 and 8.
//
//     α_t = softmax((e_t + bonus) / temperature)      c_t = Σ_i α_ti h_i
//
// Masked positions weigh exactly 0 and their scores stay finite. The twin of model/attention.py.

import { rowOf } from "./matrix.js";

export const NO_HEADS = { heads_off: [], head_weights: [] };

// A person's changes to one attention step; this value changes nothing. `weights` replace the softmax, `heads` are
// single heads of a Transformer.
export const NO_STEERING = { bonus: null, temperature: 1, hidden: new Set(), weights: null, heads: NO_HEADS };

// The softmax of the scores over the positions that the mask allows.
export function weigh(scores, mask) {
  const greatest = Math.max(...scores.filter((_, i) => mask[i]));
  const powers = Array.from(scores, (score, i) => (mask[i] ? Math.exp(score - greatest) : 0));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return Float32Array.from(powers, (power) => power / total);
}

// Scores, mask and weights of one step after a person's changes.
export function steer(own, reach, { bonus, temperature, hidden, weights }) {
  const scores = own.map((score, i) => (Math.fround(score + (bonus?.[i] ?? 0))) / temperature);
  const mask = reach.map((open, i) => open && !hidden.has(i));
  return { scores, mask, weights: weights ? Float32Array.from(weights) : weigh(scores, mask) };
}

// The weights that a person gives a row of a head, zeros if it is switched off; null if it is unchanged.
export function givenTo({ heads_off: off, head_weights: rows }, [attention, layer, head], row, width) {
  const here = (one) => one[0] === attention && one[1] === layer && one[2] === head;
  if (off.some(here)) return new Float32Array(width);
  const given = rows.find((one) => here(one) && one[3] === row);
  return given ? Float32Array.from(given[4]) : null;
}

// The entropy of each row of weights in bits; a weight of 0 adds nothing.
export const entropyOf = (weights) => Float32Array.from({ length: weights.rows }, (_, t) =>
  rowOf(weights, t).reduce((sum, weight) => (weight ? sum - weight * Math.log2(weight) : sum), 0));

export function contextOf(weights, annotations) {
  const sums = new Float64Array(annotations.width);
  weights.forEach((weight, i) => {
    if (!weight) return;
    const annotation = rowOf(annotations, i);
    for (let j = 0; j < sums.length; j += 1) sums[j] += weight * annotation[j];
  });
  return Float32Array.from(sums);
}
