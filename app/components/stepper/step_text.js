// Step in words: what happens at the step in view, and what a weight says, as sentences.

import { element } from "../shared/elements.js";
import { exact, percent } from "../shared/numbers.js";
import { isGiven } from "./marks.js";
import { limits, rowStepOf, startsFromZeros } from "./trace_reading.js";

export const ENDINGS = {
  end: "Decoding ended here: the model produced the end of the sentence.",
  limit: "Decoding was stopped here: the translation reached its length limit.",
  forced: "The given translation ends here.",
};

const inBrackets = (...nodes) => element("span", { class: "whole" }, "(", ...nodes, ")");

// What stands behind a weight of a word that several steps write: its row is theirs together.
function ofItsSteps(reading, row) {
  const steps = reading.rowOf.filter((other) => other === row).length;
  return reading.words && steps > 1 ? [`, mean of its word's ${steps} steps`] : [];
}

// Where a row looks most; nothing is most where the heaviest weights are the same, as where there is no attention.
function sayHeaviest(reading, row, source) {
  const weights = Array.from(reading.weights.row(row));
  const alike = reading.columns.filter((_, column) => weights[column] === Math.max(...weights));
  if (alike.length === 1) return ["most at ", source(alike[0])];
  if (alike.length === 2) return ["equally at ", source(alike[0]), " and ", source(alike[1])];
  return [`equally at ${alike.length} of them`];
}

// A step in a sentence, as nodes. `number(text, quantity)` makes a number that can be opened.
function sayStep(trace, reading, step, number) {
  const source = (label) => element("span", { class: "source-word" }, trace.sourceToken(label));
  const target = (label) => element("span", { class: "target-word" }, trace.targetToken(label));
  if (step < 0) {
    const place = trace.sourceLength + step;
    return [
      `Reading ${place + 1} of ${trace.sourceLength}: the encoder meets `, source(trace.source.tokens[place]),
      " and notes what it means here.",
    ];
  }
  if (step === 0) {
    const zeros = startsFromZeros(trace) ? ", all zeros" : "";
    return [`The whole sentence is read. The decoder starts from its initial state${zeros}.`];
  }
  const t = step - 1;
  const row = reading.rowOf[t];
  const column = reading.lookedAt[row];
  const share = percent(reading.weights.at(row, column));
  const chance = percent(trace.probability.at(t));
  const id = trace.target_ids[t];
  const after = [`Step ${step} of ${trace.steps}: after `, target(t ? trace.target.tokens[t - 1] : trace.begin)];
  const writes = [
    isGiven(trace, t) ? "is given " : "writes ", target(trace.target.tokens[t]),
    " ", inBrackets(number(chance, { trace: trace.index, kind: "probability", step: t, token: id })), ".",
  ];
  const looks = [...sayHeaviest(reading, row, source), " ",
    inBrackets(number(share, reading.quantity(row, column)), ...ofItsSteps(reading, row))];
  if (!reading.posterior) return [...after, " the decoder looks ", ...looks, " and ", ...writes];
  return [...after, " the decoder ", ...writes, " Knowing it, the posterior is ", ...looks, "."];
}

// Where a head looks, as nodes; one that is switched off looks nowhere.
function sayHead(trace, reading, t, number, source, verb) {
  const row = reading.rowOf[t];
  const weights = Array.from(reading.weights.row(row));
  if (weights.every((weight) => weight === 0)) return [", which is switched off, looks nowhere"];
  const column = reading.lookedAt[row];
  return [verb, ...sayHeaviest(reading, row, source), " ", inBrackets(number(percent(weights[column]), reading.quantity(row, column)), ...ofItsSteps(reading, row))];
}

