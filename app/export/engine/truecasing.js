// Truecasing (Lita et al. 2003), contractions and spelling: restores the usual form of a casually typed sentence. The twin
// of model/truecasing.py, whose word lists are passed as `{contractions, proper, english, foreign}` with those for spelling below.

import { visible, WORDLIKE } from "./words.js";

const ENGLISH = "en";
const ACRONYM = 3; // letters: a single word in capitals up to this length is an acronym, such as OK or USA
const LETTERS = String.raw`(?:(?!\p{Nd})[\p{L}\p{N}])+`; // [^\W\d_]+
const WORD = new RegExp(`${LETTERS}(?:'${LETTERS})?`, "gu");
const FIRST_PERSON = new RegExp(`(?<!${WORDLIKE})i(?!${WORDLIKE})(?!\\.)`, "gu");
const JOINED = `${WORDLIKE}|['’@/-]`; // characters beside a part of an address or a compound
const CORRECTABLE = new RegExp(`(?<!${JOINED}|\\.)[a-z]+(?!${JOINED}|\\.${WORDLIKE})`, "gu");

// The sentence in the form the model should read; unchanged if nothing is known to be missing.
export function readAs(typed, language, spelling) {
  const sentence = visible(typed, language);
  if (language !== ENGLISH || notEnglish(sentence, language, spelling)) return sentence;
  return (isShouted(sentence) ? lowered(sentence, spelling) : sentence)
    .replace(WORD, (word) => contraction(word, spelling))
    .replace(CORRECTABLE, (word) => {
      const read = corrected(word, spelling);
      return read === word ? word : named(read, spelling); // with the capital of a name
    });
}

// The remark if a model of English was given another language: by function words, and by words that the dictionary lacks.
export function notEnglish(sentence, language, spelling) {
  if (language !== ENGLISH) return "";
  const { english, foreign, contractions } = spelling;
  const found = (sentence.replaceAll("’", "'").match(WORD) ?? []).map((word) => word.toLowerCase());
  const ranks = ranksOf(spelling);
  const listed = (word) => ranks.has(word) || spelling.proper.includes(word);
  const strange = found.filter((word) => !listed(word) && !listed(word.split("'")[0]) && !Object.hasOwn(contractions, word)).length;
  const own = found.filter((word) => english.includes(word) || Object.hasOwn(contractions, word)).length;
  const others = found.filter((word) => foreign.includes(word) || foreign.includes(word.replace(/'.*/, "'"))).length;
  const borrowed = found.length >= 3 && strange && others > own && 5 * others >= found.length;
  return borrowed || (found.length >= 4 && !own && 3 * strange >= 2 * found.length) ? spelling.foreignRemark : "";
}

const isUpper = (text) => /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);

// True if all letters are capitals and the text is more than an acronym.
function isShouted(sentence) {
  const found = (sentence.match(WORD) ?? []).filter((word) => /\p{L}/u.test(word));
  return isUpper(sentence) && (found.length > 1 || [...found.join("")].length > ACRONYM);
}

// In lower case, except for its first letter (without any letter, its first character), `I` and names.
function lowered(sentence, spelling) {
  const read = sentence.toLowerCase().replace(FIRST_PERSON, "I").replace(WORD, (word) => named(word, spelling));
  return read.replace(/\p{L}/u.test(read) ? /\p{L}/u : /^./su, (first) => first.toUpperCase());
}

// Capitalises the name of a day, a month, a language or a place, also in the plural.
function named(word, { proper }) {
  return proper.includes(word) || proper.includes(word.replace(/s$/, "")) ? word[0].toUpperCase() + word.slice(1) : word;
}

// Restores the apostrophe of a contraction, keeping its capitals.
function contraction(word, { contractions }) {
  const known = word.toLowerCase();
  if (!Object.hasOwn(contractions, known) || isUpper(word.slice(1))) return word;
  const whole = contractions[known];
  return isUpper(word[0]) ? whole[0].toUpperCase() + whole.slice(1) : whole;
}

// Spelling correction by one edit (Damerau 1964). The twin of model/truecasing.py, whose lists are passed as `{proper, known,
// frequent, lengths, letters, alike}`; `known` has a word a line, the most frequent first.

const ranked = new WeakMap();

// The rank of each known word, from 0 for the most frequent.
export function ranksOf(spelling) {
  if (!ranked.has(spelling)) ranked.set(spelling, new Map(spelling.known.split("\n").map((one, rank) => [one, rank])));
  return ranked.get(spelling);
}

// The frequent word that a mistyped one in lower case stands for; itself if it is known or none is near.
export function corrected(word, spelling) {
  const { frequent, lengths: [shortest, longest], proper } = spelling;
  const ranks = ranksOf(spelling);
  if (ranks.has(word) || word.length < shortest || word.length > longest) return word;
  for (const edits of word.length === shortest ? EDITS.slice(0, 1) : EDITS) {
    const found = edits(word, spelling).filter((edited) => ranks.get(edited) < frequent || proper.includes(edited));
    if (found.length) return found.reduce((best, edited) => (ranks.get(edited) < ranks.get(best) ? edited : best));
  }
  return word;
}

// The edits that `changed` makes of the part before a place and the part from there on.
const everywhere = (word, first, last, changed) => Array.from({ length: last - first }, (_, index) => index + first)
  .flatMap((place) => changed(word.slice(0, place), word.slice(place)));

const swappedOrDoubled = (word) => everywhere(word, 0, word.length, (before, [letter, ...after]) => [
  before + (after[0] ?? "") + letter + after.slice(1).join(""),
  before + letter + letter + after.join(""),
  ...(before.endsWith(letter) ? [before + after.join("")] : []),
]);

const longer = (word, { letters }) => everywhere(word, 1, word.length + 1, (before, after) => (
  [...letters].map((letter) => before + letter + after)));

const shorterOrAlike = (word, { alike }) => everywhere(word, 1, word.length, (before, [letter, ...after]) => (
  ["", ...(alike[letter] ?? "")].map((other) => before + other + after.join(""))));

const EDITS = [swappedOrDoubled, longer, shorterOrAlike];
