// Doubt: whether a translation can be trusted, by its trace. The twin of model/doubt/chance.py.

import { byWords, spoken } from "../../components/shared/alignment.js";
import { logProbabilityOf } from "./trace.js";

const LEAST = 0.15; // credit below which a word counts as left out
const NEARBY = 2; // words between which a repetition counts, even if the two rows look at different source words

const columnsOf = ({ width, values }) =>
  Array.from({ length: width }, (_, column) => values.reduce((sum, value, n) => (n % width === column ? sum + value : sum), 0));

// The coverage with each step counted by its token's probability relative to the likeliest token's.
function creditOf(trace) {
  const { weights, logits, topLogits } = trace;
  const near = Array.from(logits, (logit, t) => Math.exp(Math.min(0, logit - topLogits.values[t * topLogits.width])));
  const values = weights.values.map((weight, n) => weight * near[Math.floor(n / weights.width)]);
  return columnsOf(byWords({ ...trace, weights: { ...weights, values } }, "output").weights);
}

// `{source, kind, target, credit}` of each source word that seems left out or said twice, in the order of the source.
export function flagsOf(trace, { passed_over: passed, repeated }) {
  if (trace.maker.score === "none") return [];
  const given = creditOf(trace);
  const found = [...leftOut(trace, passed, given), ...saidTwice(trace, repeated, given)];
  const order = (one) => [one.source, one.kind === "left out" ? 0 : 1, one.target];
  return found.sort((a, b) => order(a).map((part, n) => part - order(b)[n]).find(Boolean) ?? 0);
}

function leftOut(trace, passed, given) {
  return trace.source.words.slice(0, spoken(trace.source)).flatMap((word, source) =>
    (given[source] < LEAST && isWord(word) && !passed.includes(word.toLowerCase()) ? [{ source, kind: "left out", target: -1, credit: given[source] }] : []));
}

function saidTwice(trace, repeated, given) {
  const { weights } = byWords(trace, "output");
  const rowOf = (row) => weights.values.subarray(row * weights.width, (row + 1) * weights.width);
  const source = trace.source.words.map((word) => word.toLowerCase());
  const words = trace.target.words.slice(0, spoken(trace.target)).map((word) => word.toLowerCase());
  const lookedAt = words.map((_, row) => rowOf(row).indexOf(Math.max(...rowOf(row))));
  return words.flatMap((word, second) => words.slice(0, second).flatMap((other, first) => {
    const twice = other === word && isWord(word) && !repeated.includes(word)
      && (lookedAt[first] === lookedAt[second] || second - first <= NEARBY)
      && source.filter((one) => one === source[lookedAt[first]]).length === 1;
    return twice ? [{ source: lookedAt[first], kind: "said twice", target: second, credit: given[lookedAt[first]] }] : [];
  }));
}

const isWord = (text) => /[\p{L}\p{N}]/u.test(text);

// The sum of each source word's weights between words.
const coverageOf = (trace) => columnsOf(byWords(trace, "output").weights).slice(0, spoken(trace.source) || undefined);

const FEATURES = {
  "doubt of the mean": (trace) => Math.log(0.001 - logProbabilityOf(trace) / trace.targetIds.length),
  "doubt of the weakest": (trace) => Math.log1p(-Math.min(...trace.logProbabilities)),
  length: (trace) => Math.log(trace.targetIds.length),
  "least coverage": (trace) => Math.min(...coverageOf(trace)),
  "most coverage": (trace) => Math.max(...coverageOf(trace)),
  "entropy of the weights": ({ weights: { rows, values } }) =>
    -values.reduce((sum, weight) => sum + (weight > 0 ? weight * Math.log2(weight) : 0), 0) / rows,
  pieces: (trace) => Math.log(trace.sourceIds.length / trace.source.words.length),
};

// The chance that a translation is acceptable, by the fit of its model.
export function chanceOf(trace, { intercept, features }) {
  const total = Object.entries(features).reduce((sum, [name, { mean, deviation, weight }]) =>
    sum + weight * (FEATURES[name](trace) - mean) / deviation, intercept);
  return 1 / (1 + Math.exp(-total));
}

// The target word that holds the least probable token, `</s>` passed over; −1 if there is no other.
export function weakestOf({ target, logProbabilities }) {
  const tokens = target.wordOf.flatMap((word, token) => (word < spoken(target) ? [token] : []));
  const least = tokens.reduce((best, token) => (best < 0 || logProbabilities[token] < logProbabilities[best] ? token : best), -1);
  return least < 0 ? -1 : target.wordOf[least];
}
