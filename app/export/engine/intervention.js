// Intervention: a person's changes to one translation, as a value; everything else is left to the model. The twin
// of model/changes/intervention.py, without vectors.
//
// Words are changed before anything is read, so positions are those of the changed sentence. In a Transformer all fields
// but the last two hold for every head of every layer's cross-attention.
//
//     words         [word of the source, text in its place]      hidden       source positions that are masked
//     tokens        [step, id of the token written there]        bonus        [step, position, what is added to the score]
//     weights       [step, [a weight for each position]]         temperature  of the softmax that makes weights of scores
//     heads_off     [attention, layer, head]                     adds nothing to the residual stream: all weights are 0
//     head_weights  [attention, layer, head, row, [weights]]     used in place of that row's softmax
//
// Steps and positions count from 0, in tokens. `at` is a source position in the encoder, and a step elsewhere.

import { END, tokenLabel } from "../../components/shared/alignment.js";
import { NO_STEERING } from "./seq2seq.js";
import { STOP } from "./tokenizer.js";
import { lengthOf, normalise } from "./words.js";

/** @type {any} */
export const UNTOUCHED = {
  words: [], tokens: [], weights: [], hidden: [], bonus: [], temperature: 1, heads_off: [], head_weights: [],
};

// Kinds of change by the name of their field, in the order of a list of changes: the columns of a row and a text.
export const KINDS = {
  words: { columns: ["word", "text"], text: ({ own, text }) => `“${own}” is replaced by “${text}”` },
  hidden: { columns: ["position"], text: ({ positions }) => `${positions} is masked` },
  temperature: { columns: ["temperature"], text: ({ temperature }) => `softmax temperature ${short(temperature)}` },
  heads_off: { columns: ["attention", "layer", "head"], text: ({ named }) => `${named} is switched off` },
  tokens: { columns: ["step", "token"], text: ({ where, written }) => `${where}: ${written}` },
  weights: { columns: ["step", "weights"], text: ({ where }) => `${where}: weights set by hand` },
  bonus: { columns: ["step", "position", "bonus"], text: ({ where, added, positions }) => `${where}: ${added} the score of ${positions}` },
  head_weights: {
    columns: ["attention", "layer", "head", "at", "weights"], text: ({ where, named }) => `${where}: weights of ${named} set by hand`,
  },
};
const CONTENT = ["text", "temperature", "token", "weights", "bonus"]; // columns that name no place

const NEAR = 1e-4; // how far the sum of a row of weights may be from 1
export const TEMPERATURES = [0.05, 20]; // from the sharpest to the flattest softmax
const FARTHEST_BONUS = 1000;
const LONGEST_WORD = 200; // characters of a word put in place of another
export const JOINT = "·"; // typed first, it continues the word before

const isPlace = (value) => Number.isInteger(value) && value >= 0;
const between = (low, high) => (value) => typeof value === "number" && value >= low && value <= high;
const ACCEPTS = {
  attention: (value) => ["encoder", "decoder", "cross"].includes(value),
  text: (value) => typeof value === "string" && lengthOf(value) <= LONGEST_WORD && normalise(value) !== "",
  weights: (row) => Array.isArray(row) && row.every(between(0, 1 + NEAR)) && Math.abs(row.reduce((sum, one) => sum + one, 0) - 1) <= NEAR,
  bonus: between(-FARTHEST_BONUS, FARTHEST_BONUS),
  temperature: between(...TEMPERATURES),
};

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const isUntouched = (changes) => same(changes, UNTOUCHED);

// Throws an error that says what is wrong with the value itself; `check` tests whether it fits a sentence.
export function interventionOf(values) {
  for (const name of Object.keys(values)) if (!Object.hasOwn(KINDS, name)) throw new Error(`${name} is not a change that can be made`);
  const changes = { ...UNTOUCHED, ...values };
  for (const name of Object.keys(KINDS)) checkRows(name, rowsOf(changes, name));
  const both = changes.heads_off.find((head) => changes.head_weights.some((row) => isHead(head, row)));
  if (both) throw new Error(`${headName(both)} is switched off and given weights; only one can be`);
  return changes;
}

