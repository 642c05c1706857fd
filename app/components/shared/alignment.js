// Alignment: the tokens and words of a sentence as displayed, and the weights between words. The twin of
// model/alignment.py.
//
// A sentence is `{language, tokens, words, wordOf}`: a token that begins a word has a blank before it.

import { decode } from "./numbers.js";

export const BEGIN = "<s>"; // fed in before the first token; never part of a target
export const END = "</s>"; // the end of a sentence on screen; if a person types it, it is plain text
export const BROKEN = "\ufffd"; // bytes that form no character
export const BYTE = /^<0x[0-9A-F]{2}>$/;
export const STEP = "step"; // for a number between words: its row is one step, not all steps that write a word

// The number of words without `</s>`; only the real end token counts as `</s>`, never typed text that looks like it.
export const spoken = ({ words, tokens }) => words.length - (tokens.at(-1) === END ? 1 : 0);

// The words, with the names of its bytes for one whose bytes form no character.
export const wordLabels = ({ words, tokens, wordOf }) => words.map((text, word) =>
  (text.includes(BROKEN) ? tokens.filter((_, i) => wordOf[i] === word).join("").trim() : text));

// True if a token alone looks like the rest of a word: letters or digits without a space before.
export const goesOn = (token) => /^[\p{L}\p{N}]/u.test(token);

// A token in a sentence about a number. Letters and digits that continue a word have a dot: “aime” after a space and
// “aime” after “t'” are two tokens.
export function tokenLabel(token) {
  if (token.startsWith(" ")) return token.slice(1) || "␣";
  return goesOn(token) ? `·${token}` : token;
}

// The number of a token of which there are several, or nothing.
export const which = (tokens, place, word = "") =>
  (tokens.indexOf(tokens[place]) === tokens.lastIndexOf(tokens[place]) ? "" : ` (${word}${place + 1})`);

export const spansOf = (sentence) => Array.from({ length: spoken(sentence) }, (_, word) => {
  const own = sentence.characters.filter((_, token) => sentence.wordOf[token] === word);
  return { start: Math.min(...own.map(({ start }) => start)), stop: Math.max(...own.map(({ stop }) => stop)) };
});

// The tokens fed in, step by step: the start of the sentence, then every target token but the last.
function fedOf({ language, tokens, words, wordOf }) {
  const rows = [0, ...wordOf.map((word) => word + 1)].slice(0, tokens.length);
  return {
    language,
    tokens: [BEGIN, ...tokens].slice(0, tokens.length),
    words: [BEGIN, ...words].slice(0, Math.max(-1, ...rows) + 1),
    wordOf: rows,
  };
}

export const ATTENTIONS = { cross: "Cross-attention", decoder: "Decoder self-attention", encoder: "Encoder self-attention", self: "Self-attention" };

// True for an attention whose rows are tokens that are read, which all exist before the decoder begins.
export const isAtOnce = (attention) => ["encoder", "self"].includes(attention);

// The sentence that asks in one of these attentions, and the one attended to.
export function sidesOf({ source, target }, attention) {
  if (isAtOnce(attention)) return [source, source];
  return attention === "cross" ? [target, source] : [target, fedOf(target)];
}

// Weights between words: those on the tokens of a source word are added up, those of the steps of a target word averaged,
// so that each row still sums to 1. `rows` says which word a step belongs to: "output" the one produced, "input" the one
// fed in; if rows are steps, only the columns are words. `rowOf` gives the row of every step.
export function byWords({ source, target, weights }, rows) {
  const { words, wordOf } = rows === "input" ? fedOf(target) : target;
  const [rowOf, count] = rows === STEP ? [wordOf.map((_, step) => step), wordOf.length] : [wordOf, words.length];
  const width = source.words.length;
  const steps = new Int32Array(count);
  for (const row of rowOf) steps[row] += 1;
  const sums = new Float64Array(count * width);
  rowOf.forEach((row, step) => source.wordOf.forEach((column, position) => {
    sums[row * width + column] += weights.values[step * weights.width + position];
  }));
  const values = Float32Array.from(sums, (sum, i) => sum / steps[Math.floor(i / width)]);
  return { rowOf, weights: decode({ shape: [count, width], values }) };
}

export const heaviest = (weights) => Array.from({ length: weights.rows }, (_, i) => {
  const row = weights.values.subarray(i * weights.width, (i + 1) * weights.width);
  return row.reduce((best, weight, column) => (weight > row[best] ? column : best), 0);
});

const CONTROLS = { [BEGIN]: "start of sentence", [END]: "end of sentence" };
const JOINED = "joined to what comes before";

// A token or word as displayed, `{text, kind, title}`. `kind` is word, piece (continues a word), byte or control; `inside`
// means that it continues a word.
export function label(token, inside = false) {
  if (Object.hasOwn(CONTROLS, token)) return { text: token, kind: "control", title: CONTROLS[token] };
  const kind = BYTE.test(token) ? "byte" : inside ? "piece" : "word";
  return { text: token.replace(/^ /, "") || "␣", kind, title: kind === "piece" ? JOINED : "" };
}

// Labels of the likeliest tokens of a step; if both “?” and “ ?” are there, the first has a dot.
export const likeliestLabels = (tokens) => tokens.map((token) => label(token, goesOn(token) || tokens.includes(` ${token}`)));

// A sentence with labels in place of its tokens and words. `rare` counts, in the training text, those that are rare there.
export function labelled(sentence) {
  const { tokens, words: texts, wordOf, rare = {} } = sentence;
  const words = wordLabels(sentence).map((text, word) => ({ text, kind: text === texts[word] ? "word" : "byte", title: "" }));
  if (tokens.at(-1) === END) words[words.length - 1] = label(END);
  if (tokens[0] === BEGIN) words[0] = label(BEGIN);
  return {
    ...sentence,
    tokens: marked(tokens.map((token, i) => label(token, i > 0 && wordOf[i - 1] === wordOf[i])), rare.tokens),
    words: marked(words, rare.words),
  };
}

function marked(labels, counts) {
  if (!counts) return labels;
  return labels.map((one, i) => (counts[i] === null ? one
    : { ...one, rare: counts[i], title: [one.title, `rare: ${times(counts[i])} in the training text`].filter(Boolean).join(" · ") }));
}

const times = (count) => (count === 0 ? "does not occur" : `occurs ${count === 1 ? "once" : `${count} times`}`);
