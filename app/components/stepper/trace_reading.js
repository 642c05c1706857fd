// Trace reading: a trace as the stepper reads it, opened from the payload, by the switches, with its changes, as one of
// its heads.

import { BEGIN, STEP, byWords, heaviest, isAtOnce, label, labelled, likeliestLabels, sidesOf } from "../shared/alignment.js";
import { element, token } from "../shared/elements.js";
import { decode, percent } from "../shared/numbers.js";

export const AFTERWARDS = "posterior"; // a way to read rows: the weights inferred once the word is known
export const ALIGNMENT = "alignment"; // one of the two pictures of a step
export const NETWORK = "network"; // the other

// True for attention from elsewhere with more cells than a table can draw at the speed of a key.
export const isLarge = (trace) => Boolean(trace.file) && trace.steps * trace.sourceLength > 60 * 60;

const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

// True for tokens of a script that is written from right to left.
export const fromTheRight = (labels) =>
  RIGHT_TO_LEFT.test(labels.filter((label) => label.kind !== "control").map((label) => label.text).join(""));

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
  const [last, newLast] = [trace, other].map(({ target }) => target.tokens.findLastIndex(({ kind }) => kind !== "control") + 1);
  const text = wasDraft && step === last ? null : trace.target.tokens[step - 1]?.text;
  const steps = other.target.tokens.flatMap((token, t) => (token.text === text ? [t + 1] : []));
  return steps.sort((one, another) => Math.abs(one - step) - Math.abs(another - step))[0] ?? newLast;
}

// The step as the parts of a frame draw it: for a Transformer's encoder, its rows count from 1.
export function rowStepOf(trace, step) {
  if (trace.look?.attention !== "encoder") return stepOf(trace, step);
  return clamp(step, { first: -trace.reads, last: -1 }) + trace.reads + 1;
}

// The step at which a row is current, counted from 1: the encoder's rows are before the decoder's steps.
export const stepOfRow = (trace, row) => (trace.look?.attention === "encoder" ? row - trace.reads - 1 : row);

// A trace as sent, or one of its heads, with its numbers and with labels in place of its tokens and words.
export function open(raw, index) {
  const { arrays, posterior, ...rest } = raw;
  const [numbers, afterwards] = [arrays, posterior ?? {}].map((some) =>
    /** @type {any} */ (Object.fromEntries(Object.entries(some).map(([name, array]) => [name, decode(array)]))));
  return {
    ...rest,
    ...numbers,
    ...readBy(raw, numbers.weight),
    posterior: posterior ? { ...afterwards, ...readBy(raw, afterwards.weight) } : null,
    index,
    sentences: { source: raw.source, target: raw.target }, // as sent
    source: labelled(raw.source),
    target: labelled(raw.target),
    begin: raw.atOnce ? undefined : label(BEGIN),
    top_labels: raw.top_tokens?.map(likeliestLabels),
    ranges: rangesOf(raw, numbers),
    marks: marksOf(raw.changes ?? UNCHANGED),
    sourceLength: raw.source.tokens.length,
    steps: raw.target.tokens.length,
    reads: raw.reads ?? raw.source.tokens.length,
    writes: raw.writes ?? raw.target.tokens.length,
    sourceToken: (label) => token(label, raw.source.language),
    targetToken: (label) => token(label, raw.target.language),
  };
}

// The column with the greatest weight in each row, and `words(rows)`: the weights between words, also with their columns.
// Words are linked if any of their tokens are.
function readBy({ source, target, file }, weights) {
  const made = new Map(); // by the way of reading rows
  function words(rows) {
    if (made.has(rows)) return made.get(rows);
    const { rowOf, weights: merged } = byWords({ source, target, weights }, rows);
    if (file?.links) merged.values.forEach((weight, i) => { merged.values[i] = Number(weight > 0); });
    made.set(rows, { rowOf, weight: merged, looked_at: heaviest(merged) });
    return made.get(rows);
  }
  return { looked_at: heaviest(weights), words };
}

const VECTORS = ["annotation", "state", "cell", "context", "attentional", "embedding", "fed_embedding"]; // with scales of their own

