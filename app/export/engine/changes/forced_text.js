// Forced text: the tokens that write a typed text, and the effect on tokens forced before. The twin of
// model/changes/forced_text.py, with the rules of model/word_alignment/detokenize.py.

import { WORDLIKE, either, normalise, slice, words } from "../words.js";

export const JOINT = "·"; // typed first, it continues the word before
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

// The tokens that write a text after the earlier ones. It starts a new word, except after an elision (l', qu') and if
// the text begins with a mark that takes no space (a full stop, a comma, a hyphen) or with `JOINT`.
export function tokensOf(tokenizer, before, text, step) {
  const language = tokenizer.languages[1];
  const typed = normalise(text);
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
