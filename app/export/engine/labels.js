// Labels: tokens and words as the stepper shows them, and the weights between words. The twin of
// app/components/stepper/payload.py, app/components/shared/packed.py and model/alignment.py.

import { BEGIN, BYTE, byWords, wordLabels } from "./alignment.js";
import { entropyOf } from "./seq2seq.js";
import { rowOf } from "./matrix.js";
import { END } from "./words.js";

const CONTROLS = { [BEGIN]: "start of sentence", [END]: "end of sentence" };
const JOINED = "joined to what comes before";
const LANGUAGE_TAG = /^(?!any$)[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/; // "any" is a word rule, not a language
const GOES_ON = /^[\p{L}\p{N}]/u;

// Float32 arrays with their shape, unencoded: base64 is only for transport.
export const encode = ({ rows, width, values }) => ({ shape: [rows, width], values });

export const vector = (values) => ({ shape: [values.length], values });

// The language tag of a text in a document; "" if it is not a language, such as digits.
export const tagOf = (language) => (LANGUAGE_TAG.test(language) ? language : "");

// True if a token alone looks like the rest of a word: letters or digits without a space before.
const goesOn = (token) => GOES_ON.test(token);

// Labels of the likeliest tokens of a step; if both “?” and “ ?” are there, the first has a dot.
export const likeliestLabels = (tokens) => tokens.map((token) => label(token, goesOn(token) || tokens.includes(` ${token}`)));

// A token without the space that begins a word; `inside` means that it continues a word.
export function label(token, inside = false) {
  if (Object.hasOwn(CONTROLS, token)) return { text: token, kind: "control", title: CONTROLS[token] };
  const kind = BYTE.test(token) ? "byte" : inside ? "piece" : "word";
  return { text: token.replace(/^ /, "") || "␣", kind, title: kind === "piece" ? JOINED : "" };
}

export function labelled(sentence) {
  const { language, tokens, words: texts, wordOf } = sentence;
  const labels = wordLabels(sentence).map((text, word) => ({ text, kind: text === texts[word] ? "word" : "byte", title: "" }));
  if (tokens.at(-1) === END) labels[labels.length - 1] = label(END);
  if (tokens[0] === BEGIN) labels[0] = label(BEGIN);
  return {
    language: tagOf(language),
    tokens: tokens.map((token, i) => label(token, i > 0 && wordOf[i - 1] === wordOf[i])),
    apart: tokens.map((token) => token.startsWith(" ")),
    words: labels,
    word_of: wordOf,
  };
}

export function wordWeights(trace, rows) {
  const merged = byWords(trace, rows);
  return { row_of: merged.rowOf, weight: encode(merged.weights), looked_at: heaviest(merged.weights) };
}

// The arrays of one attention that the stepper gets, by name.
export const weightArrays = (weights) => ({ weight: encode(weights), entropy: vector(entropyOf(weights)) });

export const heaviest = (weights) => Array.from({ length: weights.rows }, (_, i) => {
  const row = rowOf(weights, i);
  return row.indexOf(Math.max(...row));
});

// A token in a sentence about a number. Letters and digits that continue a word have a dot: “aime” after a space and
// “aime” after “t'” are two tokens.
export function tokenLabel(token) {
  if (token.startsWith(" ")) return token.slice(1) || "␣";
  return GOES_ON.test(token) ? `·${token}` : token;
}

// The number of a token of which there are several, or nothing.
export const which = (tokens, place, word = "") =>
  (tokens.indexOf(tokens[place]) === tokens.lastIndexOf(tokens[place]) ? "" : ` (${word}${place + 1})`);
