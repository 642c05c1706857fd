// Intervention: a person's changes to one translation, as a value; everything else is left to the model. The twin
// of model/changes/intervention.py.
//
// Words are changed before anything is read, so positions are those of the changed sentence. In a Transformer all fields
// but the last two hold for every head of every layer's cross-attention.

import { tokenLabel } from "./labels.js";
import { NO_STEERING } from "./seq2seq.js";
import { STOP } from "./tokenizer.js";
import { END, lengthOf, normalise } from "./words.js";

const OF_HEADS = ["heads_off", "head_weights"];

/** @type {any} */
export const UNTOUCHED = {
  words: [], tokens: [], weights: [], hidden: [], bonus: [], temperature: 1, heads_off: [], head_weights: [],
};

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const isUntouched = (changes) => same(changes, UNTOUCHED);

// Throws an error that says what is wrong with the value itself; `check` tests whether it fits a sentence.
export function interventionOf(values) {
  const changes = { ...UNTOUCHED, ...values };
  for (const name of Object.keys(KINDS)) checkRows(name, rowsOf(changes, name));
  const both = changes.heads_off.find((head) => changes.head_weights.some((row) => isHead(head, row)));
  if (both) throw new Error(`${headName(both)} is switched off and given weights; only one can be`);
  return changes;
}

// From JSON that a stranger may have written.
export function interventionFrom(text) {
  const whole = Number.isInteger;
  const number = (value) => typeof value === "number";
  const string = (value) => typeof value === "string";
  const list = (of) => (value) => Array.isArray(value) && value.every(of);
  const tuple = (...of) => (value) =>
    Array.isArray(value) && value.length === of.length && of.every((holds, i) => holds(value[i]));
  const fields = {
    words: list(tuple(whole, string)), tokens: list(tuple(whole, whole)), weights: list(tuple(whole, list(number))),
    hidden: list(whole), bonus: list(tuple(whole, whole, number)), temperature: number,
    heads_off: list(tuple(string, whole, whole)), head_weights: list(tuple(string, whole, whole, whole, list(number))),
  };
  let values;
  try {
    values = JSON.parse(text);
  } catch {
    throw new Error("what was changed is not JSON");
  }
  for (const [name, value] of Object.entries(values ?? {})) {
    if (!Object.hasOwn(fields, name) || !fields[name](value)) throw new Error(`${name} is not a change that can be made`);
  }
  return interventionOf(values);
}

// The fields that differ from an unchanged translation.
export const toJson = (changes) => JSON.stringify(Object.fromEntries(
  Object.entries(changes).filter(([name, value]) => !same(value, UNTOUCHED[name]))));

// These changes with other rows in one field, or with what `make` gives of the rows of each.
export const withRows = (changes, name, rows) => ({ ...changes, [name]: valueOf(name, rows) });
export const carriedAll = (changes, moved) =>
  Object.keys(KINDS).reduce((made, name) => withRows(made, name, carried(name, rowsOf(changes, name), moved)), changes);

// Checks that this fits a sentence; `reach` marks the positions that the model can look at.
export function check(changes, reach, vocabulary) {
  const open = openOf(changes, reach);
  const writable = (token) => token >= STOP && token < vocabulary;
  for (const name of Object.keys(KINDS).filter((one) => !OF_HEADS.includes(one))) {
    fit(name, rowsOf(changes, name), { open, writable, accepted: `${STOP} to ${vocabulary - 1}` });
  }
  if (open.some(Boolean)) return;
  throw new Error("every source token is masked; at least one that the model can look at has to stay");
}

// Checks the changes of single heads; `layout` has the layers, and heads of each, by attention.
export function checkHeads(changes, layout, positions) {
  const open = openOf(changes, Array.from({ length: positions }, () => true));
  for (const name of OF_HEADS) fit(name, changes[name], { open, layout });
}

// The positions that may be looked at.
const openOf = ({ hidden }, reach) => reach.map((is, i) => is && !hidden.includes(i));