// A step of a Transformer in a sentence, as nodes; `step` is the row of the attention that is looked at.
function sayHeadStep(trace, reading, step, number) {
  const { attention } = trace.look;
  const source = (label) => element("span", { class: attention === "decoder" ? "target-word" : "source-word" }, trace.sourceToken(label));
  const target = (label) => element("span", { class: attention === "encoder" ? "source-word" : "target-word" }, trace.targetToken(label));
  if (step < 1) return ["The whole sentence is read at once. The decoder begins: it is fed ", target(trace.begin), "."];
  const t = step - 1;
  const { layer, head } = trace.look;
  const who = head ? `head ${head} of layer ${layer}` : `the mean of the heads of layer ${layer}`;
  const looks = sayHead(trace, reading, t, number, source, attention === "decoder" ? " looks back " : " looks ");
  if (attention === "encoder") {
    return [`Reading ${step} of ${trace.steps}: from `, target(trace.target.tokens[t]), ` ${who}`, ...looks, "."];
  }
  const chance = number(percent(trace.probability.at(t)), { trace: trace.index, kind: "probability", step: t, token: trace.target_ids[t] });
  return [`Step ${step} of ${trace.writes}: after `, target(t ? trace.target.tokens[t - 1] : trace.begin), ` ${who}`,
    ...looks, " and the decoder ", isGiven(trace, t) ? "is given " : "writes ",
    target(trace.target.tokens[t]), " ", inBrackets(chance), "."];
}

// A step in a sentence, as nodes, for what comes from a file.
function sayFileStep(trace, reading, step, number) {
  const source = (label) => element("span", { class: "source-word" }, trace.sourceToken(label));
  const target = (label) => element("span", { class: "target-word" }, trace.targetToken(label));
  if (step === 0) return ["Nothing is written yet. The file says nothing about what came before the first step."];
  const t = step - 1;
  const row = reading.rowOf[t];
  const [begin, writes] = [`Step ${step} of ${trace.steps}: `, target(trace.target.tokens[t])];
  const looked = reading.columns.map((_, column) => column).filter((column) => reading.weights.at(row, column) > 0);
  if (trace.file.links) {
    const named = looked.slice(0, 3).flatMap((column, i) => [i ? ", " : "", source(reading.columns[column])]);
    const more = looked.length > 3 ? ` and ${looked.length - 3} more` : "";
    return [begin, writes, ...(looked.length ? [" is linked to ", ...named, more, "."] : [" is linked to none."])];
  }
  const before = [begin, "after ", target(t ? trace.target.tokens[t - 1] : trace.begin)];
  if (!looked.length) return [...before, " all weights are 0, and the decoder writes ", writes, "."];
  const share = number(percent(reading.weights.at(row, reading.lookedAt[row])),
    reading.quantity(row, reading.lookedAt[row]));
  return [...before, " the decoder looks ", ...sayHeaviest(reading, row, source), " ", inBrackets(share),
    " and writes ", writes, "."];
}

// A step in a sentence for one of several columns; one that has ended says so.
export function sayColumn(trace, reading, step, number) {
  const steps = trace.writes === 1 ? "one step" : `${trace.writes} steps`;
  if (step > trace.writes) return [`This translation ended after ${steps}; its last one stays in view.`];
  return (trace.file ? sayFileStep : trace.look ? sayHeadStep : sayStep)(trace, reading, rowStepOf(trace, step), number);
}

// A weight in a sentence, for who points at its cell or its line.
export function sayWeight(reading, row, column) {
  const weight = reading.weights.at(row, column);
  const rowName = reading.chips[reading.chipOfRow(row)].text;
  const columnName = reading.columns[column].text;
  if (reading.posterior) return `posterior of ${columnName}, knowing ${rowName}: ${exact(weight)} = ${percent(weight)}`;
  if (reading.links) return `${rowName} is ${weight ? "" : "not "}linked to ${columnName}`;
  return `${rowName} looks at ${columnName}: ${exact(weight)} = ${percent(weight)}`;
}

// Where the stepper stands, for the slider.
export function sayPlace(step, traces) {
  const longest = Math.max(...traces.map((trace) => trace.writes));
  const read = -limits(traces).first;
  if (step < 0) return `reading ${read + step + 1} of ${read}`;
  if (step === 0) return read ? "initial state" : "start";
  return `step ${step} of ${longest}`;
}
