// Words of a person: put in place of a source word, or typed as the next words of the translation. The twin of
// model/changes/rewording.py, with the rules of model/word_alignment/detokenize.py.
//
// Changes at other positions stay with their tokens. A new source word may have fewer or more tokens than the old one, so
// that all positions after it move:
//
//     old     I | have | a | bl | ue | car        weights  .1 | .1 | .0 | .2 | .4 | .2
//     new     I | have | a | red | car            weights  .1 | .1 | .0 | .6 | .2

import { carriedAll, JOINT } from "./intervention.js";
import { either, normalise, slice, WORDLIKE, words } from "./words.js";

const OPENING = "("; // no space follows it, in any language with spaces between words
const VOWEL = "a"; // follows an elision: the tokens of l' are those of l'a

// Matches two neighbours, one per line, that are written without a space between them.
const rule = (...patterns) => new RegExp(patterns.join("|"), "u");
const BRACKET = "^[(\\[{]\\n";
const JOINING = {
  en: rule(`\\n${either("n?'")}(?:${either("s|m|re|ve|ll|d|t")})$`, `${either("s")}\\n'$`, BRACKET,
    "\\n[.,;:!?…)\\]}%]+$"),
  fr: rule("'\\n", `\\n${either("'hui")}$`, `\\n-${WORDLIKE}`, BRACKET, "\\n[.,…)\\]}%]+$"),
  plain: rule("(?!)"),
  any: rule(BRACKET, "\\n[.,;:!?…)\\]}%]+$"),
};

// These changes with a word of the sentence replaced by a text; the word's own text leaves it alone.
export function reword(tokenizer, sentence, changes, word, text) {
  const encode = (given) => tokenizer.encode(given, tokenizer.languages[0]);
  const plain = encode(sentence);
  checkWord(plain, word);
  const own = slice(plain.text, plain.words[word]);
  const asked = new Map([...changes.words, [word, normalise(text, tokenizer.languages[0])]]);
  const instead = [...asked].sort(([one], [other]) => one - other)
    .filter(([place, said]) => place !== word || said !== own);
  const [old, made] = [changes.words, instead].map((some) => encode(changedText(plain, some)));
  const [before, after] = [changes.words, instead].map((some) => spansWith(plain, some)[word]);
  const [first, last] = untouched(old, made, before, after);
  return { ...carriedAll(changes, { old: old.ids.length + 1, made: made.ids.length + 1, first, last }), words: instead };
}

// The sentence with some words replaced.
export function changedText(plain, words) {
  let { text } = plain;
  for (const [word, instead] of [...words].sort(([one], [other]) => other - one)) {
    checkWord(plain, word);
    const { start, stop } = plain.words[word];
    text = text.slice(0, start) + normalise(instead) + text.slice(stop);
  }
  return text;
}

// Where each word of the sentence stands once some are replaced, in characters of the changed text's normal form, where
// a mark joins the letter before it.
export function spansWith(plain, words) {
  const [text, instead] = [changedText(plain, words), new Map(words)];
  const normal = (end) => normalise(`${text.slice(0, end)}|`).length - 1; // "|" keeps a space at the end
  let moved = 0;
  return plain.words.map(({ start, stop }, place) => {
    const length = instead.has(place) ? normalise(instead.get(place)).length : stop - start;
    const span = { start: normal(start + moved), stop: normal(start + moved + length) };
    moved += length - (stop - start);
    return span;
  });
}

// For each word of the changed text, the word of the sentence that it overlaps most.
export const originsOf = (places, words) => words.map((word) => {
  const shared = places.map((place) => Math.min(place.stop, word.stop) - Math.max(place.start, word.start));
  return shared.indexOf(Math.max(...shared));
});

// How many tokens before and after the word are the same in both, `</s>` among them.
function untouched(old, made, before, after) {
  const both = [[old, before], [made, after]];
  const head = Math.min(...both.map(([one, word]) => count(one.characters, ({ stop }) => stop <= word.start)));
  const tail = Math.min(...both.map(([one, word]) => count(one.characters.toReversed(), ({ start }) => start >= word.stop)));
  const first = count(old.ids.slice(0, head), (id, i) => id === made.ids[i]);
  const ends = made.ids.toReversed();
  return [first, count(old.ids.toReversed().slice(0, tail), (id, i) => id === ends[i]) + 1];
}

// How many items pass before the first that does not.
function count(items, holds) {
  const end = items.findIndex((item, i) => !holds(item, i));
  return end < 0 ? items.length : end;
}

function checkWord(plain, word) {
  if (word >= 0 && word < plain.words.length) return;
  throw new Error(`source word ${word + 1} is past the end: the sentence has ${plain.words.length} words`);
}

// The tokens that write a text after the earlier ones. It starts a new word, except after an elision (l', qu') and if
// the text begins with a mark that takes no space (a full stop, a comma, a hyphen) or with `JOINT`.
export function tokensOf(tokenizer, before, text, step) {
  const language = tokenizer.languages[1];
  const typed = normalise(text, language);
  const close = typed.startsWith(JOINT);
  const asked = close ? typed.slice(JOINT.length).trim() : typed;
  if (!asked) throw new Error(`step ${step + 1}: nothing was typed; type a word, or ${JOINT} and how the word goes on`);
  const written = tokenizer.read(before, language).text;
  const last = words(written, language).map((span) => slice(written, span)).at(-1);
  const following = standsClose(asked, VOWEL, language) ? VOWEL : "";
  if (last === undefined || !(close || standsClose(last, asked.split(" ")[0], language))) {
    const begun = between(tokenizer, "", asked, following);
    return tokenizer.decode(begun) === asked ? begun : tokenizer.encode(asked, language).ids;
  }
  const goesOn = between(tokenizer, last, asked, following);
  return tokenizer.decode(goesOn) === asked ? goesOn : between(tokenizer, OPENING, asked, "");
}

// These changes with tokens forced from a step on. Tokens forced there before are dropped, with the rest of their
// word.
export function written(changes, trace, step, tokens) {
  const { wordOf } = trace.target;
  const isRest = (place) => place >= step && place < wordOf.length && wordOf[place] === wordOf[step];
  const forced = new Map(changes.tokens.filter(([place]) => !isRest(place)));
  tokens.forEach((id, place) => forced.set(step + place, id));
  return { ...changes, tokens: [...forced].sort(([one], [other]) => one - other) };
}

// The tokens of a text that stands between two others without spaces.
function between(tokenizer, beginning, text, following) {
  const { ids, characters } = tokenizer.encode(beginning + text + following, tokenizer.languages[1]);
  const end = beginning.length + text.length;
  return ids.filter((_, i) => characters[i].start >= beginning.length && characters[i].start < end);
}

// True if text has no space between these two.
const standsClose = (last, first, language) =>
  (Object.hasOwn(JOINING, language) ? JOINING[language] : JOINING.any).test(`${last}\n${first}`);
