// Heads of a Transformer: the places of their numbers: the sentence that looks, the one looked at, and the words for both.
// The twin of model/arithmetic/quantity.py.

import { BEGIN, STEP, tokenLabel, which, wordLabels } from "./alignment.js";

const NAMES = { encoder: "encoder self-attention", decoder: "decoder self-attention", cross: "cross-attention" };

// The asking side, and the one attended to.
export const sidesOf = ({ source, target }, attention) =>
  ({ encoder: [source, source], decoder: [target, fedOf(target)], cross: [target, source] })[attention];

// The tokens fed in, step by step: the start of the sentence, then every target token but the last.
function fedOf({ text, language, tokens, words, wordOf, characters }) {
  const count = tokens.length;
  const rows = [0, ...wordOf.slice(0, -1).map((word) => word + 1)].slice(0, count);
  return {
    text,
    language,
    tokens: [BEGIN, ...tokens.slice(0, -1)].slice(0, count),
    words: [BEGIN, ...words].slice(0, Math.max(-1, ...rows) + 1),
    wordOf: rows,
    characters: [{ start: 0, stop: 0 }, ...characters.slice(0, -1)].slice(0, count),
  };
}

// True if a row may attend to a column.
export function mayLook(trace, attention, row, column) {
  if (attention === "cross") return !trace.intervention.hidden.includes(column);
  return attention === "encoder" || column <= row;
}

// A token attended to; repeated tokens also get their number.
export function columnText(trace, attention, column) {
  const { tokens } = sidesOf(trace, attention)[1];
  return tokenLabel(tokens[column]) + which(tokens, column);
}

// The words that complete the phrase of a kind of number.
export function wordsOfPlace({ kind, attention, layer, head, row, column, rows }, trace) {
  const side = attention === "encoder" ? "encoder" : "decoder";
  const ofLayer = `layer ${layer + 1} of the ${NAMES[attention]}`;
  const words = {
    side: `${side} layer ${layer + 1}`,
    of_layer: ofLayer,
    of_head: `${head >= 0 ? `head ${head + 1}` : "the mean of the heads"}, ${ofLayer}`,
  };
  const [looking, looked] = sidesOf(trace, attention);
  if (kind === "head_word_weight") {
    const own = wordLabels(looking);
    const names = rows === "input" ? [BEGIN, ...own] : own;
    const word_row = rows === STEP ? rowText(looking, side, row) : `“${names[row]}”`;
    return { ...words, word_row, column: `“${wordLabels(looked)[column]}”` };
  }
  if (column !== undefined) words.looked = `“${columnText(trace, attention, column)}”`;
  if (row === undefined) return words;
  return { ...words, from_row: `at ${rowText(looking, side, row)}` };
}

// The asking side: a step, or in the encoder a token.
const rowText = ({ tokens }, side, row) => (side === "encoder" ? `“${tokenLabel(tokens[row])}” (token ${row + 1})` : `step ${row + 1}`);
