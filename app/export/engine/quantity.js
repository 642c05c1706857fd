// Quantity: identifies and names a number of a translation. The twin of model/arithmetic/quantity.py.
//
// `{kind, step, position, component, ...}`, as the stepper names a clicked number; places count from 0, and step −1 of
// a state or cell is the initial one.

import { BEGIN, byWords, STEP, tokenLabel, which, wordLabels } from "./alignment.js";
import { wordsOfPlace } from "./heads.js";

const MERGED = ["word_weight", "word_posterior"]; // kinds that are between words

// Such as: weight of “blue” at step 7. `phrases` are those of the app, by kind.
export function nameOf(asked, trace, phrases) {
  const { kind, step, position, component, token, rows, row, column, gate, direction } = asked;
  const places = {
    component: component + 1,
    when: step >= 0 ? `at step ${step + 1}` : "before the first step",
    gate: gate === "candidate" ? gate : `${gate} gate`,
    direction: direction?.replace(/s$/, ""),
  };
  if (position !== undefined) places.source = sourceName(trace, position);
  if (token !== undefined) places.token = `“${tokenText(trace, token)}”`;
  if (step >= 0) places.produced = `“${tokenText(trace, trace.targetIds[step])}”`;
  if (MERGED.includes(kind)) {
    const own = wordLabels(trace.target);
    const names = rows === "input" ? [BEGIN, ...own] : own;
    Object.assign(places, { row: rows === STEP ? `step ${row + 1}` : `“${names[row]}”`, column: `“${wordLabels(trace.source)[column]}”` });
  }
  if (asked.attention) Object.assign(places, wordsOfPlace(asked, trace));
  return phrases[kind].replace(/\{(\w+)\}/g, (_, name) => String(places[name]));
}

// A weight between words that merges nothing is the weight between their tokens.
export function unmerged(asked, trace) {
  if (!MERGED.includes(asked.kind)) return asked;
  const [steps, positions] = mergedBy(asked, trace);
  if (steps.length * positions.length > 1) return asked;
  return { trace: asked.trace, kind: asked.kind.replace("word_", ""), step: steps[0], position: positions[0] };
}

// The steps of its row and the source tokens of its column.
function mergedBy({ rows, row, column }, trace) {
  const where = (list, wanted) => list.flatMap((item, index) => (item === wanted ? [index] : []));
  return [where(byWords(trace, rows).rowOf, row), where(trace.source.wordOf, column)];
}

// The text of a token of this trace, without the space that begins a word.
export function tokenText(trace, id) {
  const all = [[trace.targetIds, trace.target.tokens], ...trace.topIds.map((ids, t) => [ids, trace.topTokens[t]])];
  const [ids, tokens] = all.find(([some]) => some.includes(id)) ?? [[], []];
  return ids.length ? tokenLabel(tokens[ids.indexOf(id)]) : `token ${id}`;
}

// The text of a source token, with its number if it occurs several times.
export const sourceText = ({ source: { tokens } }, position) => tokenLabel(tokens[position]) + which(tokens, position);

const sourceName = ({ source: { tokens } }, position) => `“${tokenLabel(tokens[position])}”${which(tokens, position, "token ")}`;

// Notation: the formula of a number that was opened, with the places of that number. The twin of
// app/arithmetic/equations.py; templates and letters are those of the table of numbers, which the page has as data.
//
// Subscripts are step t, source position i and component j, all from 1. `_` marks a subscript, `^` a superscript.

const ENCODER = ["annotation", "encoder_gate", "encoder_cell", "encoder_kept"];
const NOT_GATES = ["memory", "kept", "state"]; // the other letters of a cell
const ALONE = "alone_"; // with all weight of the step on one source token
const ARROWS = { forwards: "→", backwards: "←" };

// `asking` is the step whose state asks, from 0; `numbers` is the table: `{symbols, forms, letters, reads}`.
export function formulaOf(working, quantity, asking, numbers) {
  const place = { step: 0, position: 0, component: 0, row: 0, column: 0, ...quantity };
  const named = { ...cellLetters(working, quantity, numbers), ...placesOf(working, place, asking) };
  const all = { ...named, gate: named[quantity.gate] ?? "" };
  const read = working.reads ? filled(numbers.reads[working.reads], all) : "";
  return filled(numbers.forms[working.form], { ...all, read, left: filled(numbers.symbols[quantity.kind], all) });
}

const filled = (template, values) =>
  template.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => String(values[braced ?? plain]));

const inEncoder = (working, { kind }) => ENCODER.includes(kind) && working.form !== "layer_norm";

// The encoder's number in one direction that this number is, or is made of.
const innerOf = (working, quantity) => [quantity, ...working.terms.flatMap(({ opens }) => opens)].find((one) => one.direction);

function placesOf(working, quantity, asking) {
  const { kind, step, position, component, attention, row, column } = quantity;
  let [now, part, past] = [step + 1, component + 1, step];
  let [t, i] = [step + 1, position + 1];
  if (inEncoder(working, quantity)) {
    const inner = innerOf(working, quantity);
    [now, part] = [position + 1, inner.component + 1];
    past = inner.direction === "backwards" ? now + 1 : now - 1;
  }
  if (attention) [t, i, past] = [row + 1, column + 1, row];
  else if (working.form === "layer_norm" && kind === "annotation") t = position + 1;
  return { t, i, j: component + 1, now, past, part, at: `${now},${part}`, before: `${past},${part}`, asking: asking + 1 };
}

// The letters of a recurrent cell: with an arrow in the encoder, with (i) where one token has all weight.
function cellLetters(working, quantity, { letters }) {
  const named = { ...letters, candidate: ["state/gru", "gate/reset"].includes(working.form) ? "n" : "g" };
  const each = (change) => Object.fromEntries(Object.entries(named).map(([name, letter]) => [name, change(letter, name)]));
  if (inEncoder(working, quantity)) {
    const arrow = ARROWS[innerOf(working, quantity).direction];
    return each((letter, name) => arrow + (name === "state" ? "h" : letter));
  }
  if (!quantity.kind.startsWith(ALONE)) return named;
  const before = working.form === "state/lstm" ? NOT_GATES.slice(1) : NOT_GATES; // an LSTM's state uses the new cell state
  return each((letter, name) => (before.includes(name) ? letter : `${letter}^{(${quantity.position + 1})}`));
}
