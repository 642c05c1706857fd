// Posterior attention: where the decoder looked, given the word. After Shankar and Sarawagi (2019). p(y_t | i) is the
// probability of the word written with all weight of this step on h_i and everything before unchanged. In Bahdanau's
// wiring the state follows the weights, so there is one for each i; in Luong's it stays. A weight of 0 gives a
// posterior of exactly 0. The twin of model/word_alignment/posterior.py, which has the equations.

import { NO_STEERING, attentionalOf } from "./seq2seq.js";
import { rowOf, stacked } from "./matrix.js";
import { START } from "./tokenizer.js";
import { logSumExp } from "./trace.js";

// The posterior of every token of a trace, `{likelihood, posterior}`. It takes as long as many translations, so it
// yields after each step.
export function* posterior(model, trace) {
  const found = [];
  for (let step = 0; step < trace.targetIds.length; step += 1) {
    const logLikelihood = positionsOf(trace).map((position) => logLikelihoodOf(model, trace, step, position));
    found.push({ logLikelihood, row: normalised(rowOf(trace.weights, step), logLikelihood) });
    yield;
  }
  return {
    likelihood: stacked(found.map(({ logLikelihood }) => logLikelihood.map(Math.exp))),
    posterior: stacked(found.map(({ row }) => row)),
  };
}

const positionsOf = ({ annotations }) => Array.from({ length: annotations.rows }, (_, position) => position);

function logLikelihoodOf({ network }, trace, step, position) {
  const annotation = rowOf(trace.annotations, position);
  const logits = network.logits(STATES[trace.maker.wiring](network, trace, step, position, annotation));
  return logits[trace.targetIds[step]] - logSumExp(logits);
}

// The attentional vector h̃ with all weight on one position, whose annotation is then the context.
const STATES = {
  luong: ({ parameters }, trace, step, position, annotation) =>
    attentionalOf(parameters, annotation, rowOf(trace.states, step)),
  bahdanau: (network, trace, step, position) => stepAlone(network, trace, step, position).attentional,
};

// A decoder step again, with all its weight on one position and everything before it unchanged.
export function stepAlone(network, trace, step, position) {
  const { annotations, keys, states, cells, attentional, targetIds } = trace;
  const before = step
    ? { state: rowOf(states, step - 1), cell: rowOf(cells, step - 1), attentional: rowOf(attentional, step - 1) }
    : { state: trace.initialState, cell: trace.initialCell, attentional: trace.initialAttentional };
  const reach = positionsOf(trace).map(() => true);
  const weights = reach.map((_, other) => Number(other === position));
  return network.step(step ? targetIds[step - 1] : START, before, { annotations, keys, reach }, { ...NO_STEERING, weights });
}

// Prior times likelihood, divided by their sum.
function normalised(prior, logLikelihood) {
  const logProducts = logLikelihood.map((one, i) => Math.log(prior[i]) + one);
  const greatest = Math.max(...logProducts);
  const products = logProducts.map((one) => Math.exp(one - greatest));
  const sum = products.reduce((total, one) => total + one, 0);
  return products.map((one) => one / sum);
}
