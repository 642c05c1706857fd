// Words: text as a person sees it, one normal form, and where its words begin and end. The twin of model/words.py.
//
// Python's `\w` is a letter, any kind of numeral or `_`; its `\d` a decimal digit; combining marks are neither. Its
// case-insensitive matching works letter by letter, where `i` also matches İ and ı, and `s` also ſ. All this is written
// out here, because JavaScript's own `\w`, `\b` and flag `i` mean something else.

const LETTER = String.raw`[\p{L}\p{N}]`; // [^\W_]
export const WORDLIKE = String.raw`[\p{L}\p{N}_]`; // \w
const SPACE = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`; // \s
const EDGE = `(?!${WORDLIKE})`; // \b after a letter
const BLANKS = /[\s\x00-\x1f\x7f-\x9f\u200b]+/gu; // \s has U+FEFF, which is left out before
const SURROGATES = /\p{Surrogate}/gu;

// Characters that draw nothing, and other forms of ordinary letters, which `visible` removes; full and half width are
// ordinary where Han, kana or Hangul are written.
const INVISIBLE = Object.entries({
  "soft hyphen": String.raw`\u00ad`,
  "direction mark": String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`,
  "variation selector": String.raw`\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}`,
  joiner: String.raw`\u034f\u180e\u200c\u200d\u2060\ufeff`,
  filler: String.raw`\u115f\u1160\u3164\uffa0`,
  tag: String.raw`\u{e0000}-\u{e007f}`,
  "format character": String.raw`\u2061-\u2065\u206a-\u206f\ufff9-\ufffb\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}`,
}).map(([name, kind]) => ({ name, pattern: new RegExp(`[${kind}]`, "gu") }));
const OTHER_FORMS = String.raw`\u0132\u0133\u01c4-\u01cc\u01f1-\u01f3\u2160-\u217f\ufb00-\ufb06\ufb13-\ufb17\u{1d400}-\u{1d7ff}`;
const FORMS = new RegExp(`[${OTHER_FORMS}]`, "gu");
const FORMS_AND_WIDTHS = new RegExp(`[${OTHER_FORMS}\\uff01-\\uff9f\\uffa1-\\uffee]`, "gu");
const FULL_WIDTH = /[\u3001-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{323af}]/u;
const ONE_WIDTH = ["en", "fr", "plain"]; // languages of the shipped models, which know no other width

// A pattern whose letters match both cases.
export const either = (pattern) => pattern.replace(/\p{L}/gu, (letter) => {
  const also = { i: "İı", s: "ſ" }[letter] ?? "";
  return `[${letter}${letter.toUpperCase()}${also}]`;
});

const NUMBER = String.raw`\p{Nd}+(?:[.,:]\p{Nd}+)+`;
const WORD = `${LETTER}+(?:[-·]${LETTER}+)*`;
const OTHER = `[^${SPACE}]`; // otherwise: one mark, or one letter
const CLITIC = `-(?:${either("t")}-)?(?:${
  either("je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|les?|la|en|y|là|ci")})${EDGE}`;
const ENGLISH = [
  `(?:(?!\\p{Nd})${LETTER})+(?=${either("n't")}${EDGE})`, `${either("n't")}${EDGE}`, // do|n't
  `(?<=${WORDLIKE})'(?:${either("s|m|re|ve|ll|d")})${EDGE}`, // I|'m
  NUMBER, WORD, OTHER,
];
const FRENCH = [
  `${either("aujourd'hui")}${EDGE}`, `${either("quelqu'une?s?")}${EDGE}`, `${either("prud'hom")}${WORDLIKE}+`,
  `(?:[cdjlmnstCDJLMNSTſ]|${either("qu|jusqu|lorsqu|puisqu|quoiqu|presqu|entr")})'(?=${WORDLIKE})`, // t'|aime
  `(?<=${WORDLIKE})${CLITIC}`, // as|-tu
  NUMBER, `${LETTER}+(?:(?!${CLITIC})[-·]${LETTER}+)*`, OTHER,
];
// Scripts without spaces between words, and marks that belong to the letter before them.
const UNSPACED = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff"
  + "\\uff66-\\uff9f\\u{20000}-\\u{323af}";
const MARKS = "\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8"
  + "\\u06ea-\\u06ed\\u0900-\\u0903\\u093a-\\u094f\\u0951-\\u0957\\u0962\\u0963\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e\\u0eb1\\u0eb4-\\u0ebc\\u0ec8-\\u0ecd"
  + "\\u102b-\\u103e\\u17b6-\\u17d3\\u3099\\u309a";
const SPACED = `(?![${UNSPACED}])${LETTER}[${MARKS}]*`;
const ANY = [NUMBER, `[${UNSPACED}][${MARKS}]*`, `(?:${SPACED})+(?:[-·](?:${SPACED})+)*`, OTHER];
const rule = (...patterns) => new RegExp(patterns.join("|"), "gu");

const WORD_RULES = {
  en: rule(...ENGLISH),
  fr: rule(...FRENCH),
  plain: rule(`[^${SPACE}]+`),
  any: rule(...ANY),
};

// A text without invisible characters, and with ligatures, full-width letters and the like as plain ones. Width is kept
// in a language other than those of the shipped models; of a text whose language is not known, if it has Han, kana or
// Hangul.
export const visible = (text, language = "") => INVISIBLE.reduce((kept, { pattern }) => kept.replace(pattern, ""), text)
  .replace(formsOf(text, language), (form) => form.normalize("NFKC"));

function formsOf(text, language) {
  const kept = language ? !ONE_WIDTH.includes(language) : FULL_WIDTH.test(text);
  return kept ? FORMS : FORMS_AND_WIDTHS;
}

// What `visible` changes in a text, such as "2 soft hyphens left out", or "".
export function visibleNote(text, language = "") {
  const notes = INVISIBLE.map(({ name, pattern }) => ({ name, count: text.match(pattern)?.length ?? 0 }))
    .filter(({ count }) => count).map(({ name, count }) => `${count} ${name}${count > 1 ? "s" : ""} left out`);
  const forms = text.match(formsOf(text, language)) ? ["ligatures or full-width letters written as plain ones"] : [];
  return [...notes, ...forms].join(", ");
}

// The normal form of a text, used for reading, display and output: `visible`, NFC, `'` for `‘` and `’`, single spaces,
// none at the ends.
export function normalise(text, language = "") {
  const whole = visible(text, language).replace(SURROGATES, "\ufffd").replace(/[‘’]/gu, "'");
  return whole.normalize("NFC").replace(BLANKS, " ").replace(/^ +| +$/gu, "");
}

// The words of a text, in order, as `{start, stop}`; only spaces are between them.
export function words(text, language) {
  const found = Object.hasOwn(WORD_RULES, language) ? WORD_RULES[language] : WORD_RULES.any;
  return Array.from(text.matchAll(found), (match) => ({ start: match.index, stop: match.index + match[0].length }));
}

export const slice = (text, span) => text.slice(span.start, span.stop);

// The length as Python counts it: characters, not the UTF-16 halves that JavaScript stores.
export const lengthOf = (text) => Array.from(text).length;
