// Payload: what the stepper draws of traces, with the differences between their translations.

// Model comparison: a translation in runs of words that another one shares and runs that it lacks. The twin of
// model/analysis/model_comparison.py; the longest matching runs are paired first, as Python's difflib does.

import { BEGIN, ROWS, spansOf, spoken } from "./alignment.js";
import { encode, heaviest, label, labelled, likeliestLabels, vector, weightArrays, wordWeights } from "./labels.js";
import { matrix } from "./matrix.js";
import { networkOf } from "./principal_axes.js";
import { logProbabilityOf, restOf } from "./trace.js";
import { headsOf } from "./transformer/heads.js";
import { carriedOver, withCarried } from "./unknown_words.js";
import { isTransformer } from "./transformer/transformer.js";

// Pieces `{text, kind}` that add up to the text, but for those of kind "missing".
export function pieces(sentence, other) {
  const [spans, otherSpans] = [spansOf(sentence), spansOf(other)];
  const [words, otherWords] = [sentence, other].map((one) => one.words.slice(0, spoken(one)));
  const found = [];
  let written = 0; // characters of the text so far
  for (const { kind, start, stop, first, last } of changesOf(otherWords, words)) {
    if (kind === "delete") {
      found.push({ text: other.text.slice(otherSpans[start].start, otherSpans[stop - 1].stop), kind: "missing" });
      continue;
    }
    const run = { start: spans[first].start, stop: spans[last - 1].stop };
    found.push({ text: sentence.text.slice(written, run.start), kind: "same" });
    found.push({ text: sentence.text.slice(run.start, run.stop), kind: kind === "equal" ? "same" : "other" });
    written = run.stop;
  }
  found.push({ text: sentence.text.slice(written), kind: "same" });
  return found.filter(({ text }) => text);
}

// How the first list becomes the second: runs from `start` to `stop` of the one, `first` to `last` of the other.
function changesOf(one, other) {
  const changes = [];
  let [i, j] = [0, 0];
  for (const [a, b, size] of [...matches(one, other, 0, one.length, 0, other.length), [one.length, other.length, 0]]) {
    const kind = i < a && j < b ? "replace" : i < a ? "delete" : j < b ? "insert" : null;
    if (kind) changes.push({ kind, start: i, stop: a, first: j, last: b });
    [i, j] = [a + size, b + size];
    const before = changes.at(-1);
    if (size && before?.kind === "equal" && before.stop === a && before.last === b) {
      Object.assign(before, { stop: i, last: j });
    } else if (size) changes.push({ kind: "equal", start: a, stop: i, first: b, last: j });
  }
  return changes;
}

// Runs that both have, as [place in the one, place in the other, length], in order.
function matches(one, other, start, stop, first, last) {
  let [a, b, size] = [start, first, 0];
  for (let i = start; i < stop; i += 1) {
    for (let j = first; j < last; j += 1) {
      let length = 0;
      while (i + length < stop && j + length < last && one[i + length] === other[j + length]) length += 1;
      if (length > size) [a, b, size] = [i, j, length];
    }
  }
  if (!size) return [];
  return [
    ...matches(one, other, start, a, first, b), [a, b, size], ...matches(one, other, a + size, stop, b + size, last),
  ];
}

// Payload: the stepper's data. The twin of app/components/stepper/payload.py: the same names, the same numbers.
//
// Everything derived (weights between words, probabilities, ranges, the heaviest source word of a row) is computed here.

// `heads` has one `{title, facts, formula}` per trace, or none.
export function payloadOf(traces, heads = []) {
  const ranges = widest(traces.filter((trace) => !isTransformer(trace)).map(rangesOf));
  return traces.map((trace, place) => ({
    ...drawn(trace), ranges, ...(heads.length ? { head: headOf(trace, traces[0], heads[place]) } : {}),
  }));
}

// A column's head; its translation is in pieces that mark differences from the first column.
export const headOf = (trace, first, head) => ({
  ...head, log_probability: logProbabilityOf(trace), pieces: carriedOver(trace).length ? [{ text: withCarried(trace), kind: "same" }] : pieces(trace.target, first.target),
});

function drawn(trace) {
  const { arrays, ...numbers } = (isTransformer(trace) ? ofTransformer : ofRecurrent)(trace);
  return {
    name: trace.maker.name,
    stop: trace.stop,
    carried: carriedOver(trace).map(({ target, text }) => [target.start, target.stop, text.trim()]),
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
