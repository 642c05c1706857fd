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