// Checks rows by themselves: every column has a value that is accepted, and no place is named twice.
function checkRows(name, rows) {
  const { columns } = KINDS[name], places = new Set();
  for (const row of Array.isArray(rows) ? rows : [[]]) {
    const cells = columns.length > 1 ? row : [row];
    const wrong = columns.find((column, i) => !(Array.isArray(cells) && cells.length === columns.length && (ACCEPTS[column] ?? isPlace)(cells[i])));
    if (wrong === "text") {
      throw new Error(`source word ${row[0] + 1}: what stands in its place is “${String(row[1]).slice(0, 40)}”; `
        + `accepted are 1 to ${LONGEST_WORD} characters that are not all blank`);
    }
    const place = String(cells.filter((_, i) => !CONTENT.includes(columns[i])));
    if (wrong || places.has(place)) throw new Error(`${name}: ${JSON.stringify(row)} is not a change that can be made`);
    places.add(place);
  }
}

// From JSON that a stranger may have written.
export function interventionFrom(text) {
  try {
    return interventionOf(JSON.parse(text) ?? {});
  } catch (error) {
    throw error instanceof SyntaxError ? new Error("what was changed is not JSON") : error;
  }
}

// The fields that differ from an unchanged translation.
export const toJson = (changes) => JSON.stringify(Object.fromEntries(
  Object.entries(changes).filter(([name, value]) => !same(value, UNTOUCHED[name]))));

// A field as rows: a temperature is one unless it is 1; and these changes with other rows in one field.
export const rowsOf = (changes, name) =>
  (name !== "temperature" ? changes[name] : changes.temperature === 1 ? [] : [changes.temperature]);
export const withRows = (changes, name, rows) => ({ ...changes, [name]: name === "temperature" ? rows[0] ?? 1 : rows });

// Checks that this fits a sentence and a model: `reach` marks the source positions that the model can look at, `layout` has
// the layers, and heads of each, by attention.
export function check(changes, { reach, layout, vocabulary }) {
  const open = reach.map((is, i) => is && !changes.hidden.includes(i));
  for (const [name, kind] of Object.entries(KINDS)) {
    for (const values of rowsOf(changes, name).map((row) => valuesOf(kind, row))) {
      const reason = misfit(values, { open, layout, vocabulary });
      if (reason) throw new Error(`${values.step === undefined ? name : `step ${values.step + 1}`}: ${reason}`);
    }
  }
  if (open.some(Boolean)) return;
  throw new Error("every source token is masked; at least one that the model can look at has to stay");
}

function misfit({ attention, layer, head, position, step, token, weights }, { open, layout, vocabulary }) {
  const [layers, heads] = layout[attention] ?? [0, 0];
  if (attention && !(layer < layers && head < heads)) return "the model has no such head";
  if (position >= open.length) return `the source has ${open.length} tokens`;
  if (token !== undefined && !(token >= STOP && token < vocabulary)) return `token ${token} cannot be written`;
  const width = attention === "decoder" ? step + 1 : open.length;
  if (weights && weights.length !== width) return `there are ${weights.length} weights for ${width} positions`;
  const masked = ["encoder", "decoder"].includes(attention) ? -1 : (weights ?? []).findIndex((weight, i) => weight > 0 && !open[i]);
  return masked < 0 ? "" : `source token ${masked + 1} has a weight and is masked; its weight must be 0`;
}

// Checks that a translation with this many steps has all the named steps.
export function checkEnd(changes, steps) {
  const late = Object.entries(KINDS).flatMap(([name, kind]) => rowsOf(changes, name).map((row) => valuesOf(kind, row).step))
    .filter((step) => step >= steps);
  if (!late.length) return;
  const length = `${steps} step${steps > 1 ? "s" : ""}`;
  throw new Error(`step ${Math.min(...late) + 1} is past the end: the translation has ${length}`);
}

// The changes of attention at one step.
export function steeringAt({ weights, hidden, bonus, temperature, heads_off, head_weights }, step, positions) {
  const heads = { heads_off, head_weights };
  if (!weights.length && !hidden.length && !bonus.length && temperature === 1) return { ...NO_STEERING, heads };
  const added = new Float32Array(positions);
  for (const [at, position, value] of bonus) if (at === step) added[position] = value;
  const row = weights.find(([at]) => at === step)?.[1] ?? null;
  return { bonus: added, temperature, hidden: new Set(hidden), weights: row, heads };
}

// A head's name in words.
const headName = ([attention, layer, head]) => `${attention} attention, layer ${layer + 1}, head ${head + 1}`;

export const isHead = (one, other) => one[0] === other[0] && one[1] === other[1] && one[2] === other[2];

// The values of a row by column, with `at` as a position or a step.
function valuesOf({ columns }, row) {
  const values = Object.fromEntries(columns.map((column, i) => [column, columns.length > 1 ? row[i] : row]));
  if ("at" in values) values[values.attention === "encoder" ? "position" : "step"] = values.at;
  return values;
}

