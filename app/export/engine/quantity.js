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

const sourceName = ({ source: { tokens } }, position) => `“${tokenLabel(tokens[position])}”${which(tokens, position, "token ")}`;
