// Vectors of a picture: their source, the layout and strength of their cells, and the number that a cell opens.
//
// A recurrent network's are coordinates along principal axes, a Transformer head's are all components: a mixed vector
// is, cell by cell, the weighted sum of the values.

import { decode } from "../shared/numbers.js";
import { componentOf } from "../stepper/heads.js";
import { tile } from "./tile.js";

// The asking vector, those it is compared with, those that the weights mix, and the result.
const KINDS = {
  recurrent: { asks: "state", compared: "annotation", from: "annotation", into: "context" },
  head: { asks: "query", compared: "key", from: "value", into: "mixed" },
};
export const kindsOf = (trace) => (trace.look ? KINDS.head : KINDS.recurrent);
export const rowsOf = (trace, kind) => (trace.look ? trace[kind] : decode(trace.network.coordinates[kind]));

// False for imported heads, and for axes measured before embeddings had theirs.
export const hasEmbeddings = (trace) => Boolean(trace.look ? trace.embedded : trace.network.coordinates.embedding);

// A tile under each source token for its vector of a kind, in a row at this height.
export function tileRow(trace, places, kind, { y, height }, make) {
  const rows = rowsOf(trace, kind);
  return trace.source.tokens.map((_, i) => {
    const one = make({ x: places.x(i), y, width: places.tile.width, height }, rows.width, kind, () => ({ position: i }));
    one.paint(rows.row(i));
    return one;
  });
}

// The row of embeddings, which in a Transformer hold the position too.
export const embeddingTiles = (trace, places, make) => (hasEmbeddings(trace)
  ? tileRow(trace, places, trace.look ? "embedded" : "embedding", { y: places.embedding, height: places.tile.low }, make) : []);

const ARRAYS = { share: "value", other: "mixed" }; // of vectors drawn under another name
const WIDE = ["embedded", "normalised", "joined", "stream", "stream_after"];

// The weighted sum of each head's own values.
export const mixedByHeads = ({ heads, look }) => heads[look.attention].layers[look.layer - 1].heads.map((head) => decode(head.arrays.mixed));

// Makes tiles; vectors of one length have their components in the same places. `flat` is for low tiles.
export function tileMaker(trace, hues, flat = false) {
  if (!trace.look) return (at, count, kind) => tile(at, count, hues, kind);
  const reach = reachOf(trace);
  const columns = (count, kind) => 2 ** Math.ceil(Math.log2(Math.sqrt(count)) + Number(flat || WIDE.includes(kind)));
  return (at, count, kind) => tile(at, count, hues, kind, { reach: reach(kind), columns: columns(count, kind) });
}

// The number at which a cell has full colour: the largest of its kind; values and their mixtures share one.
function reachOf(trace) {
  const most = (...all) => all.reduce((far, { values }) => values.reduce((one, value) => Math.max(one, Math.abs(value)), far), 0) || 1;
  const mixing = most(trace.value, ...mixedByHeads(trace));
  const known = { value: mixing, share: mixing, mixed: mixing, other: mixing };
  return (kind) => (known[kind] ??= most(trace[kind]));
}

// The name of a component of a head's or its layer's vectors; `place` is {position} of the token looked at, or {step}.
export function componentAt(trace, kind, { position, step, ...head }, component) {
  return { ...componentOf(trace, ARRAYS[kind] ?? kind, position ?? step, component), ...head };
}
