// Intervention: a person's changes to one translation, as a value; everything else is left to the model. The twin
// of model/changes/intervention.py.
//
// Steps and source positions count from 0, in tokens. Words are changed before anything is read, so positions are
// those of the changed sentence.
//
//     words    [word of the source, text in its place]     hidden       source positions that are masked
//     tokens   [step, id of the token written there]       bonus        [step, position, what is added to the score]
//     weights  [step, [a weight for each position]]        temperature  of the softmax that makes weights of scores
//
// In a Transformer these hold for every head of every layer's cross-attention; single heads are changed beside them, as
// head_changes.js says.

import { NO_STEERING } from "../attention.js";
import { NO_HEADS, checkHeads, headName } from "./head_changes.js";
import { STOP } from "../tokenizer.js";
import { lengthOf, normalise } from "../words.js";

const NEAR = 1e-4; // how far the sum of a row of weights may be from 1
export const TEMPERATURES = [0.05, 20]; // from the sharpest to the flattest softmax
const FARTHEST_BONUS = 1000;
const LONGEST_WORD = 200; // characters of a word put in place of another

/**
 * @typedef {{
 *   words: [number, string][], tokens: [number, number][], weights: [number, number[]][], hidden: number[],
 *   bonus: [number, number, number][], temperature: number, heads_off: any[], head_weights: any[],
 * }} Intervention
 */

/** @type {Intervention} */
export const UNTOUCHED = { words: [], tokens: [], weights: [], hidden: [], bonus: [], temperature: 1, ...NO_HEADS };

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const isUntouched = (changes) => same(changes, UNTOUCHED);

// Throws an error that says what is wrong with the value itself; `check` tests whether it fits a sentence.
export function interventionOf(values) {
  const changes = { ...UNTOUCHED, ...values };
  const { words, tokens, weights, hidden, bonus, temperature, heads_off: off, head_weights: rows } = changes;
  once("words", words.map(([word]) => [word]));
  once("tokens", tokens.map(([step]) => [step]));
  once("weights", weights.map(([step]) => [step]));
  once("hidden", hidden.map((position) => [position]));
  once("bonus", bonus.map(([step, position]) => [step, position]));
  onceOfEach("heads_off", off.map(([attention, ...place]) => [attention, place]));
  onceOfEach("head_weights", rows.map(([attention, layer, head, row]) => [attention, [layer, head, row]]));
  checkHeads(changes);
  for (const [word, text] of words) {
    if (lengthOf(text) <= LONGEST_WORD && normalise(text)) continue;
    throw new Error(`source word ${word + 1}: what stands in its place is “${text.slice(0, 40)}”; `
      + `accepted are 1 to ${LONGEST_WORD} characters that are not all blank`);
  }
  for (const [step, row] of weights) checkRow(`step ${step + 1}`, "source token", row);
  for (const [attention, layer, head, row, given] of rows) {
    checkRow(`${headName([attention, layer, head])}, row ${row + 1}`, "token", given);
  }
  for (const [step, position, value] of bonus) {
    if (Math.abs(value) <= FARTHEST_BONUS) continue;
    throw new Error(`step ${step + 1}, source token ${position + 1}: the bonus is ${value}; `
      + `accepted is a number from −${FARTHEST_BONUS} to ${FARTHEST_BONUS}`);
  }
  const [low, high] = TEMPERATURES;
  if (!(temperature >= low && temperature <= high)) {
    throw new Error(`the temperature is ${temperature}; accepted is a number from ${low} to ${high}`);
  }
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

// Checks that this fits a sentence; `reach` marks the positions that the model can look at.
export function check({ hidden, bonus, tokens, weights }, reach, vocabulary) {
  for (const position of [...hidden, ...bonus.map(([, position]) => position)]) {
    if (position >= reach.length) {
      throw new Error(`source token ${position + 1} is past the end: the source has ${reach.length} tokens`);
    }
  }
  const open = openOf({ hidden }, reach);
  if (!open.some(Boolean)) {
    throw new Error("every source token is masked; at least one that the model can look at has to stay");
  }
  for (const [step, token] of tokens) {
    if (token >= STOP && token < vocabulary) continue;
    throw new Error(`step ${step + 1}: token ${token} cannot be written; accepted are ${STOP} to ${vocabulary - 1}`);
  }
  for (const [step, row] of weights) {
    if (row.length !== reach.length) {
      throw new Error(`step ${step + 1}: there are ${row.length} weights; the source has ${reach.length} tokens`);
    }
    const masked = row.findIndex((weight, i) => weight > 0 && !open[i]);
    if (masked >= 0) {
      throw new Error(`step ${step + 1}, source token ${masked + 1}: it has a weight and is masked; its weight must be 0`);
    }
  }
}

// The positions that may be looked at.
export const openOf = ({ hidden }, reach) => reach.map((is, i) => is && !hidden.includes(i));

// Checks that a translation with this many steps has all the named steps.
export function checkEnd({ tokens, weights, bonus, head_weights: rows }, steps) {
  const heads = rows.filter(([attention]) => attention !== "encoder").map(([, , , step]) => step);
  const late = [...[...tokens, ...weights, ...bonus].map(([step]) => step), ...heads].filter((step) => step >= steps);
  if (late.length) {
    const length = `${steps} step${steps > 1 ? "s" : ""}`;
    throw new Error(`step ${Math.min(...late) + 1} is past the end: the translation has ${length}`);
  }
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

function once(name, places) {
  const found = new Set();
  for (const place of places) {
    if (Math.min(...place) < 0) throw new Error(`${name}: ${Math.min(...place)} is below 0, where counting begins`);
    if (found.has(String(place))) throw new Error(`${name}: ${place.join(", ")} is named more than once`);
    found.add(String(place));
  }
}

// Checks that no place is named twice under the same heading.
function onceOfEach(name, places) {
  for (const heading of new Set(places.map(([one]) => one))) {
    once(`${name}, ${heading}`, places.filter(([one]) => one === heading).map(([, place]) => place));
  }
}

function checkRow(place, column, row) {
  row.forEach((weight, position) => {
    if (weight >= 0 && weight <= 1 + NEAR) return;
    throw new Error(`${place}, ${column} ${position + 1}: the weight is ${weight}; `
      + "accepted is a number from 0 to 1");
  });
  const sum = row.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) > NEAR) throw new Error(`${place}: the weights add up to ${sum}; they must add up to 1`);
}
