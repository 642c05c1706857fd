// Number: the name of a clicked number, its exact value and how it is made, from the page's data; first those of a
// single attention, then those of a Transformer's layers and heads.

import { exact, percent } from "../components/shared/numbers.js";
import { lookedAt, open, startsFromZeros } from "../components/stepper/trace_reading.js";
import { nameOf } from "./engine/quantity.js";

// `{name, value, share, words}` of one of the numbers that the stepper names; `numbers` is the table of numbers.
export function numberOf(trace, asked, numbers) {
  const value = asked.attention ? headValueOf(trace, asked) : valueOf(trace, asked);
  const making = asked.attention ? headMakingOf(trace, asked) : makingOf(trace, asked);
  const { step, position, row, column } = asked;
  const steered = { bonus: trace.marks.added(step ?? row, position ?? column), temperature: trace.marks.temperature };
  return {
    name: nameOf(asked, named(trace), numbers.phrases),
    value: asked.kind === "total_log_probability" ? String(value).replace("-", "−") : exact(value),
    share: numbers.units[asked.kind] === "share" ? percent(value) : "",
    words: trace.told[making].replace(/\{(\w+)\}/g, (_, place) => String(steered[place])),
  };
}

// The trace as the names of its numbers need it.
export const named = ({ sentences: { source, target }, weight: weights, target_ids: targetIds, top_ids: topIds = [], top_tokens: topTokens }) =>
  ({ source, target, weights, targetIds: targetIds ?? target.tokens.map((_, step) => step), topIds, topTokens });

function valueOf(trace, { kind, step, position, component, token, rows, row, column }) {
  if (kind === "word_weight") return trace.words(rows).weight.at(row, column);
  if (kind === "word_posterior") return trace.posterior.words(rows).weight.at(row, column);
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
  if (kind === "head_word_weight") return one.words(rows).weight.at(row, column);
  if (kind === "head_weight") return one.weight.at(row, column);
  return one[ARRAYS[kind] ?? kind.replace(/^head_/, "")].at(OF_LOOKED_AT.includes(kind) ? column : row, component ?? column);
}

// The key of the words that say how this number is made.
function headMakingOf(trace, quantity) {
  const { kind, attention, row, column } = quantity;
  if (OF_LOOKED_AT.includes(kind)) return attention === "cross" ? `${kind}/cross` : kind;
  const { marks } = trace;
  if (kind === "head_score") return attention === "cross" && (marks.temperature !== 1 || marks.added(row, column)) ? "score/steered" : kind;
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
