// Posterior attention, opened: prior times likelihood, divided by the sum of all such products. The twin of
// model/arithmetic/posterior.py.
//
// The likelihood is a probability like any other, of a step taken with all weight on one position: its numbers open
// like those of the translation.

import { attentional, tokensMean } from "./arithmetic.js";
import { fold, powers, products } from "./derivation.js";
import { matrix, rowOf } from "./matrix.js";
import { DISTRIBUTION } from "./output.js";
import { stepAlone } from "./posterior.js";
import { tokenLabel } from "./labels.js";
import { sourceText } from "./quantity.js";
import { GATES } from "./recurrent_cell.js";

const ALONE = "alone_";

// Opens one number of the posterior, which the trace has under `posterior`.
export const workOutAfterwards = (quantity, trace, model) => fold(AFTERWARDS[quantity.kind](quantity, trace, model));

export const isAfterwards = ({ kind }) => Object.hasOwn(AFTERWARDS, kind);

function posteriorAt({ trace: index, step, position }, trace) {
  const { likelihood, posterior } = trace.posterior;
  const prior = rowOf(trace.weights, step);
  const shown = rowOf(posterior, step)[position];
  if (prior[position] === 0) return { form: "posterior/zero", shown, terms: [] };
  const weighed = Array.from(prior, (_, i) => i).filter((i) => prior[i]);
  const opens = (n) => [
    { trace: index, kind: "weight", step, position: weighed[n] },
    { trace: index, kind: "likelihood", step, position: weighed[n] },
  ];
  return {
    form: "posterior",
    shown,
    terms: products((n) => sourceText(trace, weighed[n]), opens, weighed.map((i) => prior[i]),
      weighed.map((i) => rowOf(likelihood, step)[i])),
    ending: "share",
    first: weighed.indexOf(position),
  };
}

function likelihoodAt(quantity, trace, model) {
  const { trace: index, step, position } = quantity;
  const produced = trace.targetIds[step];
  const known = new Set([produced, ...trace.topIds[step]]);
  const opens = (token) => (known.has(token) ? [{ trace: index, kind: "alone_logit", step, position, token }] : []);
  const logits = model.network.logits(stepAlone(model.network, trace, step, position).attentional);
  return {
    form: "likelihood",
    shown: rowOf(trace.posterior.likelihood, step)[position],
    ...powers((token) => tokenLabel(model.tokenizer.token(token)), opens, logits),
    ending: "share",
    first: produced,
  };
}

// A number of the step taken with all weight on one position. The translation stores no such number.
function alone(quantity, trace, model) {
  const plain = { ...quantity, kind: quantity.kind.slice(ALONE.length) };
  const opened = OPENERS[quantity.kind](plain, traceAlone(trace, model, quantity), model);
  const { wiring } = trace.maker;
  return {
    ...opened,
    form: quantity.kind === "alone_attentional" ? `alone/${wiring}` : opened.form,
    shown: null,
    terms: opened.terms.map((term) => ({
      ...term, label: () => term.label().replace(/^c (?=\d)/, "h "), opens: () => term.opens().map((one) => led(one, quantity, wiring)),
    })),
  };
}

const OPENERS = {
  alone_logit: DISTRIBUTION.logit, alone_attentional: attentional, alone_state: GATES.state, alone_cell: GATES.cell,
  alone_gate: GATES.gate,
};
const AFTERWARDS = {
  posterior: posteriorAt,
  word_posterior: (quantity, trace) => tokensMean(quantity, trace, trace.posterior.posterior, "posterior"),
  likelihood: likelihoodAt,
  ...Object.fromEntries(Object.keys(OPENERS).map((kind) => [kind, alone])),
};

// The trace with one step as if all its weight were on one position.
function traceAlone(trace, { network }, { step, position }) {
  const found = stepAlone(network, trace, step, position);
  const replaced = ({ rows, width, values }, row) => {
    const changed = Float32Array.from(values);
    changed.set(row, step * width);
    return matrix(rows, width, changed);
  };
  return {
    ...trace,
    gates: trace.gates.with(step, found.gates),
    states: replaced(trace.states, found.state),
    cells: replaced(trace.cells, found.cell),
    contexts: replaced(trace.contexts, found.context),
    attentional: replaced(trace.attentional, found.attentional),
  };
}

// Numbers of the same step are those with all weight on that position, whose annotation is the context.
function led(quantity, { step, position }, wiring) {
  const { trace, kind, component } = quantity;
  if (quantity.step !== step) return quantity;
  if (kind === "context") return { trace, kind: "annotation", position, component };
  const follows = kind === "attentional" || wiring === "bahdanau";
  return follows && Object.hasOwn(OPENERS, ALONE + kind) ? { ...quantity, kind: ALONE + kind, position } : quantity;
}
