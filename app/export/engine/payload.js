// Payload: the stepper's data. The twin of app/components/stepper/payload.py: the same names, the same numbers.
//
// Everything derived (weights between words, probabilities, ranges, the heaviest source word of a row) is computed here.

import { BEGIN, ROWS } from "./alignment.js";
import { encode, heaviest, label, labelled, likeliestLabels, vector, weightArrays, wordWeights } from "./labels.js";
import { matrix } from "./matrix.js";
import { pieces } from "./model_comparison.js";
import { networkOf } from "./principal_axes.js";
import { logProbabilityOf, restOf } from "./trace.js";
import { headsOf } from "./transformer/heads.js";
import { isTransformer } from "./transformer/trace.js";

// `heads` has one `{title, facts, formula}` per trace, or none.
export function payloadOf(traces, heads = []) {
  const ranges = widest(traces.filter((trace) => !isTransformer(trace)).map(rangesOf));
  return traces.map((trace, place) => ({
    ...drawn(trace), ranges, ...(heads.length ? { head: headOf(trace, traces[0], heads[place]) } : {}),
  }));
}

// A column's head; its translation is in pieces that mark differences from the first column.
export const headOf = (trace, first, head) => ({
  ...head, log_probability: logProbabilityOf(trace), pieces: pieces(trace.target, first.target),
});

function drawn(trace) {
  const { arrays, ...numbers } = (isTransformer(trace) ? ofTransformer : ofRecurrent)(trace);
  return {
    name: trace.maker.name,
    stop: trace.stop,
    source: labelled(trace.source),
    target: labelled(trace.target),
    begin: label(BEGIN),
    looked_at: heaviest(trace.weights),
    target_ids: trace.targetIds,
    top_ids: trace.topIds,
    top_labels: trace.topTokens.map(likeliestLabels),
    words: Object.fromEntries(ROWS.map((rows) => [rows, wordWeights(trace, rows)])),
    ...numbers,
    arrays: {
      ...arrays,
      ...weightArrays(trace.weights),
      top_probability: encode(trace.topProbabilities),
      rest: vector(restOf(trace)),
      log_probability: vector(trace.logProbabilities),
      probability: vector(trace.logProbabilities.map(Math.exp)),
    },
  };
}

const ofRecurrent = (trace) => ({
  attends: trace.maker.score !== "none",
  network: networkOf(trace),
  ...(trace.posterior ? { posterior: afterwards(trace) } : {}),
  arrays: {
    annotation: encode(trace.annotations),
    initial_state: vector(trace.initialState),
    initial_cell: vector(trace.initialCell),
    initial_attentional: vector(trace.initialAttentional),
    state: encode(trace.states),
    cell: encode(trace.cells),
    context: encode(trace.contexts),
    attentional: encode(trace.attentional),
    embedding: encode(trace.embeddings),
    fed_embedding: encode(trace.fedEmbeddings),
    score: encode(trace.scores),
    mask: encode(trace.mask),
  },
});

const ofTransformer = (trace) => ({
  attends: true,
  network: { wiring: "transformer" },
  heads: headsOf(trace),
  arrays: { annotation: encode(trace.annotations), attentional: encode(trace.attentional) },
});

// The posterior in place of the weights, with its factors; its rows belong to the tokens produced.
const afterwards = ({ posterior: { likelihood, posterior }, ...trace }) => ({
  weight: encode(posterior), likelihood: encode(likelihood), looked_at: heaviest(posterior),
  words: wordWeights({ ...trace, weights: posterior }, ROWS[0]),
});

// The ends of each scale, shared by all steps for comparison; vector scales are symmetric around 0.
function rangesOf({ annotations, initialState, states, initialCell, cells, contexts, attentional, embeddings, fedEmbeddings, scores }) {
  const vectors = {
    annotation: [annotations],
    state: [matrix(1, 0, initialState), states],
    cell: [matrix(1, 0, initialCell), cells],
    context: [contexts],
    attentional: [attentional],
    embedding: [embeddings],
    fed_embedding: [fedEmbeddings],
  };
  const reach = (arrays) => Math.max(...arrays.map(({ values }) =>
    values.reduce((far, value) => Math.max(far, Math.abs(value)), 0)));
  const around = Object.entries(vectors).map(([kind, arrays]) => [kind, [-reach(arrays), reach(arrays)]]);
  return { score: [Math.min(0, ...scores.values), Math.max(0, ...scores.values)], ...Object.fromEntries(around) };
}

// The union of several scales.
const widest = (ranges) => Object.fromEntries(Object.keys(ranges[0] ?? {}).map((kind) =>
  [kind, [Math.min(...ranges.map((one) => one[kind][0])), Math.max(...ranges.map((one) => one[kind][1]))]]));
