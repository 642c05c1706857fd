// Edits: one gesture in the stepper becomes part of the intervention. The twin of model/changes/edits.py.

import { inParts, total } from "../../../components/shared/numbers.js";
import { isHead } from "./head_changes.js";
import { interventionOf } from "./intervention.js";
import { reword } from "./rewording.js";
import { tokensOf, written } from "./forced_text.js";

const EDITS = {
  token: ({ step, token }, { shown }) => written(shown.intervention, shown, step, [token]),
  text: ({ step, text }, { tokenizer, shown }) =>
    written(shown.intervention, shown, step, tokensOf(tokenizer, shown.targetIds.slice(0, step), text, step)),
  free: ({ step }, { shown }) => written(shown.intervention, shown, step, []),
  weights({ step, row }, { shown: { intervention } }) {
    const others = intervention.weights.filter(([at]) => at !== step);
    return { ...intervention, weights: sorted([...others, ...(row.length ? [[step, rounded(row)]] : [])]) };
  },
  // Moves weights set by hand on masked positions to the others, in proportion.
  mask({ positions, masked }, { shown: { intervention } }) {
    const others = intervention.hidden.filter((position) => !positions.includes(position));
    const hidden = [...new Set(masked ? [...others, ...positions] : others)].sort((one, other) => one - other);
    const weights = intervention.weights.map(([step, row]) => [step, without(row, hidden)]);
    const ofHeads = intervention.head_weights.map(([attention, layer, head, step, row]) =>
      [attention, layer, head, step, attention === "cross" ? without(row, hidden) : row]);
    return { ...intervention, hidden, weights, head_weights: ofHeads };
  },
  word: ({ word, text }, { tokenizer, sentence, shown }) => reword(tokenizer, sentence, shown.intervention, word, text),
  bonus({ step, position, value }, { shown: { intervention } }) {
    const others = intervention.bonus.filter(([at, place]) => at !== step || place !== position);
    return { ...intervention, bonus: sorted([...others, ...(value ? [[step, position, value]] : [])]) };
  },
  temperature: ({ value }, { shown: { intervention } }) => ({ ...intervention, temperature: value }),
  // Switches a head of a Transformer off, forgetting weights set by hand in it, or on again.
  head({ attention, layer, head, off }, { shown: { intervention } }) {
    const named = [attention, layer, head];
    const others = intervention.heads_off.filter((one) => !isHead(one, named));
    const rows = intervention.head_weights.filter((row) => !isHead(row, named) || !off);
    return { ...intervention, heads_off: inOrder(off ? [...others, named] : others), head_weights: rows };
  },
  // Sets the weights of one row of one head, switching the head on again if it was off.
  head_weights({ attention, layer, head, step, row }, { shown: { intervention } }) {
    const named = [attention, layer, head];
    const others = intervention.head_weights.filter((one) => !isHead(one, named) || one[3] !== step);
    const off = intervention.heads_off.filter((one) => !isHead(one, named));
    return { ...intervention, heads_off: off, head_weights: inOrder(row.length ? [...others, [...named, step, rounded(row)]] : others) };
  },
};

// The changes with one more; `asked` is `{tokenizer, sentence, shown}`, `shown` being the trace with the changes so far.
export function edited(edit, asked) {
  if (!Object.hasOwn(EDITS, edit.kind)) throw new Error(`${edit.kind} is not a change that can be made`);
  return interventionOf(EDITS[edit.kind](edit, asked));
}

const sorted = (changes) => changes.sort(([step, place], [other, after]) => step - other || place - after);

// By attention, layer, head and row.
const inOrder = (heads) => heads.sort(([attention, ...place], [other, ...after]) => attention.localeCompare(other)
  || place[0] - after[0] || place[1] - after[1] || (place[2] ?? 0) - (after[2] ?? 0));

// Unchanged if nothing is removed from it, or nothing would be left.
function without(row, hidden) {
  const kept = row.map((weight, place) => (hidden.includes(place) ? 0 : weight));
  const sum = total(kept);
  if (!sum || kept.every((weight, place) => weight === row[place])) return row;
  return rounded(kept.map((weight) => weight / sum));
}

// A row that does not add up to 1 is left as it is, and refused elsewhere; NaN does not.
const rounded = (row) => (Math.abs(total(row) - 1) < 1e-4 ? inParts(row) : row);
