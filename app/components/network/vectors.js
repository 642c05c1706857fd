// Vectors of a picture: where they come from, how their cells lie and how strong they are, and what a cell opens.
//
// Those of a recurrent network are coordinates along principal axes, those of a Transformer's head all of its components:
// a mixed vector is, cell by cell, the weighted sum of the values.

import { decode } from "../shared/numbers.js";
import { componentOf } from "../stepper/heads.js";
import { tile } from "./tile.js";

// What asks, what it is compared with, what is mixed by the weights, and what that makes.
const KINDS = {
  recurrent: { asks: "state", compared: "annotation", from: "annotation", into: "context" },
  head: { asks: "query", compared: "key", from: "value", into: "mixed" },
};
export const kindsOf = (trace) => (trace.look ? KINDS.head : KINDS.recurrent);
export const rowsOf = (trace, kind) => (trace.look ? trace[kind] : decode(trace.network.coordinates[kind]));

const ARRAYS = { share: "value", other: "mixed" }; // of what is drawn under another name
const WIDE = ["normalised", "joined", "stream", "stream_after"];

// What each head of the layer makes of its own values.
export const mixedByHeads = ({ heads, look }) => heads[look.attention].layers[look.layer - 1].heads.map((head) => decode(head.arrays.mixed));

// Makes tiles; those of one length have their components at the same places. `flat` is for low tiles.
export function tileMaker(trace, hues, flat = false) {
  if (!trace.look) return (at, count, kind) => tile(at, count, hues, kind);
  const reach = reachOf(trace);
  const columns = (count, kind) => 2 ** Math.ceil(Math.log2(Math.sqrt(count)) + Number(flat || WIDE.includes(kind)));
  return (at, count, kind) => tile(at, count, hues, kind, { reach: reach(kind), columns: columns(count, kind) });
}

// The number at which a cell is as strong as it can be: the largest of its kind, and one for values and what is made of them.
function reachOf(trace) {
  const most = (...all) => all.reduce((far, { values }) => values.reduce((one, value) => Math.max(one, Math.abs(value)), far), 0) || 1;
  const mixing = most(trace.value, ...mixedByHeads(trace));
  const known = { value: mixing, share: mixing, mixed: mixing, other: mixing };
  return (kind) => (known[kind] ??= most(trace[kind]));
}

// The name of one component of a head's vectors or its layer's; `place` is {position} of what is looked at, or {step}.
export function componentAt(trace, kind, { position, step, ...head }, component) {
  return { ...componentOf(trace, ARRAYS[kind] ?? kind, position ?? step, component), ...head };
}
