// Payload: what the stepper needs to draw traces. The twin of app/components/stepper/payload.py: the same names, the same numbers.
//
// Everything derived (weights between words, probabilities, ranges, the heaviest source word of a row) is computed here.

import { BEGIN, ROWS, byWords } from "./alignment.js";
import { pieces } from "./model_comparison.js";
import { matrix, rowOf } from "./matrix.js";
import { logProbabilityOf, restOf } from "./trace.js";
import { END } from "./words.js";

const CONTROLS = { [BEGIN]: "start of sentence", [END]: "end of sentence" };
const JOINED = "joined to what comes before";
const BYTE = /^<0x[0-9A-F]{2}>$/;
const LANGUAGE_TAG = /^(?!any$)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/; // "any" is a word rule, no language
const GOES_ON = /^[\p{L}\p{N}]/u; // letters or digits without a blank before

// `heads` are one for each trace, or none: `{title, facts, formula}`.
export function payloadOf(traces, heads = []) {
  const ranges = widest(traces.map(rangesOf));
  return traces.map((trace, place) => ({
    ...drawn(trace), ranges, ...(heads.length ? { head: headOf(trace, traces[0], heads[place]) } : {}),
  }));
}

// What is above a column; its translation is in pieces that tell what the first column has other.
export const headOf = (trace, first, head) => ({
  ...head, log_probability: logProbabilityOf(trace), pieces: pieces(trace.target, first.target),
});

// Float32 with their shape, as they are: base64 is for those that travel.
const encode = ({ rows, width, values }) => ({ shape: [rows, width], values });

const vector = (values) => ({ shape: [values.length], values });

function drawn(trace) {
  return {
    name: trace.maker.name,
    stop: trace.stop,
    source: sentence(trace.source),
    target: sentence(trace.target),
    begin: label(BEGIN),
    looked_at: heaviest(trace.weights),
    target_ids: trace.targetIds,
    top_ids: trace.topIds,
    top_labels: trace.topTokens.map((tokens) => tokens.map((token) => label(token, GOES_ON.test(token)))),
    words: Object.fromEntries(ROWS.map((rows) => [rows, words(trace, rows)])),
    ...(trace.posterior ? { posterior: afterwards(trace) } : {}),
    arrays: {
      annotation: encode(trace.annotations),
      initial_state: vector(trace.initialState),
      initial_cell: vector(trace.initialCell),
      state: encode(trace.states),
      cell: encode(trace.cells),
      context: encode(trace.contexts),
      attentional: encode(trace.attentional),
      score: encode(trace.scores),
      mask: encode(trace.mask),
      weight: encode(trace.weights),
      top_probability: encode(trace.topProbabilities),
      rest: vector(restOf(trace)),
      log_probability: vector(trace.logProbabilities),
      probability: vector(trace.logProbabilities.map(Math.exp)),
    },
  };
}

// In place of the weights, with what makes it of them; its rows are those of what was produced.
const afterwards = ({ posterior: { likelihood, posterior }, ...trace }) => ({
  weight: encode(posterior), likelihood: encode(likelihood), looked_at: heaviest(posterior),
  words: words({ ...trace, weights: posterior }, ROWS[0]),
});

// How a document says the language of a text; "" where it is none, as of digits.
export const tagOf = (language) => (LANGUAGE_TAG.test(language) ? language : "");

// A token without the blank that begins a word; `inside` says that it goes on a word.
function label(token, inside = false) {
  if (Object.hasOwn(CONTROLS, token)) return { text: token, kind: "control", title: CONTROLS[token] };
  const kind = BYTE.test(token) ? "byte" : inside ? "piece" : "word";
  return { text: token.replace(/^ /, "") || "␣", kind, title: kind === "piece" ? JOINED : "" };
}

function sentence({ language, tokens, words: texts, wordOf }) {
  const labels = texts.map((text) => ({ text, kind: "word", title: "" }));
  if (tokens.at(-1) === END) labels[labels.length - 1] = label(END);
  return {
    language: tagOf(language),
    tokens: tokens.map((token, i) => label(token, i > 0 && wordOf[i - 1] === wordOf[i])),
    words: labels,
    word_of: wordOf,
  };
}

function words(trace, rows) {
  const merged = byWords(trace, rows);
  return { row_of: merged.rowOf, weight: encode(merged.weights), looked_at: heaviest(merged.weights) };
}

const heaviest = (weights) => Array.from({ length: weights.rows }, (_, i) => {
  const row = rowOf(weights, i);
  return row.indexOf(Math.max(...row));
});

// The ends of each scale, the same at all steps so that steps compare; vectors reach as far below 0 as above.
function rangesOf({ annotations, initialState, states, initialCell, cells, contexts, attentional, scores }) {
  const vectors = {
    annotation: [annotations],
    state: [matrix(1, 0, initialState), states],
    cell: [matrix(1, 0, initialCell), cells],
    context: [contexts],
    attentional: [attentional],
  };
  const reach = (arrays) => Math.max(...arrays.map(({ values }) =>
    values.reduce((far, value) => Math.max(far, Math.abs(value)), 0)));
  const around = Object.entries(vectors).map(([kind, arrays]) => [kind, [-reach(arrays), reach(arrays)]]);
  return { score: [Math.min(0, ...scores.values), Math.max(0, ...scores.values)], ...Object.fromEntries(around) };
}

// From the lowest to the highest end of several scales.
const widest = (ranges) => Object.fromEntries(Object.keys(ranges[0]).map((kind) =>
  [kind, [Math.min(...ranges.map((one) => one[kind][0])), Math.max(...ranges.map((one) => one[kind][1]))]]));
