// Unknown words: characters that are in no token, carried over from the source to where attention looks most at them. The
// twin of model/unknown_words.py (Jean et al. 2015; Luong et al. 2015).

import { BROKEN, BYTE, byWords, spansOf, spoken } from "../../components/shared/alignment.js";

const ALNUM = /[\p{L}\p{N}]/u;
const SHARED = 0.15; // least weight of a neighbour on the source word that it is left in its place for

// What is carried over, as `{target, source, span, text}` with words and characters from `start` to `stop`, in the order
// of the target. A translation without attention, or one that was given, carries nothing over.
export function carriedOver(trace) {
  const { source, target } = trace;
  const unknown = trace.stop === "forced" || trace.maker.score === "none" ? [] : unknownOf(source);
  const count = spoken(target);
  if (!unknown.length || !count) return [];
  const { weights: { values, width } } = byWords(trace, "output");
  const sums = Array.from({ length: count }, (_, row) => unknown.map(({ start, stop }) =>
    values.slice(row * width + start, row * width + stop).reduce((sum, one) => sum + one, 0)));
  const isUnknown = (word) => unknown.some(({ start, stop }) => word >= start && word < stop);
  const broken = target.words.map((word) => word.includes(BROKEN));
  const known = sums.map((_, row) => Array.from(values.subarray(row * width, (row + 1) * width), (weight, word) => (isUnknown(word) ? 0 : weight)));
  const most = sums.map((onUnknown, row) =>
    (Math.max(...onUnknown) > Math.max(...known[row]) || broken[row] ? onUnknown.indexOf(Math.max(...onUnknown)) : -1));
  const stays = staying(trace, known, most);
  const best = unknown.map(() => /** @type {any} */ (null));
  for (const [place, words] of runsOf(most)) {
    const run = trimmed(words, (word) => !broken[word] && stays[word]);
    const weight = run.reduce((sum, word) => sum + sums[word][place], 0);
    const noise = run.some((word) => broken[word]) || [...textOf(source, unknown[place])].some(isForeign);
    if (noise && (!best[place] || weight > best[place].weight)) best[place] = { unknown: unknown[place], run, weight };
  }
  return best.filter(Boolean).sort((one, other) => one.run[0] - other.run[0])
    .map((one) => carried(source, target, one.unknown, { start: one.run[0], stop: one.run.at(-1) + 1 }))
    .filter(({ span, text }) => target.text.slice(span.start, span.stop) !== text);
}

// The translation with what is carried over.
export const withCarried = (trace) => carriedOver(trace).reduceRight((text, { span, text: put }) =>
  text.slice(0, span.start) + put + text.slice(span.stop), trace.target.text);

// Says what was carried over, or could not be without attention; "" if there is nothing to say.
export function carriedNote(trace) {
  const attends = trace.maker.score !== "none";
  const foreign = () => unknownOf(trace.source).map((word) => textOf(trace.source, word)).filter((text) => [...text].some(isForeign));
  const texts = trace.stop === "forced" ? [] : attends ? carriedOver(trace).map(({ text }) => text.trim()) : foreign();
  if (!texts.length) return "";
  const named = texts.map((text) => `“${text}”`);
  const listed = named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : named[0];
  if (!attends) return `${listed} cannot be carried over without attention`;
  const [are, them] = named.length > 1 ? ["are", "them"] : ["is", "it"];
  return `${listed} ${are} carried over from the source, to where attention looks most at ${them}`;
}

// Runs of equal values but −1, as [value, places].
function runsOf(values) {
  const runs = /** @type {any[]} */ ([]);
  values.forEach((value, place) => {
    if (place && values[place - 1] === value) runs.at(-1)[1].push(place);
    else runs.push([value, [place]]);
  });
  return runs.filter(([value]) => value >= 0);
}

// The unknown words of a source: those with a byte, joined where no blank divides them.
function unknownOf(source) {
  const spelled = [...new Set(source.wordOf.filter((_, token) => BYTE.test(source.tokens[token])))].sort((one, other) => one - other);
  const spans = spelled.length ? spansOf(source) : [];
  const found = /** @type {any[]} */ ([]);
  for (const word of spelled) {
    if (found.at(-1)?.stop === word && spans[word - 1].stop === spans[word].start) found.at(-1).stop = word + 1;
    else found.push({ start: word, stop: word + 1 });
  }
  return found;
}

// True for a letter of another script, a digit of one, or a symbol such as an emoji.
const isForeign = (character) => character > "\x7f" && /[\p{L}\p{M}\p{N}\p{S}]/u.test(character) && !/\p{Script=Latin}/u.test(character);

// For each target word whether it stays at the end of a run: it ends the sentence, or it also looks at a source word that no
// other one looks at most.
function staying({ source, target }, known, most) {
  const looks = known.map((row) => {
    const spokenRow = row.slice(0, spoken(source)), weight = Math.max(...spokenRow);
    return { weight, at: spokenRow.indexOf(weight) };
  });
  const covered = new Set(looks.filter((_, row) => most[row] < 0).map(({ at }) => at));
  return looks.map(({ weight, at }, word) =>
    (word === looks.length - 1 && !ALNUM.test(target.words[word])) || (weight >= SHARED && !covered.has(at)));
}

// A run of words without those at its ends that stay in their places.
function trimmed(run, stays) {
  const first = run.findIndex((word) => !stays(word));
  return first < 0 ? run.slice(0, 1) : run.slice(first, run.findLastIndex((word) => !stays(word)) + 1);
}

const coverOf = (sentence, { start, stop }) => {
  const spans = spansOf(sentence);
  return { start: spans[start].start, stop: spans[stop - 1].stop };
};

const textOf = (sentence, words) => {
  const { start, stop } = coverOf(sentence, words);
  return sentence.text.slice(start, stop);
};

// One replacement, with a blank on either side where the source has one and the target lacks it.
function carried(source, target, unknown, run) {
  const [span, own] = [coverOf(target, run), coverOf(source, unknown)];
  const isPart = (text) => ALNUM.test(text);
  const left = isPart([...target.text.slice(0, span.start)].at(-1) ?? "") && source.text.slice(0, own.start).endsWith(" ") ? " " : "";
  const right = isPart([...target.text.slice(span.stop)][0] ?? "") && source.text.slice(own.stop).startsWith(" ") ? " " : "";
  return { target: run, source: unknown, span, text: left + textOf(source, unknown) + right };
}
