// Number: the name of a clicked number, its exact value and how it is made, from the page's data; first those of a
// single attention, then those of a Transformer's layers and heads.

import { decode, exact, percent } from "../components/shared/numbers.js";
import {
  AFTERWARDS,
  STEP,
  lookedAt,
  open,
  positionsOf,
  readAs,
  startsFromZeros,
  stepsOf,
} from "../components/stepper/trace_reading.js";

// `{name, value, share, words}` of one of the numbers that the stepper names; `numbers` is the table of numbers.
export function numberOf(trace, asked, numbers) {
  const value = asked.attention ? headValueOf(trace, asked) : valueOf(trace, asked);
  const making = asked.attention ? headMakingOf(trace, asked) : makingOf(trace, asked);
  const { step, position, row, column } = asked;
  const steered = { bonus: trace.marks.added(step ?? row, position ?? column), temperature: trace.marks.temperature };
  return {
    name: fill(numbers.phrases[asked.kind], placesOf(trace, asked)),
    value: asked.kind === "total_log_probability" ? String(value).replace("-", "−") : exact(value),
    share: numbers.units[asked.kind] === "share" ? percent(value) : "",
    words: fill(trace.told[making], steered),
  };
}

// A weight between words that merges nothing is the weight between their tokens.
export function unmerged(trace, asked) {
  if (!["word_weight", "word_posterior"].includes(asked.kind)) return asked;
  const reading = wordsOf(trace, asked);
  const steps = asked.rows === STEP ? [asked.row] : stepsOf(reading, asked.row);
  const positions = positionsOf(reading, asked.column);
  if (steps.length * positions.length > 1) return asked;
  return { trace: asked.trace, kind: asked.kind.replace("word_", ""), step: steps[0], position: positions[0] };
}

// The reading that contains a number between words; a number of a single step is in all.
const wordsOf = (trace, { kind, rows }) => readAs(trace, {
  units: "words", rows: kind === "word_posterior" ? AFTERWARDS : rows === STEP ? "output" : rows,
});

function valueOf(trace, { kind, step, position, component, token, rows, row, column }) {
  if (rows === STEP) return wordsOf(trace, { kind, rows }).atStep(row)[column];
  if (kind === "word_weight") return decode(trace.words[rows].weight).at(row, column);
  if (kind === "word_posterior") return decode(trace.posterior.words.weight).at(row, column);
  if (kind === "posterior") return trace.posterior.weight.at(step, position);
  if (kind === "likelihood") return trace.posterior.likelihood.at(step, position);
  if (kind === "total_log_probability") return trace.head.log_probability;
  if (["annotation", "embedding"].includes(kind)) return trace[kind].at(position, component);
  if (step < 0) return trace[`initial_${kind}`].at(component);
  const rank = kind === "probability" && trace.top_ids ? trace.top_ids[step].indexOf(token) : -1;
  if (rank >= 0) return trace.top_probability.at(step, rank);
  return trace[kind].at(step, position ?? component ?? 0);
}

// The key of the words that say how this number is made.
function makingOf(trace, { kind, step, position }) {
  const { marks } = trace;
  if (kind === "score" && (marks.added(step, position) || marks.temperature !== 1)) return "score/steered";
  if ((kind === "weight" && marks.weighed.has(step)) || marks.vectors(step).has(kind)) return "given";
  if (kind === "weight" && !trace.mask.at(step, position)) return "weight/masked";
  if (kind === "annotation" && marks.annotations.has(position)) return "given";
  if (step < 0) return kind !== "state" || startsFromZeros(trace) ? "zero" : "state/bridge";
  return kind;
}

