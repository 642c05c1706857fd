// Quantity: identifies and names a number of a translation. The twin of model/arithmetic/quantity.py.
//
// `{kind, step, position, component, ...}`, as the stepper names a clicked number; places count from 0, and step −1 of
// a state or cell is the initial one.

import { ATTENTIONS, BEGIN, byWords, isAtOnce, sidesOf, STEP, tokenLabel, which, wordLabels } from "../../components/shared/alignment.js";

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

const sourceName = ({ source: { tokens } }, position) => `“${tokenLabel(tokens[position])}”${which(tokens, position, "token ")}`;

// Places of a Transformer's numbers.

// True if a row may attend to a column.
export function mayLook(trace, attention, row, column) {
  if (attention === "cross") return !trace.intervention.hidden.includes(column);
  return attention === "encoder" || column <= row;
}

// A token attended to; repeated tokens also get their number.
export function columnText(trace, attention, column) {
  const { tokens } = sidesOf(trace, attention)[1];
  return tokenLabel(tokens[column]) + which(tokens, column);
}

// The words that complete the phrase of a kind of number.
function wordsOfPlace({ kind, attention, layer, head, row, column, rows }, trace) {
  const side = attention === "encoder" ? "encoder" : "decoder";
  const ofLayer = `layer ${layer + 1} of the ${ATTENTIONS[attention].toLowerCase()}`;
  const words = {
    side: `${side} layer ${layer + 1}`,
    of_layer: ofLayer,
    of_head: `${head >= 0 ? `head ${head + 1}` : "the mean of the heads"}, ${ofLayer}`,
  };
  const [looking, looked] = sidesOf(trace, attention);
  if (kind === "head_word_weight") {
    const own = wordLabels(looking);
    const names = rows === "input" ? [BEGIN, ...own] : own;
    const word_row = rows === STEP ? rowText(looking, attention, row) : `“${names[row]}”`;
    return { ...words, word_row, column: `“${wordLabels(looked)[column]}”` };
  }
  if (column !== undefined) words.looked = `“${columnText(trace, attention, column)}”`;
  if (row === undefined) return words;
  return { ...words, from_row: `at ${rowText(looking, attention, row)}` };
}

// The asking side: a step, or in the encoder a token.
const rowText = ({ tokens }, attention, row) => (isAtOnce(attention) ? `“${tokenLabel(tokens[row])}” (token ${row + 1})` : `step ${row + 1}`);
