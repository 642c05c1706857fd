// Marks: a person's changes to a trace, and their signs besides colour. An unchanged trace has none.

import { element } from "../shared/elements.js";

export const BY_HAND = "set by hand";
export const UNCHANGED = {
  forced: [], fed: [], weights: [], hidden: [], bonus: [], temperature: 1, temperatures: [1], words: [], gold: [],
  against: null,
};

// Steps and source positions count from 0.
export function marksOf({ forced, fed, weights, hidden, bonus, vectors = [], annotations = [], ...rest }) {
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

// True if a token was given to the decoder instead of chosen by it.
export const isGiven = (trace, t) => trace.stop === "forced" || trace.marks.given.has(t);

export const where = (list, holds) => list.flatMap((item, index) => (holds(item) ? [index] : []));
export const positionsOf = (reading, column) => where(reading.columnOf, (other) => other === column);
export const stepsOf = (reading, row) => where(reading.rowOf, (other) => other === row);

// A source chip or column is masked when all its tokens are.
export const isMasked = (trace, reading, column) =>
  positionsOf(reading, column).every((position) => trace.marks.hidden.has(position));

// The word of the sentence that a source chip belongs to: `{word, was, now}`; null for the end of the sentence.
export const wordOf = (trace, reading, column) => trace.marks.words[reading.words ? column : trace.source.word_of[column]];

// The change to a source chip, in words.
export function doneToSource(trace, reading, column) {
  const word = wordOf(trace, reading, column);
  const replaced = positionsOf(reading, column).some((position) => trace.marks.annotations.has(position));
  return [
    ...(word && word.was !== word.now ? [`in place of “${word.was}”`] : []),
    ...(isMasked(trace, reading, column) ? ["masked"] : []),
    ...(replaced ? [`annotation ${BY_HAND}`] : []),
  ];
}

// The vectors of a step that a person set, in words.
const vectorsByHand = (trace, t) => [...trace.marks.vectors(t).values()].map((called) => `${called} ${BY_HAND}`);

// The changes at the steps of a heatmap's row, in words.
export function doneAtRow(trace, reading, row) {
  const steps = stepsOf(reading, row);
  return [
    ...(steps.some((t) => trace.marks.weighed.has(t)) ? ["weights set by hand"] : []),
    ...new Set(steps.flatMap((t) => vectorsByHand(trace, t))),
  ];
}

// The change to a target chip, in words.
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
