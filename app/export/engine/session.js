// Session of changes: the edits of one translation, each tried before it is kept, or refused with the reason. The twin of
// model/changes/session.py.
//
//     session     {history, refused: why the last edit was refused or "", heard: the number of the last edit}
//     history     {present, past: earlier changes, future: those undone}
//     translator  {tokenizer, sentence, translate(changes)}; `translate` throws where the changes cannot be made
//     edit        one gesture in the stepper, which becomes part of the intervention

import { inParts, total } from "../../components/shared/numbers.js";
import {
  described,
  interventionOf,
  isHead,
  isUntouched,
  KINDS,
  rowsOf,
  same,
  TEMPERATURES,
  UNTOUCHED,
  withRows,
} from "./intervention.js";
import { originsOf, reword, spansWith, tokensOf, written } from "./rewording.js";
import { slice } from "./words.js";

const UNDO_STEPS = 200; // undo steps kept

const BEGINNING = { present: UNTOUCHED, past: [], future: [] };

// The history with a new present, forgetting undone states. The same present is no change.
const changed = (history, present) => (same(present, history.present)
  ? history
  : { present, past: [...history.past, history.present].slice(-UNDO_STEPS), future: [] });

const WAYS = {
  undo: ({ present, past, future }) => (past.length
    ? { present: past.at(-1), past: past.slice(0, -1), future: [...future, present] }
    : { present, past, future }),
  redo: ({ present, past, future }) => (future.length
    ? { present: future.at(-1), past: [...past, present], future: future.slice(0, -1) }
    : { present, past, future }),
  reset: (history) => changed(history, UNTOUCHED),
};

export const NOTHING_CHANGED = { history: BEGINNING, refused: "", heard: 0 };

const EDITS = {
  token: ({ step, token }, { shown }) => written(shown.intervention, shown, step, [token]),
  text: ({ step, text }, { tokenizer, shown }) =>
    written(shown.intervention, shown, step, tokensOf(tokenizer, shown.targetIds.slice(0, step), text, step)),
  free: ({ step }, { shown }) => written(shown.intervention, shown, step, []),
  weights: ({ step, row }, { shown: { intervention } }) =>
    ({ ...intervention, weights: placed(intervention.weights, [step], row.length && rounded(row)) }),
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
  bonus: ({ step, position, value }, { shown: { intervention } }) =>
    ({ ...intervention, bonus: placed(intervention.bonus, [step, position], value) }),
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
    const off = intervention.heads_off.filter((one) => !isHead(one, named));
    const rows = placed(intervention.head_weights, [...named, step], row.length && rounded(row));
    return { ...intervention, heads_off: off, head_weights: rows };
  },
};

// The changes with one more; `asked` is `{tokenizer, sentence, shown}`, `shown` being the trace with the changes so far.
export function edited(edit, asked) {
  if (!Object.hasOwn(EDITS, edit.kind)) throw new Error(`${edit.kind} is not a change that can be made`);
  return interventionOf(EDITS[edit.kind](edit, asked));
}

// The rows with one whose place and content these are; without content the place is left to the model.
function placed(rows, place, content) {
  const others = rows.filter((row) => place.some((value, i) => row[i] !== value));
  return inOrder(content ? [...others, [...place, content]] : others);
}

// By place, such as attention, layer, head and row.
const inOrder = (rows) => rows.sort((one, other) => {
  const at = one.findIndex((value, i) => value !== other[i]);
  return one[at] < other[at] ? -1 : 1;
});

// Unchanged if nothing is removed from it, or nothing would be left.
function without(row, hidden) {
  const kept = row.map((weight, place) => (hidden.includes(place) ? 0 : weight));
  const sum = total(kept);
  if (!sum || kept.every((weight, place) => weight === row[place])) return row;
  return rounded(kept.map((weight) => weight / sum));
}

// A row that does not add up to 1 is left as it is, and refused elsewhere; NaN does not.
const rounded = (row) => (Math.abs(total(row) - 1) < 1e-4 ? inParts(row) : row);

// Makes the new edits, in order.
export const hear = (session, edits, translator) => edits.reduce((now, { number, ...edit }) =>
  (number > now.heard ? { ...make(now, edit, translator), heard: number } : now), session);