// These changes for a sentence with a replaced word: only this many `first` and `last` positions of all `old` and `made` ones
// are the same. Changes at positions that have no successor are dropped, as is a row whose weight was on such positions.
export function carriedAll(changes, { old, made, first, last }) {
  const between = Math.max(0, made - last - first);
  const moved = (position) =>
    (position < first ? position : position >= old - last && position < old ? position + made - old : null);
  function spread(row) {
    const sum = row.slice(first, old - last).reduce((total, weight) => total + weight, 0);
    if (sum && !between) return null;
    return [...row.slice(0, first), ...Array.from({ length: between }, () => sum / between), ...row.slice(old - last)];
  }
  function carried(kind, row) {
    const values = valuesOf(kind, row);
    if ("position" in values) values.at = values.position = moved(values.position);
    if ("weights" in values && values.attention !== "decoder") values.weights = spread(values.weights);
    return kind.columns.map((column) => values[column]);
  }
  return Object.entries(KINDS).reduce((whole, [name, kind]) => {
    const rows = rowsOf(changes, name).map((row) => carried(kind, row)).filter((cells) => !cells.includes(null));
    return withRows(whole, name, kind.columns.length > 1 ? rows : rows.flat());
  }, changes);
}

// Each change as `{order, text, rows}`, sorted later by its order: its step, or below 0 for the encoder or the whole
// translation. Neighbouring tokens of one word that are masked or written are one.
export function described(name, rows, before, after) {
  const kind = KINDS[name];
  const side = { hidden: after.source, tokens: after.target }[name];
  const whole = ["words", "hidden", "temperature", "heads_off"].includes(name);
  return (side ? runs(rows, side) : rows.map((row) => [row])).map((group) => {
    const values = group.map((row) => valuesOf(kind, row));
    return { order: whole ? -2 : values[0].step ?? -1, text: kind.text(wordsOf(values, before, after)), rows: group };
  });
}

// Rows next to each other in one word.
function runs(rows, { wordOf }) {
  const place = (row) => (Array.isArray(row) ? row[0] : row);
  const found = [];
  for (const row of [...rows].sort((one, other) => place(one) - place(other))) {
    const last = found.length ? place(found.at(-1).at(-1)) : NaN;
    if (last === place(row) - 1 && wordOf[last] === wordOf[place(row)]) found.at(-1).push(row);
    else found.push([row]);
  }
  return found;
}

// What the text of a change may name.
function wordsOf(values, before, after) {
  const [one] = values;
  const steps = values.map(({ step }) => step);
  const positions = "position" in one ? quoted(after.source, values.map(({ position }) => position)) : "";
  return {
    ...one, positions,
    own: before.source.words[one.word],
    named: "attention" in one ? headName([one.attention, one.layer, one.head]) : "",
    added: "bonus" in one ? `${short(Math.abs(one.bonus))} ${one.bonus > 0 ? "added to" : "taken from"}` : "",
    where: one.step === undefined ? positions
      : steps.length === 1 ? `step ${steps[0] + 1}` : `steps ${steps[0] + 1} to ${steps.at(-1) + 1}`,
    written: "token" in one ? written(before.target, after.target, steps) : "",
  };
}

// The text of neighbouring tokens, in quotation marks; a dot precedes tokens that continue a word.
function quoted({ text, tokens, wordOf, characters }, places) {
  if (!places.length) return "";
  const [first, last] = [places[0], places.at(-1)];
  if (tokens[first] === END && first === tokens.length - 1) return "the end of the sentence";
  const shown = text.slice(characters[first].start, characters[last].stop);
  const inside = first > 0 && wordOf[first] === wordOf[first - 1];
  return `“${inside ? JOINT : ""}${shown || tokenLabel(tokens[first])}”`;
}

// The tokens written at some steps, and the earlier ones there if they differ.
function written(before, after, steps) {
  const earlier = steps.filter((step) => step < before.tokens.length);
  const [now, then] = [quoted(after, steps), quoted(before, earlier)];
  const verb = after.tokens[steps[0]] === END ? "ends the sentence" : `writes ${now}`;
  if (now !== then) return then ? `${verb} instead of ${then}` : verb;
  if (earlier.length === steps.length && steps.every((step) => after.tokens[step] === before.tokens[step])) return `${verb}, as before`;
  return `${verb} as other tokens`;
}

const short = (value) => String(Number(value.toPrecision(6)));
