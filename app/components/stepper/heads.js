// Heads: a Transformer's trace as one of its many attentions, drawn like the single attention of other models.
//
// A look is `{attention, layer, head}`: "cross", "decoder" or "encoder"; layers and heads count from 1, layer 0 is the
// last, head 0 the mean of all. While the encoder reads (steps below 0) the look is at the encoder's attention.

import { UNCHANGED } from "./marks.js";

export const ATTENTIONS = { cross: "Cross-attention", decoder: "Decoder self-attention", encoder: "Encoder self-attention" };
export const EVERYWHERE = { attention: "cross", layer: 0, head: 0, picture: "", phase: "whole" };

// The attention, layer and head on view; numbers beyond the model's mean its last.
export function placeOf(raw, { attention, layer, head }) {
  const there = attention in raw.heads ? attention : "cross"; // imported attention may lack some kinds
  const { layers } = raw.heads[there];
  const own = layer ? Math.min(layer, layers.length) : layers.length;
  return { attention: there, layer: own, head: Math.min(head, layers[0].heads.length) };
}

// The trace for stepper.js, with the sides, weights and vectors of one attention.
export function lookedAt(raw, look) {
  if (!raw.heads) return raw;
  const place = placeOf(raw, look);
  const { source, target, begin, mask, layers, embedded } = raw.heads[place.attention];
  const layer = layers[place.layer - 1];
  const one = place.head ? layer.heads[place.head - 1] : layer.mean;
  return {
    ...raw, source, target, begin: begin ?? undefined, looked_at: one.looked_at, words: one.words, look: place,
    arrays: { ...raw.arrays, ...(embedded && { embedded }), ...layer.arrays, ...one.arrays, mask },
    reads: raw.source.tokens.length, writes: raw.target.tokens.length, atOnce: begin === null,
    changes: raw.changes && changesOf(raw.changes, place),
  };
}

// The changes that this attention shows.
function changesOf(changes, { attention, layer, head }) {
  const here = (one) => one[0] === attention && one[1] === layer - 1 && one[2] === head - 1;
  const own = attention === "cross" ? changes : { ...changes, hidden: [], words: [], gold: [] };
  const decoding = attention === "encoder" ? { forced: [], fed: [], against: null } : {};
  return {
    ...UNCHANGED, ...own, ...decoding, bonus: [],
    vectors: attention === "encoder" ? [] : [...changes.vectors ?? [],
      ...(changes.head_vectors ?? []).filter(here).map(([, , , row]) => ["mixed", row, "values mixed"])],
    weights: changes.head_weights.filter(here).map(([, , , row]) => row), off: changes.heads_off.some(here),
  };
}

export const isOff = (changes, place) => (changes?.heads_off ?? []).some(
  ([attention, layer, head]) => attention === place.attention && layer === place.layer - 1 && head === place.head - 1);

export function nameOf({ layer, head }) {
  return head ? `layer ${layer}, head ${head}` : `layer ${layer}, mean of the heads`;
}

// The head's name in a change of weights; in the decoder a token attends only up to itself.
export function ofHead({ look }, { step, row }) {
  const weights = look.attention === "decoder" ? row.slice(0, step + 1) : row;
  return { attention: look.attention, layer: look.layer - 1, head: look.head - 1, step, row: weights };
}

// The name of a number of this attention.
export const numberOf = ({ index, look }, kind, place) =>
  ({ trace: index, kind, attention: look.attention, layer: look.layer - 1, head: look.head - 1, ...place });

// The name of the score or the weight between two tokens, in any network.
export const betweenOf = (trace, kind, step, position) => (trace.look
  ? numberOf(trace, `head_${kind}`, { row: step, column: position }) : { trace: trace.index, kind, step, position });

// The owner of each vector, which names its components: a head, the token it looks at, all heads of a layer or side, or
// the bottom of the stack below the token.
const VECTORS = {
  normalised: ["layer", "normalised"], query: ["head", "head_query"], key: ["looked", "head_key"], value: ["looked", "head_value"],
  mixed: ["head", "head_mixed"], joined: ["layer", "heads_joined"], stream: ["layer", "attention_stream"], hidden: ["side", "hidden"],
  embedded: ["bottom", "embedded"], feed_forward: ["side", "feed_forward"], stream_after: ["side", "feed_forward_stream"],
};
export const isLookedAt = (name) => VECTORS[name]?.[0] === "looked";

// The name of a component of a vector; `row` is that of the token that asks, or is looked at.
export function componentOf(trace, name, row, component) {
  const [whose, kind] = VECTORS[name];
  if (whose === "head") return numberOf(trace, kind, { row, component });
  if (whose === "looked") return numberOf(trace, kind, { column: row, component });
  const { index, look } = trace;
  if (whose === "bottom") return { trace: index, kind, attention: look.attention === "cross" ? "encoder" : look.attention, row, component };
  const attention = whose === "side" && look.attention === "cross" ? "decoder" : look.attention;
  return { trace: index, kind, attention, layer: look.layer - 1, row, component };
}
