// Output: the output opened: logits, probabilities, and the rest for all other tokens. The twin of
// model/arithmetic/output.py.
//
//     logit = W_o h̃_t        p_t = softmax(logits)        log p = logit − log Σ e^logit

import { rowOf } from "./matrix.js";
import { tokenText } from "./quantity.js";
import { logProbabilityOf, restOf } from "./trace.js";
import { powers, products, single } from "./derivation.js";
import { isTransformer } from "./transformer/trace.js";

const logitsAt = (trace, step, { network }) => network.logits(rowOf(trace.attentional, step));

// From the likeliest tokens kept by a trace, or the produced token's.
function shownLogit(trace, step, token) {
  const rank = trace.topIds[step].indexOf(token);
  return rank < 0 ? trace.logits[step] : trace.topLogits.values[step * trace.topLogits.width + rank];
}

function logit({ trace: index, step, token }, trace, { network: { parameters } }) {
  const opens = (component) => [{ trace: index, kind: "attentional", step, component }];
  const row = rowOf(parameters.get("embedding.weight"), token);
  const form = isTransformer(trace) ? "logit/transformer" : "logit";
  return { form, shown: shownLogit(trace, step, token), terms: products("h̃", opens, row, rowOf(trace.attentional, step)) };
}

// The terms of the sum over the vocabulary; those kept by a trace can be opened.
function sumOver({ trace: index, step }, trace, model) {
  const known = new Set([...trace.topIds[step], trace.targetIds[step]]);
  const opens = (token) => (known.has(token) ? [{ trace: index, kind: "logit", step, token }] : []);
  return powers((token) => tokenText(trace, token), opens, logitsAt(trace, step, model));
}

const probability = (quantity, trace, model) => ({
  form: "probability",
  shown: Math.fround(Math.exp(shownLogit(trace, quantity.step, quantity.token) - trace.logNormaliser[quantity.step])),
  ...sumOver(quantity, trace, model),
  ending: "share",
  first: quantity.token,
});

function rest({ trace: index, step }, trace) {
  const listed = trace.topIds[step];
  const { values, width } = trace.topProbabilities;
  const opens = (n) => [{ trace: index, kind: "probability", step, token: listed[n] }];
  return {
    form: "rest",
    shown: restOf(trace)[step],
    terms: [
      ...single("all tokens", [], 1),
      ...products((n) => tokenText(trace, listed[n]), opens, listed.map((_, n) => -values[step * width + n])),
    ],
  };
}

const logNormaliser = (quantity, trace, model) => ({
  form: "log_normaliser", shown: trace.logNormaliser[quantity.step], ...sumOver(quantity, trace, model), ending: "log",
});

const logProbability = ({ trace: index, step }, trace) => ({
  form: "log_probability",
  shown: trace.logProbabilities[step],
  terms: [
    ...single("logit", [{ trace: index, kind: "logit", step, token: trace.targetIds[step] }], trace.logits[step]),
    ...single("log-normaliser", [{ trace: index, kind: "log_normaliser", step }], -trace.logNormaliser[step]),
  ],
});

const total = ({ trace: index }, trace) => ({
  form: "total_log_probability",
  shown: logProbabilityOf(trace),
  terms: products((step) => `${tokenText(trace, trace.targetIds[step])} at ${step + 1}`,
    (step) => [{ trace: index, kind: "log_probability", step }], trace.logProbabilities),
});

export const DISTRIBUTION = {
  logit, probability, rest, log_normaliser: logNormaliser, log_probability: logProbability, total_log_probability: total,
};
