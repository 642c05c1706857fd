// Intervention: a person's changes to one translation, as a value; everything else is left to the model. The twin
// of model/changes/intervention.py; kinds.js says what each field holds.
//
// Words are changed before anything is read, so positions are those of the changed sentence. In a Transformer all fields
// but the last two hold for every head of every layer's cross-attention.

import { NO_STEERING } from "../seq2seq.js";
import { STOP } from "../tokenizer.js";
import { KINDS, carried, checkRows, fit, headName, isHead, rowsOf, stepsOf, valueOf } from "./kinds.js";

const OF_HEADS = ["heads_off", "head_weights"];

/**
 * @typedef {{
 *   words: [number, string][], tokens: [number, number][], weights: [number, number[]][], hidden: number[],
 *   bonus: [number, number, number][], temperature: number, heads_off: any[], head_weights: any[],
 * }} Intervention
 */

/** @type {Intervention} */
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