// The ends of the scales of scores and of vectors, for all steps; those of vectors are symmetric around 0. A position out of
// a head's reach has no score.
function rangesOf({ look }, numbers) {
  const { score, mask } = numbers;
  const ends = score ? score.values.reduce(([low, high], value, i) =>
    (look && !mask.values[i] ? [low, high] : [Math.min(low, value), Math.max(high, value)]), [0, 0]) : null;
  if (look) return { score: ends && (ends[0] || ends[1]) ? ends : [0, 1] };
  const far = (kind) => [kind, `initial_${kind}`].reduce((most, name) =>
    (numbers[name]?.values ?? []).reduce((far, value) => Math.max(far, Math.abs(value)), most), 0);
  const scaled = score && numbers.annotation ? VECTORS.map((kind) => [kind, far(kind)]) : [];
  return { ...(ends && { score: ends }), ...Object.fromEntries(scaled.map(([kind, reach]) => [kind, [-reach, reach]])) };
}

// Traces side by side, with one scale for each kind of number; heads, and attention from elsewhere, keep their own.
export function onOneScale(traces) {
  const some = traces.filter((trace) => !trace.look && !trace.file);
  const ends = (kind) => [Math.min(...some.map(({ ranges }) => ranges[kind][0])), Math.max(...some.map(({ ranges }) => ranges[kind][1]))];
  const ranges = Object.fromEntries(Object.keys(some[0]?.ranges ?? {}).map((kind) => [kind, ends(kind)]));
  return traces.map((trace) => (some.includes(trace) ? { ...trace, ranges } : trace));
}

