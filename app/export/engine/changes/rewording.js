// Rewording: a source word is replaced, and the changes of other positions stay with their tokens. The twin of
// model/changes/rewording.py.
//
// The new word may have fewer or more tokens than the old one, so that all positions after it move:
//
//     old     I | have | a | bl | ue | car        weights  .1 | .1 | .0 | .2 | .4 | .2
//     new     I | have | a | red | car            weights  .1 | .1 | .0 | .6 | .2

import { normalise, slice } from "../words.js";

// These changes with a word of the sentence replaced by a text; the word's own text leaves it alone.
export function reword(tokenizer, sentence, changes, word, text) {
  const encode = (given) => tokenizer.encode(given, tokenizer.languages[0]);
  const plain = encode(sentence);
  checkWord(plain, word);
  const own = slice(plain.text, plain.words[word]);
  const asked = new Map([...changes.words, [word, normalise(text)]]);
  const words = [...asked].sort(([one], [other]) => one - other)
    .filter(([place, instead]) => place !== word || instead !== own);
  const [old, made] = [changes.words, words].map((some) => encode(changedText(plain, some)));
  const [before, after] = [changes.words, words].map((some) => spansWith(plain, some)[word]);
  const [first, last] = untouched(old, made, before, after);
  return { ...carried(changes, old.ids.length + 1, made.ids.length + 1, first, last), words };
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

// These changes if only this many first and last positions are still the same; `old` and `made` count all positions.
// Changes at positions that have no successor are dropped, as is a row whose weight was on such positions.
function carried(changes, old, made, first, last) {
  const between = Math.max(0, made - last - first);
  const sum = (row) => row.slice(first, old - last).reduce((total, weight) => total + weight, 0);
  const fits = (row) => between > 0 || !sum(row);
  const spread = (row) => [
    ...row.slice(0, first), ...Array.from({ length: between }, () => sum(row) / between), ...row.slice(old - last),
  ];
  const moved = (position) =>
    (position < first ? position : position >= old - last && position < old ? position + made - old : null);
  const ofHead = ([attention, layer, head, place, row]) => [
    attention, layer, head, attention === "encoder" ? moved(place) : place, attention === "decoder" ? row : spread(row),
  ];
  return {
    ...changes,
    weights: changes.weights.filter(([, row]) => fits(row)).map(([step, row]) => [step, spread(row)]),
    hidden: changes.hidden.map(moved).filter((place) => place !== null),
    bonus: changes.bonus.map(([step, position, value]) => [step, moved(position), value])
      .filter(([, place]) => place !== null),
    head_weights: changes.head_weights.filter((one) => one[0] === "decoder" || fits(one[4])).map(ofHead)
      .filter(([, , , place]) => place !== null),
  };
}

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