// Makes one edit, or undo, redo or reset.
export function make(session, edit, translator) {
  if (Object.hasOwn(WAYS, edit.kind)) return { ...session, history: WAYS[edit.kind](session.history), refused: "" };
  try {
    const { tokenizer, sentence } = translator;
    const shown = translator.translate(session.history.present);
    return put(session, edited(edit, { tokenizer, sentence, shown }), translator);
  } catch (error) {
    return { ...session, refused: error.message };
  }
}

// Replaces all changes by these, if the sentence can be translated with them.
export function put(session, changes, translator) {
  try {
    translator.translate(changes);
  } catch (error) {
    return { ...session, refused: error.message };
  }
  return { ...session, history: changed(session.history, changes), refused: "" };
}

// Marks of changes: what the stepper marks in a translation with changes, lists in plain words and offers next. The twin
// of model/changes/marks.py.

const BETWEEN = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 5, 10]; // temperatures on offer
const ALIGNED = "This page has no sentences that people have aligned.";

// The changes of a trace as `{text, without}`, those of the whole translation first.
export function toldOf(tokenizer, sentence, before, after) {
  const changes = after.intervention;
  const found = Object.keys(KINDS).flatMap((name) => {
    const rows = rowsOf(changes, name);
    return described(name, rows, before, after).map(({ order, text, rows: made }) => {
      const word = name === "words" ? made[0][0] : null;
      const without = word === null ? withRows(changes, name, rows.filter((row) => !made.includes(row)))
        : reword(tokenizer, sentence, changes, word, before.source.words[word]); // moves other changes back
      return { order, text, without };
    });
  });
  return found.sort((one, other) => one.order - other.order);
}

export function offeredFor(tokenizer, sentence, given, before, after) {
  const { tokens, weights, hidden, bonus, temperature, heads_off: off, head_weights: rows } = after.intervention;
  return {
    forced: tokens.map(([step]) => step),
    fed: fedSteps(tokenizer, given, after),
    weights: weights.map(([step]) => step),
    hidden,
    bonus,
    heads_off: off,
    head_weights: rows.map((row) => row.slice(0, 4)),
    temperature,
    temperatures: [...new Set([...TEMPERATURES, ...BETWEEN, temperature])].sort((one, other) => one - other),
    words: sourceWords(tokenizer, sentence, after),
    gold: after.targetIds.map(() => ({ row: [], why: ALIGNED })),
    against: isUntouched(after.intervention) ? null : against(before, after),
  };
}

// Steps that were neither chosen by the model nor forced: those of a given translation before what was forced.
function fedSteps(tokenizer, given, { targetIds, intervention }) {
  const own = given ? tokenizer.encode(given, tokenizer.languages[1]).ids.length : 0;
  const length = Math.min(own, targetIds.length, ...intervention.tokens.map(([step]) => step));
  return Array.from({ length }, (_, step) => step);
}

// For each current source word: the index of its word in the sentence, and that word before and now.
function sourceWords(tokenizer, sentence, { source, intervention }) {
  const encode = (text) => tokenizer.encode(text, tokenizer.languages[0]);
  const plain = encode(sentence);
  const now = new Map(intervention.words);
  const own = plain.words.map((span) => slice(plain.text, span));
  return originsOf(spansWith(plain, intervention.words), encode(source.text).words)
    .map((word) => ({ word, was: own[word], now: now.get(word) ?? own[word] }));
}

// For each step that both reached by the same tokens: the likeliest tokens after as [rank before, gain in
// probability], null for one that was not among the likeliest before.
function against(before, after) {
  const until = before.targetIds.findIndex((id, step) => id !== after.targetIds[step]);
  const most = Math.min(before.targetIds.length, after.targetIds.length);
  const length = until < 0 ? most : Math.min(until + 1, most);
  return Array.from({ length }, (_, step) => after.topIds[step].map((id, rank) => {
    const was = before.topIds[step].indexOf(id);
    const probability = (trace, place) => trace.topProbabilities.values[step * trace.topProbabilities.width + place];
    return was < 0 ? null : [was, probability(after, rank) - probability(before, was)];
  }));
}
