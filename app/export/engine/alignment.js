// Alignment: the words of a sentence and the weights between words. The twin of model/alignment.py.
//
// Words are read off by summing over the tokens of a source word and averaging over those of a target word, so that each
// row still sums to 1.

import { matrix } from "./matrix.js";
import { END, slice } from "./words.js";

export const BEGIN = "<s>"; // fed in before the first token; never part of a target
export const BROKEN = "\ufffd"; // bytes that form no character
export const ROWS = ["output", "input"]; // a row belongs to the output token (produced) or to the input token (fed in)
export const STEP = "step"; // or each step keeps a row of its own, whichever word it belongs to

// One side of a trace; `ended` adds `</s>` as a word of its own.
export function sentenceOf(encoding, language, tokens, ended) {
  const words = encoding.words.map((word) => slice(encoding.text, word));
  const end = { start: encoding.text.length, stop: encoding.text.length };
  return {
    text: encoding.text,
    language,
    tokens: ended ? [...tokens, END] : tokens,
    words: ended ? [...words, END] : words,
    wordOf: ended ? [...encoding.wordOf, words.length] : encoding.wordOf,
    characters: ended ? [...encoding.characters, end] : encoding.characters,
  };
}

// The number of words without `</s>`; only the real end token counts as `</s>`, never typed text that looks like it.
export const spoken = ({ words, tokens }) => words.length - (tokens.at(-1) === END ? 1 : 0);

// The words, with the names of its bytes for one whose bytes form no character.
export const wordLabels = ({ words, tokens, wordOf }) => words.map((text, word) =>
  (text.includes(BROKEN) ? tokens.filter((_, i) => wordOf[i] === word).join("").trim() : text));

// The characters of each word as people read it.
export const spansOf = (sentence) => Array.from({ length: spoken(sentence) }, (_, word) => {
  const own = sentence.characters.filter((_, token) => sentence.wordOf[token] === word);
  return { start: Math.min(...own.map(({ start }) => start)), stop: Math.max(...own.map(({ stop }) => stop)) };
});

// Weights between words; `rows` says which word a step belongs to. `rowOf` gives the row of every decoder step. If
// rows are steps, only the columns are words.
export function byWords({ source, target, weights }, rows) {
  const fed = rows === "input";
  const alone = rows === STEP;
  const rowOf = fed ? [0, ...target.wordOf.slice(0, -1).map((word) => word + 1)]
    : alone ? target.wordOf.map((_, step) => step) : target.wordOf;
  const count = fed || alone ? Math.max(-1, ...rowOf) + 1 : target.words.length;
  const merged = matrix(count, source.words.length, /** @type {any} */ (new Float64Array(count * source.words.length)));
  const steps = Array.from({ length: count }, (_, row) => rowOf.filter((other) => other === row).length);
  rowOf.forEach((row, step) => {
    source.wordOf.forEach((column, position) => {
      merged.values[row * merged.width + column] += weights.values[step * weights.width + position];
    });
  });
  merged.values = Float32Array.from(merged.values, (sum, i) => sum / steps[Math.floor(i / merged.width)]);
  return { rowOf, weights: merged };
}
