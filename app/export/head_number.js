// Head number: a clicked number of a Transformer's layers and heads: its value, its making, and the words of its name.

import { decode } from "../components/shared/numbers.js";
import { lookedAt } from "../components/stepper/heads.js";
import { open, readAs, STEP } from "../components/stepper/trace_reading.js";

// Arrays of the stepper whose name is not that of the kind without "head_".
const ARRAYS = { heads_joined: "joined", attention_stream: "stream", feed_forward_stream: "stream_after" };
const OF_LOOKED_AT = ["head_key", "head_value"]; // vectors of a column
const FEED_FORWARD = ["hidden", "feed_forward", "feed_forward_stream"]; // in the decoder the stepper has them with cross-attention

// The attention that a number belongs to, as the stepper draws it.
function attentionOf(trace, { kind, attention, layer, head = -1 }) {
  const drawn = FEED_FORWARD.includes(kind) && attention === "decoder" ? "cross" : attention;
  return open(lookedAt(trace, { attention: drawn, layer: layer + 1, head: head + 1 }), trace.index);
}

export function headValueOf(trace, quantity) {
  const { kind, rows, row, column, component } = quantity;
  const one = attentionOf(trace, quantity);
  if (rows === STEP) return readAs(one, { units: "words", rows: "output" }).atStep(row)[column];
  if (kind === "head_word_weight") return decode(one.words[rows].weight).at(row, column);
  if (kind === "head_weight") return one.weight.at(row, column);
  return one[ARRAYS[kind] ?? kind.replace(/^head_/, "")].at(OF_LOOKED_AT.includes(kind) ? column : row, component ?? column);
}

// The key of the words that say how this number is made.
export function headMakingOf(trace, quantity) {
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
export function headPlacesOf(trace, quantity) {
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
