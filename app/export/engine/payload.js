// Payload: what the stepper draws of traces, with the differences between their translations.

import { BEGIN, carriedOver, ROWS, spansOf, spoken, withCarried } from "./alignment.js";
import { encode, heaviest, label, labelled, likeliestLabels, vector, weightArrays, wordWeights } from "./labels.js";
import { matrix } from "./matrix.js";
import { networkOf } from "./principal_axes.js";
import { logProbabilityOf, restOf } from "./trace.js";
import { headsOf } from "./heads.js";
import { isTransformer } from "./transformer.js";

// The pieces `{text, kind}` of a sentence: "other" are words that another one lacks or has less often. The twin of
// model/analysis/model_comparison.py.
export function pieces(sentence, other) {
  const left = other.words.slice(0, spoken(other));
  const found = /** @type {any[]} */ ([]);
  let end = 0;
  function add(text, kind) {
    if (found.at(-1)?.kind === kind) found.at(-1).text += text;
    else if (text) found.push({ text, kind });
  }
  spansOf(sentence).forEach(({ start, stop }, word) => {
    const place = left.indexOf(sentence.words[word]);
    if (place >= 0) left.splice(place, 1);
    add(sentence.text.slice(end, start), "same");
    add(sentence.text.slice(start, stop), place < 0 ? "other" : "same");
    end = stop;
  });
  add(sentence.text.slice(end), "same");
  return found;
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

// The step at which a translation opens. The twin of app/visitor/telling_step.py, with its tables.

const WHOLE = 3; // the rank of a whole word, at least

// `tables` are those of telling_step.toml.
export function tellingStep({ source, target, weights, topProbabilities }, tables) {
  const [sources, written] = [source, target].map((side) => ranksOf(side, tables.function_words[side.language] ?? ""));
  const looked = heaviest(weights);
  const worth = written.map((rank, t) => {
    const at = sources[looked[t]];
    return 100 * Number(rank >= WHOLE && at > 0) + 10 * Math.min(rank, at) + rank;
  });
  const steps = worth.flatMap((value, t) => (value === Math.max(...worth) ? [t] : []));
  const crossing = steps.filter((t) => steps.some((later) => later > t && looked[later] < looked[t]));
  const named = [...worth.keys()].filter((t) => target.tokens[t].trim() === tables.about[source.text]);
  const best = [named, crossing, steps].find((some) => some.length);
  const second = best.map((t) => topProbabilities.values[t * topProbabilities.width + 1]);
  return best[second.indexOf(Math.max(...second))] + 1;
}

// How telling each token is: 4 for a whole content word, 3 for another whole word, 2 for the first piece of a word, 1
// for a later one, 0 for a mark or the end of the sentence.
function ranksOf(side, functionWords) {
  const little = new Set(functionWords.split(/\s+/));
  const count = (word) => side.wordOf.filter((other) => other === word).length;
  return side.wordOf.map((word, position) => {
    const text = side.words[word];
    if (word >= spoken(side) || !/\p{L}/u.test(text)) return 0;
    if (count(word) > 1) return side.wordOf.indexOf(word) === position ? 2 : 1;
    return little.has(text.toLowerCase()) ? WHOLE : 4;
  });
}
