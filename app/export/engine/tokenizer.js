// Tokenizer: text to tokens and back, and the tokens of each word. The twin of model/tokenizer.py.
//
// Byte-pair encoding (Sennrich, Haddow and Birch 2016) as Hugging Face `tokenizers` does it: the neighbours in a word
// whose merge was learned first are merged, leftmost first, until none is left. Characters outside the
// vocabulary are spelled as their UTF-8 bytes, `<0x00>` to `<0xFF>`.

import { normalise, slice, words } from "./words.js";

export const START = 1; // ids of two control tokens
export const STOP = 2;
const CONTROL = ["<pad>", "<s>", "</s>"];
const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);

// `file` is the contents of tokenizer.json; `languages` name the word rules of both sides.
export function tokenizerOf(file, languages) {
  const { vocab, merges, ignore_merges: ignoresMerges } = file.model;
  const ids = new Map(Object.entries(vocab));
  const texts = [];
  for (const [text, id] of ids) texts[id] = text;
  const known = [...CONTROL, ...BYTES].every((token, id) => texts[id] === token);
  if (!known || texts.length !== ids.size) throw new Error("the tokenizer is not one of ours, or it is incomplete");
  const ranks = ranksOf(merges, ids);
  const byteOf = (id) => (id >= CONTROL.length && id < CONTROL.length + 256 ? id - CONTROL.length : -1);
  const utf8 = new TextEncoder();

  // The tokens of one piece of text, as `{id, start, stop}`; the bytes of one character share its place.
  function spell(piece) {
    if (ignoresMerges && ids.has(piece)) return [{ id: ids.get(piece), start: 0, stop: piece.length }];
    const symbols = [];
    let start = 0;
    for (const character of piece) {
      const stop = start + character.length;
      const id = ids.get(character);
      if (id !== undefined) symbols.push({ id, start, stop });
      else for (const byte of utf8.encode(character)) symbols.push({ id: CONTROL.length + byte, start, stop });
      start = stop;
    }
    return merge(symbols, ranks);
  }

  // The tokens of one text. `decode(encode(text, language).ids)` is `normalise(text, language)`, always.
  function encode(given, language) {
    const text = normalise(given, language);
    const spans = words(text, language);
    const encoding = /** @type {any} */ ({ text, ids: [], words: spans, wordOf: [], characters: [] });
    spans.forEach((span, word) => {
      const blank = span.start === 0 || text[span.start - 1] === " ";
      const from = span.start - (blank ? 1 : 0);
      for (const { id, start, stop } of spell((blank ? " " : "") + slice(text, span))) {
        const end = from + stop;
        encoding.ids.push(id);
        encoding.wordOf.push(word);
        encoding.characters.push({ start: Math.min(Math.max(from + start, span.start), end), stop: end });
      }
    });
    return encoding;
  }

  // A model's output as text, the words of that text and the token-to-word mapping. Control tokens are skipped. A
  // token belongs to the word in which it begins, a space to the word after it.
  function read(given, language) {
    const kept = given.filter((id) => id >= CONTROL.length);
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const starts = [];
    let text = "";
    for (const id of kept) {
      const isByte = byteOf(id) >= 0;
      if (!isByte) text += decoder.decode(); // bytes before it that form no character are not part of it
      starts.push(text.length);
      text += isByte ? decoder.decode(Uint8Array.of(byteOf(id)), { stream: true }) : texts[id];
    }
    text += decoder.decode();
    const blank = text.startsWith(" ") ? 1 : 0;
    const characters = covered(starts, text).map(({ start, stop }) => ({ start: start - blank, stop: stop - blank }));
    text = text.slice(blank);
    const [merged, wordOf] = kept.length ? assign(words(text, language), characters, text.length) : [[], []];
    return { text, ids: kept, words: merged, wordOf, characters };
  }

  const decode = (given) => read(given, "plain").text;
  const token = (id) => texts[id];
  return { languages, size: texts.length, encode, read, decode, token };
}

// The rank and the result of each pair of ids. Merges that would spell a control token or a byte are dropped.
function ranksOf(merges, ids) {
  const kept = new Set([...CONTROL, ...BYTES]);
  const ranks = new Map();
  merges.filter(([left, right]) => !kept.has(left + right)).forEach(([left, right], rank) => {
    ranks.set(pairOf(ids.get(left), ids.get(right)), { rank, id: ids.get(left + right) });
  });
  return ranks;
}

const pairOf = (left, right) => left * 0x100000 + right;

function merge(symbols, ranks) {
  const found = (place) => ranks.get(pairOf(symbols[place].id, symbols[place + 1].id));
  for (;;) {
    let best = -1;
    let first = /** @type {any} */ (null);
    for (let place = 0; place + 1 < symbols.length; place += 1) {
      const pair = found(place);
      if (pair && (!first || pair.rank < first.rank)) [best, first] = [place, pair];
    }
    if (!first) return symbols;
    const { start } = symbols[best];
    symbols.splice(best, 2, { id: first.id, start, stop: symbols[best + 1].stop });
  }
}

// The characters that each token covers; tokens with the same start are bytes of one character and share it.
function covered(starts, text) {
  const later = new Map();
  let stop = text.length;
  for (let place = starts.length - 1; place >= 0; place -= 1) {
    const next = starts[place + 1] ?? text.length;
    if (starts[place] !== next) stop = next;
    later.set(starts[place], stop);
  }
  return starts.map((start) => {
    const end = later.get(start);
    return { start: start + (end > start && text[start] === " " ? 1 : 0), stop: end };
  });
}

// The words in which tokens begin, and each token's word; a word without a token joins the one before it.
function assign(found, characters, length) {
  const spans = found.length ? found : [{ start: 0, stop: length }];
  const within = characters.map(({ start }) => {
    const word = spans.findIndex((span) => start < span.stop);
    return word < 0 ? spans.length - 1 : word;
  });
  const used = [...new Set(within)].sort((one, other) => one - other);
  const merged = used.map((word, place) => {
    const after = used[place + 1] ?? spans.length;
    return { start: spans[word].start, stop: spans[after - 1].stop };
  });
  return [merged, within.map((word) => used.indexOf(word))];
}
