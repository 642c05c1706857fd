// Trace reading: a trace as the switches read it.

import { token } from "../shared/elements.js";
import { decode, percent } from "../shared/numbers.js";
import { betweenOf, numberOf } from "./heads.js";
import { marksOf, positionsOf, UNCHANGED } from "./marks.js";

export const AFTERWARDS = "posterior"; // a way to read rows: the weights inferred once the word is known
export const STEP = "step"; // for a number between words: its row is one step, not all steps that write a word
export const ALIGNMENT = "alignment"; // one of the two pictures of a step
export const NETWORK = "network"; // the other

const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

// True for tokens of a script that is written from right to left.
export const fromTheRight = (labels) =>
  RIGHT_TO_LEFT.test(labels.filter((label) => label.kind !== "control").map((label) => label.text).join(""));

// The text for a link in a file, and in a cell of the heatmap.
const linkWord = (weight) => (weight > 0 ? "linked" : "–");
const linkDot = (weight) => (weight > 0 ? "●" : "");

// Weights alone do not show how the encoder read, unless its self-attention is among them.
const encoderSteps = (trace) => (trace.file && !trace.heads?.encoder ? 0 : trace.reads);

// −S to −1 the encoder reads source token 1 to S, 0 is the decoder's initial state, 1 to T are decoder steps.
export function limits(traces) {
  return {
    first: -Math.max(...traces.map(encoderSteps)),
    last: Math.max(...traces.map((trace) => trace.writes)),
  };
}

export function clamp(step, { first, last }) {
  const whole = Math.trunc(Number(step));
  return Number.isFinite(whole) ? Math.min(last, Math.max(first, whole)) : 0;
}

// One step in each of several traces: shorter ones wait at their ends.
export function stepOf(trace, step) {
  return clamp(step, { first: -encoderSteps(trace), last: trace.writes });
}

// The step to show while a sentence is typed: the same word as before, the nearest of several; the last one, if the
// word before was the last of a draft or is gone.
export function stepInDraft(trace, step, other, wasDraft) {
  const [last, newLast] = [trace, other].map(lastWord);
  const text = wasDraft && step === last ? null : trace.target.tokens[step - 1]?.text;
  const steps = other.target.tokens.flatMap((token, t) => (token.text === text ? [t + 1] : []));
  return steps.sort((one, another) => Math.abs(one - step) - Math.abs(another - step))[0] ?? newLast;
}

const lastWord = ({ target }) => target.tokens.findLastIndex(({ kind }) => kind !== "control") + 1;

// The step as the parts of a frame draw it: for a Transformer's encoder, its rows count from 1.
export function rowStepOf(trace, step) {
  if (trace.look?.attention !== "encoder") return stepOf(trace, step);
  return clamp(step, { first: -trace.reads, last: -1 }) + trace.reads + 1;
}

export function open(raw, index) {
  const { arrays, posterior, ...rest } = raw;
  const numbers = /** @type {any} */ (Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, decode(array)])));
  const { weight, likelihood, ...read } = posterior ?? {};
  return {
    ...rest,
    ...numbers,
    posterior: posterior ? { ...read, weight: decode(weight), likelihood: decode(likelihood) } : null,
    index,
    ranges: raw.look ? { score: scoreRange(numbers) } : raw.ranges,
    marks: marksOf(raw.changes ?? UNCHANGED),
    sourceLength: raw.source.tokens.length,
    steps: raw.target.tokens.length,
    reads: raw.reads ?? raw.source.tokens.length,
    writes: raw.writes ?? raw.target.tokens.length,
    sourceToken: (label) => token(label, raw.source.language),
    targetToken: (label) => token(label, raw.target.language),
  };
}

// The ends of the scale of one head's scores; positions out of reach have no score.
function scoreRange({ score, mask }) {
  const open = score ? Array.from(score.values).filter((_, i) => mask.values[i]) : [];
  return open.length ? [Math.min(0, ...open), Math.max(0, ...open)] : [0, 1];
}

// The weights as a matrix in words or tokens whose rows belong to what was produced ("output") or fed in ("input").
// "posterior" puts the posterior of the tokens produced in their place, if there is one; `prior` is then the
// weights. Chips are the text written: the start of the sentence, then the target; chip 0 is fed in first and never
// produced. A row of words is the mean of their steps; `atStep` is what one step gives each column, its tokens added
// up.
export function readAs(trace, { units, rows: wanted }) {
  const links = Boolean(trace.file?.links);
  const posterior = wanted === AFTERWARDS && trace.posterior !== null;
  const produced = links || trace.atOnce || wanted === AFTERWARDS; // a link belongs to the token that it is written for
  const rows = produced ? "output" : wanted;
  const words = units === "words";
  const merged = posterior ? trace.posterior.words : trace.words[rows];
  const own = posterior ? trace.posterior : trace;
  const begins = trace.atOnce ? 0 : 1; // sentences read at once have no token fed in before
  const shift = rows === "output" ? begins : 0;
  const rowOf = words ? merged.row_of : Array.from({ length: trace.steps }, (_, t) => t);
  const chips = [...(begins ? [trace.begin] : []), ...(words ? trace.target.words : trace.target.tokens)];
  const producedChip = (t) => (words ? trace.target.word_of[t] : t) + begins;
  const columns = words ? trace.source.words : trace.source.tokens;
  const columnOf = words ? trace.source.word_of : trace.source.tokens.map((_, i) => i);
  const tokensOf = columns.map((_, column) => positionsOf({ columnOf }, column));
  const kind = posterior ? "posterior" : "weight";
  const betweenWords = (rows, row, column) => (trace.look ? numberOf(trace, `head_word_${kind}`, { rows, row, column })
    : { trace: trace.index, kind: `word_${kind}`, rows, row, column });
  return {
    words, rows, links, posterior, rowOf, chips, producedChip, columns, columnOf,
    written: links ? linkWord : percent,
    inCell: links ? linkDot : (weight) => (100 * weight).toFixed(1),
    attends: trace.attends,
    atStep: (t) => tokensOf.map((tokens) => Math.min(links ? 1 : Infinity, Math.fround(tokens.reduce((sum, i) => sum + own.weight.at(t, i), 0)))),
    weights: words ? decode(merged.weight) : own.weight,
    lookedAt: words ? merged.looked_at : own.looked_at,
    prior: words ? decode(trace.words[rows].weight) : trace.weight,
    atOnce: Boolean(trace.atOnce),
    chipOfRow: (row) => row + shift,
    rowOfChip: (chip) => chip - shift,
    fedChip: (t) => (trace.atOnce ? producedChip(t) : t === 0 ? 0 : producedChip(t - 1)),
    quantity: (row, column) => (words ? betweenWords(rows, row, column) : betweenOf(trace, kind, row, column)),
    quantityAtStep: (t, column) => {
      const [position, ...more] = tokensOf[column];
      return more.length ? betweenWords(STEP, t, column) : betweenOf(trace, kind, t, position);
    },
  };
}

// The step to jump to for a chip: the first of its row, else the first that produced it, else the decoder's start.
export function stepOfChip(trace, reading, chip) {
  const row = reading.rowOf.indexOf(reading.rowOfChip(chip)) + 1;
  return row || Array.from({ length: trace.steps }, (_, t) => reading.producedChip(t)).indexOf(chip) + 1;
}

// The token that the decoder is fed at a step, or the one that asks at a row of the encoder.
export const fedAt = ({ atOnce, begin, target }, t) => (atOnce ? target.tokens[t] : t ? target.tokens[t - 1] : begin);

export const startsFromZeros = (trace) => Boolean(trace.initial_state?.values.every((value) => value === 0));