// The place of a weight on the scale of colours, which may be logarithmic for imported attention.
export const shadeOf = (trace) => (trace.file?.logarithmic ? (weight) => Math.max(0, 1 + Math.log10(weight) / DECADES) : (weight) => weight);
const DECADES = 4;
export const FAINTEST = `${100 * 10 ** -DECADES}%`; // what has the first colour of the logarithmic scale

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
  const own = posterior ? trace.posterior : trace;
  const merged = own.words(rows);
  const begins = trace.atOnce ? 0 : 1; // sentences read at once have no token fed in before
  const shift = rows === "output" ? begins : 0;
  const rowOf = words ? merged.rowOf : Array.from({ length: trace.steps }, (_, t) => t);
  const chips = [...(begins ? [trace.begin] : []), ...(words ? trace.target.words : trace.target.tokens)];
  const producedChip = (t) => (words ? trace.target.wordOf[t] : t) + begins;
  const columns = words ? trace.source.words : trace.source.tokens;
  const columnOf = words ? trace.source.wordOf : trace.source.tokens.map((_, i) => i);
  const tokensOf = columns.map((_, column) => positionsOf({ columnOf }, column));
  const kind = posterior ? "posterior" : "weight";
  const betweenWords = (rows, row, column) => (trace.look ? numberOf(trace, `head_word_${kind}`, { rows, row, column })
    : { trace: trace.index, kind: `word_${kind}`, rows, row, column });
  return {
    words, rows, links, posterior, rowOf, chips, producedChip, columns, columnOf,
    written: links ? (weight) => (weight > 0 ? "linked" : "–") : percent,
    inCell: links ? (weight) => (weight > 0 ? "●" : "") : (weight) => (100 * weight).toFixed(1),
    shade: shadeOf(trace),
    said: trace.file?.said ?? "", // what was done to imported weights, for every picture of them
    attends: trace.attends,
    atStep: (t) => tokensOf.map((tokens) => Math.min(links ? 1 : Infinity, Math.fround(tokens.reduce((sum, i) => sum + own.weight.at(t, i), 0)))),
    weights: words ? merged.weight : own.weight,
    lookedAt: words ? merged.looked_at : own.looked_at,
    prior: words ? trace.words(rows).weight : trace.weight,
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

// Marks: a person's changes to a trace, and their signs besides colour. An unchanged trace has none.

export const BY_HAND = "set by hand";
const UNCHANGED = {
  forced: [], fed: [], weights: [], hidden: [], bonus: [], temperature: 1, temperatures: [1], words: [], gold: [],
  against: null,
};

// Steps and source positions count from 0.
function marksOf({ forced, fed, weights, hidden, bonus, vectors = [], annotations = [], ...rest }) {
  const added = new Map(bonus.map(([step, position, value]) => [`${step} ${position}`, value]));
  return {
    ...rest,
    forced: new Set(forced),
    given: new Set([...forced, ...fed]),
    weighed: new Set(weights),
    hidden: new Set(hidden),
    annotations: new Set(annotations),
    edits: weights.length + bonus.length > 0,
    adds: bonus.length > 0,
    replaced: vectors.length > 0,
    vectors: (step) => new Map(vectors.filter(([, at]) => at === step).map(([kind, , called]) => [kind, called])),
    added: (step, position) => added.get(`${step} ${position}`) ?? 0,
  };
}

export const isGiven = (trace, t) => trace.stop === "forced" || trace.marks.given.has(t);

export const where = (list, holds) => list.flatMap((item, index) => (holds(item) ? [index] : []));
export const positionsOf = (reading, column) => where(reading.columnOf, (other) => other === column);
export const stepsOf = (reading, row) => where(reading.rowOf, (other) => other === row);

// A source chip or column is masked when all its tokens are.
export const isMasked = (trace, reading, column) =>
  positionsOf(reading, column).every((position) => trace.marks.hidden.has(position));

// The word of the sentence that a source chip belongs to: `{word, was, now}`; null for the end of the sentence.
export const wordOf = (trace, reading, column) => trace.marks.words[reading.words ? column : trace.source.wordOf[column]];

export function doneToSource(trace, reading, column) {
  const word = wordOf(trace, reading, column);
  const replaced = positionsOf(reading, column).some((position) => trace.marks.annotations.has(position));
  return [
    ...(word && word.was !== word.now ? [`in place of “${word.was}”`] : []),
    ...(isMasked(trace, reading, column) ? ["masked"] : []),
    ...(replaced ? [`annotation ${BY_HAND}`] : []),
  ];
}

export function doneAtRow(trace, reading, row) {
  const steps = stepsOf(reading, row);
  return [
    ...(steps.some((t) => trace.marks.weighed.has(t)) ? ["weights set by hand"] : []),
    ...new Set(steps.flatMap((t) => [...trace.marks.vectors(t).values()].map((called) => `${called} ${BY_HAND}`))),
  ];
}

export function doneToTarget(trace, reading, chip) {
  const steps = Array.from({ length: trace.steps }, (_, t) => t).filter((t) => reading.producedChip(t) === chip);
  return steps.some((t) => trace.marks.forced.has(t)) ? ["written by you"] : [];
}

// True if the weight in a cell was changed by hand, or the score behind it.
export const isEdited = (trace, reading, row, column) => trace.marks.edits && stepsOf(reading, row).some(
  (t) => trace.marks.weighed.has(t) || positionsOf(reading, column).some((i) => trace.marks.added(t, i)));

// A pen beside a change; nothing without a change.
export function pen(done) {
  if (!done.length) return [];
  const told = done.join(", ");
  return [element("span", { class: "pen", role: "img", "aria-label": `, ${told}`, title: told }, "✎")];
}

// Heads: a Transformer's trace as one of its many attentions, drawn like the single attention of other models.
//
// A look is `{attention, layer, head}`: "cross", "decoder", "encoder" or "self"; layers and heads count from 1, layer 0 is the
// last, head 0 the mean of all. While the encoder reads (steps below 0) the look is at the encoder's attention.

export const EVERYWHERE = { attention: "cross", layer: 0, head: 0, picture: "", phase: "whole" };

// The attention, layer and head on view; numbers beyond the model's mean its last.
export function placeOf(raw, { attention, layer, head }) {
  const there = attention in raw.heads ? attention : "cross" in raw.heads ? "cross" : "self"; // imported attention may lack some kinds
  const { layers } = raw.heads[there];
  const own = layer ? Math.min(layer, layers.length) : layers.length;
  return { attention: there, layer: own, head: Math.min(head, layers[0].heads.length) };
}

// The trace for stepper.js, with the sides, weights and vectors of one attention.
export function lookedAt(raw, look) {
  if (!raw.heads) return raw;
  const place = placeOf(raw, look);
  const [target, source] = sidesOf(raw.sentences ?? raw, place.attention);
  const { mask, layers, embedded } = raw.heads[place.attention];
  const layer = layers[place.layer - 1];
  const one = place.head ? layer.heads[place.head - 1] : layer.mean;
  return {
    ...raw, source, target, look: place, arrays: { ...raw.arrays, ...(embedded && { embedded }), ...layer.arrays, ...one, mask },
    reads: raw.source.tokens.length, writes: raw.target.tokens.length, atOnce: isAtOnce(place.attention),
    changes: raw.changes && changesOf(raw.changes, place),
  };
}

function changesOf(changes, { attention, layer, head }) {
  const here = (one) => one[0] === attention && one[1] === layer - 1 && one[2] === head - 1;
  const own = attention === "cross" ? changes : { ...changes, hidden: [], words: [], gold: [] };
  const decoding = attention === "encoder" ? { forced: [], fed: [], against: null } : {};
  return {
    ...UNCHANGED, ...own, ...decoding, bonus: [],
    vectors: attention === "encoder" ? [] : [...changes.vectors ?? [],
      ...(changes.head_vectors ?? []).filter(here).map(([, , , row]) => ["mixed", row, "values mixed"])],
    weights: changes.head_weights.filter(here).map(([, , , row]) => row), off: changes.heads_off.some(here),
  };
}

export const isOff = (changes, place) => (changes?.heads_off ?? []).some(
  ([attention, layer, head]) => attention === place.attention && layer === place.layer - 1 && head === place.head - 1);

export function nameOf({ layer, head }) {
  return head ? `layer ${layer}, head ${head}` : `layer ${layer}, mean of the heads`;
}

// Where a layer's residual stream goes next; nowhere but into the output for "".
export function nextOf({ look, heads }) {
  if (look.attention === "decoder") return "cross-attention";
  if (look.layer < heads[look.attention].layers.length) return `layer ${look.layer + 1}`;
  return look.attention === "encoder" ? "annotation" : "";
}

// The head's name in a change of weights; in the decoder a token attends only up to itself.
export function ofHead({ look }, { step, row }) {
  const weights = look.attention === "decoder" ? row.slice(0, step + 1) : row;
  return { attention: look.attention, layer: look.layer - 1, head: look.head - 1, step, row: weights };
}

export const numberOf = ({ index, look }, kind, place) =>
  ({ trace: index, kind, attention: look.attention, layer: look.layer - 1, head: look.head - 1, ...place });

// The name of the score or the weight between two tokens, in any network.
export const betweenOf = (trace, kind, step, position) => (trace.look
  ? numberOf(trace, `head_${kind}`, { row: step, column: position }) : { trace: trace.index, kind, step, position });

// The owner of each vector, which names its components: a head, the token it looks at, all heads of a layer or side, or
// the bottom of the stack below the token.
const OF_HEADS = {
  normalised: ["layer", "normalised"], query: ["head", "head_query"], key: ["looked", "head_key"], value: ["looked", "head_value"],
  mixed: ["head", "head_mixed"], joined: ["layer", "heads_joined"], stream: ["layer", "attention_stream"], hidden: ["side", "hidden"],
  embedded: ["bottom", "embedded"], feed_forward: ["side", "feed_forward"], stream_after: ["side", "feed_forward_stream"],
};
export const isLookedAt = (name) => OF_HEADS[name]?.[0] === "looked";

// The name of a component of a vector; `row` is that of the token that asks, or is looked at.
export function componentOf(trace, name, row, component) {
  if (name === "annotation") return { trace: trace.index, kind: name, position: row, component };
  if (!trace.look || name === "attentional") return { trace: trace.index, kind: name, step: row, component };
  const [whose, kind] = OF_HEADS[name];
  if (whose === "head") return numberOf(trace, kind, { row, component });
  if (whose === "looked") return numberOf(trace, kind, { column: row, component });
  const { index, look } = trace;
  if (whose === "bottom") return { trace: index, kind, attention: look.attention === "cross" ? "encoder" : look.attention, row, component };
  const attention = whose === "side" && look.attention === "cross" ? "decoder" : look.attention;
  return { trace: index, kind, attention, layer: look.layer - 1, row, component };
}
