// Marks of changes: what the stepper marks in a translation with changes, lists in plain words and offers next. The twin
// of model/changes/marks.py and offers.py.

import { slice } from "../words.js";
import { isUntouched, withRows } from "./intervention.js";
import { KINDS, TEMPERATURES, described, rowsOf } from "./kinds.js";
import { originsOf, reword, spansWith } from "./rewording.js";

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