// The words that complete the phrase of a number; people count from 1.
function placesOf(trace, asked) {
  const { kind, attention, step, position, component, token, rows, row, column } = asked;
  const { names } = trace;
  const places = { component: component + 1, when: step < 0 ? "before the first step" : `at step ${step + 1}` };
  if (attention) return { ...places, ...headPlacesOf(trace, asked) };
  if (position !== undefined) places.source = names.source[position];
  if (["log_probability", "posterior", "likelihood"].includes(kind)) places.produced = names.target[step];
  if (kind === "probability") {
    const rank = trace.top_ids ? trace.top_ids[step].indexOf(token) : -1;
    places.token = rank < 0 ? names.target[step] : names.top[step][rank];
  }
  if (["word_weight", "word_posterior"].includes(kind)) {
    const reading = wordsOf(trace, { kind, rows });
    places.row = rows === STEP ? `step ${row + 1}` : `“${reading.chips[reading.chipOfRow(row)].text}”`;
    places.column = `“${reading.columns[column].text}”`;
  }
  return places;
}

const fill = (phrase, places) => phrase.replace(/\{(\w+)\}/g, (_, name) => String(places[name]));

// Arrays of the stepper whose name is not that of the kind without "head_".
const ARRAYS = { heads_joined: "joined", attention_stream: "stream", feed_forward_stream: "stream_after" };
const OF_LOOKED_AT = ["head_key", "head_value"]; // vectors of a column
const FEED_FORWARD = ["hidden", "feed_forward", "feed_forward_stream"]; // in the decoder the stepper has them with cross-attention

// The attention that a number belongs to, as the stepper draws it.
function attentionOf(trace, { kind, attention, layer, head = -1 }) {
  const drawn = FEED_FORWARD.includes(kind) && attention === "decoder" ? "cross" : attention;
  return open(lookedAt(trace, { attention: drawn, layer: layer + 1, head: head + 1 }), trace.index);
}

function headValueOf(trace, quantity) {
  const { kind, rows, row, column, component } = quantity;
  const one = attentionOf(trace, quantity);
  if (rows === STEP) return readAs(one, { units: "words", rows: "output" }).atStep(row)[column];
  if (kind === "head_word_weight") return decode(one.words[rows].weight).at(row, column);
  if (kind === "head_weight") return one.weight.at(row, column);
  return one[ARRAYS[kind] ?? kind.replace(/^head_/, "")].at(OF_LOOKED_AT.includes(kind) ? column : row, component ?? column);
}

// The key of the words that say how this number is made.
function headMakingOf(trace, quantity) {
  const { kind, attention, row, column } = quantity;
  if (OF_LOOKED_AT.includes(kind)) return attention === "cross" ? `${kind}/cross` : kind;
  if (kind === "head_score") return attention === "cross" && isSteered(trace, quantity) ? "score/steered" : kind;
  const { heads_off = [], head_weights = [], head_vectors = [], weights = [] } = trace.changes ?? {};
  const own = ([where, layer, head]) => where === attention && layer === quantity.layer && head === quantity.head;
  if (kind === "head_mixed" && head_vectors.some((one) => own(one) && one[3] === row)) return "given";
  if (kind !== "head_weight") return kind;
  if (quantity.head < 0) return "head_mean";
  if (heads_off.some(own)) return "weight/off";
  if (head_weights.some((one) => own(one) && one[3] === row)) return "given";
  if (attention === "cross" && weights.includes(row)) return "given";
  return attentionOf(trace, quantity).mask.at(row, column) ? kind : "weight/masked";
}

const isSteered = ({ marks }, { row, column }) => marks.temperature !== 1 || Boolean(marks.added(row, column));

// The words that complete the phrase of a number.
function headPlacesOf(trace, quantity) {
  const { kind, attention, layer, head, rows, row, column } = quantity;
  const names = trace.names.heads[attention];
  const of_layer = `layer ${layer + 1} of the ${names.called}`;
  const places = {
    of_layer,
    of_head: `${head >= 0 ? `head ${head + 1}` : "the mean of the heads"}, ${of_layer}`,
    side: `${attention === "encoder" ? "encoder" : "decoder"} layer ${layer + 1}`,
    from_row: names.rows[row],
    looked: names.columns[column],
  };
  if (kind !== "head_word_weight") return places;
  const reading = readAs(attentionOf(trace, quantity), { units: "words", rows: rows === STEP ? "output" : rows });
  const word_row = rows === STEP ? names.rows[row].replace("at ", "") : `“${reading.chips[reading.chipOfRow(row)].text}”`;
  return { ...places, word_row, column: `“${reading.columns[column].text}”` };
}
