// Edits: one change that was made in the stepper becomes part of what is asked. The twin of app/screens/translate/what_if/edits.py.

import { interventionOf } from "./intervention.js";
import { reword } from "./source_edits.js";
import { tokensOf, written } from "./forced_text.js";

const EDITS = {
  token: ({ step, token }, { shown }) => written(shown.intervention, shown, step, [token]),
  text: ({ step, text }, { tokenizer, shown }) =>
    written(shown.intervention, shown, step, tokensOf(tokenizer, shown.targetIds.slice(0, step), text, step)),
  free: ({ step }, { shown }) => written(shown.intervention, shown, step, []),
  weights({ step, row }, { shown: { intervention } }) {
    const others = intervention.weights.filter(([at]) => at !== step);
    return { ...intervention, weights: sorted([...others, ...(row.length ? [[step, row]] : [])]) };
  },
  // Weights that were set by hand on what is masked now go to the others, in proportion.
  mask({ positions, masked }, { shown: { intervention } }) {
    const others = intervention.hidden.filter((position) => !positions.includes(position));
    const hidden = [...(masked ? [...others, ...positions] : others)].sort((one, other) => one - other);
    return { ...intervention, hidden, weights: intervention.weights.map(([step, row]) => [step, without(row, hidden)]) };
  },
  word: ({ word, text }, { tokenizer, sentence, shown }) => reword(tokenizer, sentence, shown.intervention, word, text),
  bonus({ step, position, value }, { shown: { intervention } }) {
    const others = intervention.bonus.filter(([at, place]) => at !== step || place !== position);
    return { ...intervention, bonus: sorted([...others, ...(value ? [[step, position, value]] : [])]) };
  },
  temperature: ({ value }, { shown: { intervention } }) => ({ ...intervention, temperature: value }),
};

// The changes so far with one more; `asked` is `{tokenizer, sentence, shown}`, the trace with all changes so far.
export function edited(edit, asked) {
  if (!Object.hasOwn(EDITS, edit.kind)) throw new Error(`${edit.kind} is no change that can be made`);
  return interventionOf(EDITS[edit.kind](edit, asked));
}

const sorted = (changes) => changes.sort(([step, place], [other, after]) => step - other || place - after);

// As it is where nothing is taken from it, or where nothing would be left.
function without(row, hidden) {
  const kept = row.map((weight, place) => (hidden.includes(place) ? 0 : weight));
  const sum = kept.reduce((total, weight) => total + weight, 0);
  if (!sum || kept.every((weight, place) => weight === row[place])) return row;
  return kept.map((weight) => weight / sum);
}
