// Model comparison: a translation in runs of words that another one shares and runs that it lacks. The twin of
// model/analysis/model_comparison.py; the longest matching runs are paired first, as Python's difflib does.

import { spansOf, spoken } from "./alignment.js";

// Pieces `{text, kind}` that add up to the text, but for those of kind "missing".
export function pieces(sentence, other) {
  const [spans, otherSpans] = [spansOf(sentence), spansOf(other)];
  const [words, otherWords] = [sentence, other].map((one) => one.words.slice(0, spoken(one)));
  const found = [];
  let written = 0; // characters of the text so far
  for (const { kind, start, stop, first, last } of changesOf(otherWords, words)) {
    if (kind === "delete") {
      found.push({ text: other.text.slice(otherSpans[start].start, otherSpans[stop - 1].stop), kind: "missing" });
      continue;
    }
    const run = { start: spans[first].start, stop: spans[last - 1].stop };
    found.push({ text: sentence.text.slice(written, run.start), kind: "same" });
    found.push({ text: sentence.text.slice(run.start, run.stop), kind: kind === "equal" ? "same" : "other" });
    written = run.stop;
  }
  found.push({ text: sentence.text.slice(written), kind: "same" });
  return found.filter(({ text }) => text);
}

// How the first list becomes the second: runs from `start` to `stop` of the one, `first` to `last` of the other.
function changesOf(one, other) {
  const changes = [];
  let [i, j] = [0, 0];
  for (const [a, b, size] of [...matches(one, other, 0, one.length, 0, other.length), [one.length, other.length, 0]]) {
    const kind = i < a && j < b ? "replace" : i < a ? "delete" : j < b ? "insert" : null;
    if (kind) changes.push({ kind, start: i, stop: a, first: j, last: b });
    [i, j] = [a + size, b + size];
    const before = changes.at(-1);
    if (size && before?.kind === "equal" && before.stop === a && before.last === b) {
      Object.assign(before, { stop: i, last: j });
    } else if (size) changes.push({ kind: "equal", start: a, stop: i, first: b, last: j });
  }
  return changes;
}

// Runs that both have, as [place in the one, place in the other, length], in order.
function matches(one, other, start, stop, first, last) {
  let [a, b, size] = [start, first, 0];
  for (let i = start; i < stop; i += 1) {
    for (let j = first; j < last; j += 1) {
      let length = 0;
      while (i + length < stop && j + length < last && one[i + length] === other[j + length]) length += 1;
      if (length > size) [a, b, size] = [i, j, length];
    }
  }
  if (!size) return [];
  return [
    ...matches(one, other, start, a, first, b), [a, b, size], ...matches(one, other, a + size, stop, b + size, last),
  ];
}