// Checks that a translation with this many steps has all the named steps.
export function checkEnd(changes, steps) {
  const late = Object.keys(KINDS).flatMap((name) => stepsOf(name, rowsOf(changes, name))).filter((step) => step >= steps);
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

// Kinds of change to a translation, each declared by the columns of its rows and a text. The twin of
// model/changes/kinds.py, without vectors.
//
//     words         [word of the source, text in its place]      hidden       source positions that are masked
//     tokens        [step, id of the token written there]        bonus        [step, position, what is added to the score]
//     weights       [step, [a weight for each position]]         temperature  of the softmax that makes weights of scores
//     heads_off     [attention, layer, head]                     adds nothing to the residual stream: all weights are 0
//     head_weights  [attention, layer, head, row, [weights]]     used in place of that row's softmax
//
// Steps and positions count from 0, in tokens. `at` is a source position in the encoder, and a step elsewhere.

const NEAR = 1e-4; // how far the sum of a row of weights may be from 1
export const TEMPERATURES = [0.05, 20]; // from the sharpest to the flattest softmax
const FARTHEST_BONUS = 1000;
const LONGEST_WORD = 200; // characters of a word put in place of another
export const JOINT = "·"; // typed first, it continues the word before
const ATTENTIONS = ["encoder", "decoder", "cross"];
const CONTENT = ["text", "temperature", "token", "weights", "bonus"]; // columns that name no place

// By the name of their field, in the order of a list of changes.
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

// A head's name in words.
const headName = ([attention, layer, head]) => `${attention} attention, layer ${layer + 1}, head ${head + 1}`;

export const isHead = (one, other) => one[0] === other[0] && one[1] === other[1] && one[2] === other[2];

// A field as rows: a temperature is one unless it is 1; and the value of a field with these rows.
export const rowsOf = (changes, name) =>
  (name !== "temperature" ? changes[name] : changes.temperature === 1 ? [] : [changes.temperature]);
export const valueOf = (name, rows) => (name === "temperature" ? rows[0] ?? 1 : rows);

// The values of a row by column, with `at` as a position or a step.
function valuesOf(kind, row) {
  const found = Object.fromEntries(kind.columns.map((column, i) => [column, Array.isArray(row) ? row[i] : row]));
  if ("at" in found) found[found.attention === "encoder" ? "position" : "step"] = found.at;
  return found;
}

// The places that name a row in an error.
function placesOf(values) {
  const { word, step, at, position, bonus } = values;
  if (word !== undefined) return `source word ${word + 1}`;
  if ("attention" in values) return `${nameOf(values)}, row ${at + 1}`;
  return bonus === undefined ? `step ${step + 1}` : `step ${step + 1}, source token ${position + 1}`;
}

const nameOf = ({ attention, layer, head }) => headName([attention, layer, head]);

// Checks rows by themselves: no place is named twice, and each value is one that is accepted.
function checkRows(name, rows) {
  const kind = KINDS[name], found = new Set();
  for (const values of rows.map((row) => valuesOf(kind, row))) {
    const place = kind.columns.filter((column) => !CONTENT.includes(column)).map((column) => values[column]);
    const where = "attention" in values ? `${name}, ${place[0]}` : name;
    const numbers = place.slice("attention" in values ? 1 : 0);
    if (Math.min(...numbers) < 0) throw new Error(`${where}: ${Math.min(...numbers)} is below 0, where counting begins`);
    if (found.has(String(place))) throw new Error(`${where}: ${numbers.join(", ")} is named more than once`);
    found.add(String(place));
    for (const column of kind.columns) CHECKS[column]?.(values);
  }
}

const CHECKS = {
  attention({ attention }) {
    if (ATTENTIONS.includes(attention)) return;
    throw new Error(`attention is '${attention.slice(0, 40)}'; accepted are ${ATTENTIONS.join(", ")}`);
  },
  text(values) {
    if (lengthOf(values.text) <= LONGEST_WORD && normalise(values.text)) return;
    throw new Error(`${placesOf(values)}: what stands in its place is “${values.text.slice(0, 40)}”; `
      + `accepted are 1 to ${LONGEST_WORD} characters that are not all blank`);
  },
  weights(values) {
    const [place, column] = [placesOf(values), "attention" in values ? "token" : "source token"];
    values.weights.forEach((weight, position) => {
      if (weight >= 0 && weight <= 1 + NEAR) return;
      throw new Error(`${place}, ${column} ${position + 1}: the weight is ${weight}; accepted is a number from 0 to 1`);
    });
    const sum = values.weights.reduce((total, weight) => total + weight, 0);
    if (Math.abs(sum - 1) > NEAR) throw new Error(`${place}: the weights add up to ${sum}; they must add up to 1`);
  },
  bonus(values) {
    if (Math.abs(values.bonus) <= FARTHEST_BONUS) return;
    throw new Error(`${placesOf(values)}: the bonus is ${values.bonus}; `
      + `accepted is a number from −${FARTHEST_BONUS} to ${FARTHEST_BONUS}`);
  },
  temperature({ temperature }) {
    const [low, high] = TEMPERATURES;
    if (temperature >= low && temperature <= high) return;
    throw new Error(`the temperature is ${temperature}; accepted is a number from ${low} to ${high}`);
  },
};

// Checks rows against a sentence and a model: `open` marks the source positions that may be looked at, `writable` tests a
// token, and `layout` has the layers, and heads of each, by attention.
/** @param {any} room */
export function fit(name, rows, room) {
  const { open, writable, accepted, layout } = room;
  for (const values of rows.map((row) => valuesOf(KINDS[name], row))) {
    if ("attention" in values) checkHead(values, layout);
    if (values.position >= open.length) {
      const head = "attention" in values ? `${nameOf(values)}, ` : "";
      throw new Error(`${head}source token ${values.position + 1} is past the end: the source has ${open.length} tokens`);
    }
    if ("token" in values && !writable(values.token)) {
      throw new Error(`step ${values.step + 1}: token ${values.token} cannot be written; accepted are ${accepted}`);
    }
    if ("weights" in values) checkWidth(values, open);
  }
}

function checkHead(values, layout) {
  if (!Object.hasOwn(layout, values.attention)) {
    throw new Error("the intervention changes single heads, which only a Transformer has; this model is recurrent");
  }
  const [layers, heads] = layout[values.attention];
  if (values.layer < layers && values.head < heads) return;
  throw new Error(`${nameOf(values)} does not exist; the model has layers: ${layers}, heads of each: ${heads}`);
}

function checkWidth(values, open) {
  const { attention, weights, step } = values;
  const most = attention === "decoder" ? step + 1 : open.length;
  if (weights.length !== most) {
    const end = attention ? `${most} tokens can be looked at` : `the source has ${most} tokens`;
    throw new Error(`${placesOf(values)}: there are ${weights.length} weights; ${end}`);
  }
  const masked = [undefined, "cross"].includes(attention) ? weights.findIndex((weight, i) => weight > 0 && !open[i]) : -1;
  if (masked < 0) return;
  throw new Error(`${placesOf(values)}, source token ${masked + 1}: it has a weight and is masked; its weight must be 0`);
}

export const stepsOf = (name, rows) => rows.map((row) => valuesOf(KINDS[name], row).step).filter((step) => step !== undefined);

// The rows for a sentence with a replaced word: only this many `first` and `last` positions of all `old` and `made` ones
// are the same. Changes at positions that have no successor are dropped, as is a row whose weight was on such positions.
export function carried(name, rows, { old, made, first, last }) {
  const between = Math.max(0, made - last - first);
  const moved = (position) =>
    (position < first ? position : position >= old - last && position < old ? position + made - old : null);
  function spread(row) {
    const sum = row.slice(first, old - last).reduce((total, weight) => total + weight, 0);
    if (sum && !between) return null;
    return [...row.slice(0, first), ...Array.from({ length: between }, () => sum / between), ...row.slice(old - last)];
  }
  return rows.map((row) => {
    const values = valuesOf(KINDS[name], row);
    if ("position" in values) values.at = values.position = moved(values.position);
    if ("weights" in values && values.attention !== "decoder") values.weights = spread(values.weights);
    const kept = KINDS[name].columns.map((column) => values[column]);
    return kept.includes(null) ? null : Array.isArray(row) ? kept : kept[0];
  }).filter((row) => row !== null);
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
    named: "attention" in one ? nameOf(one) : "",
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
