// Step in words: sentences about the step in view, and about a weight.

import { element, quiet } from "../shared/elements.js";
import { exact, percent } from "../shared/numbers.js";
import { fedAt, isGiven, limits, rowStepOf, startsFromZeros, where } from "./trace_reading.js";

const ENDINGS = {
  end: "Decoding ended here: the model produced the end of the sentence.",
  given: "Decoding ended here: the end of the sentence was given.",
  limit: "Decoding was stopped here: the translation reached its length limit.",
  forced: "The translation ends here.", // it was given, or written with memory
};
export const endingOf = ({ stop, marks, writes }) => ENDINGS[stop === "end" && marks.given.has(writes - 1) ? "given" : stop];

// The tokens that a step is fed and produces, as nodes.
export const fedLine = (trace, t) => [
  quiet("Fed in "), trace.targetToken(fedAt(trace, t)), quiet(isGiven(trace, t) ? "  →  given " : "  →  produced "),
  element("b", {}, trace.targetToken(trace.target.tokens[t])),
];

// A token in the colour of its language; self-attention has one language on both sides.
const source = ({ look, sourceToken }, label) =>
  element("span", { class: look?.attention === "decoder" ? "target-word" : "source-word" }, sourceToken(label));
const target = ({ look, targetToken }, label) =>
  element("span", { class: ["encoder", "self"].includes(look?.attention) ? "source-word" : "target-word" }, targetToken(label));

const inBrackets = (...nodes) => element("span", { class: "whole" }, "(", ...nodes, ")");

// The position a step attends to most, with its weight; none if the heaviest weights are equal.
function sayHeaviest(trace, reading, t, number, at = "at") {
  const weights = reading.atStep(t);
  const most = Math.max(...weights);
  const alike = where(weights, (weight) => weight === most);
  const [first, second] = alike.map((column) => source(trace, reading.columns[column]));
  const looks = alike.length === 1 ? [`most ${at} `, first]
    : alike.length === 2 ? [`equally ${at} `, first, " and ", second] : [`equally ${at} ${alike.length} positions`];
  const each = alike.length > 1 ? [" each"] : [];
  return [...looks, " ", inBrackets(number(percent(most), reading.quantityAtStep(t, alike[0])), ...each)];
}

// The context of a model without attention, which attends to nothing; a person may have set it, or weights for it.
function sayContext(trace, reading, t, number) {
  if (trace.marks.vectors(t).has("context")) return [" the decoder gets a context that was set by hand and "];
  const { edits, hidden } = trace.marks;
  if (edits || hidden.size) {
    return [" the context is made ", ...sayHeaviest(trace, reading, t, number, "of"), " and the decoder "];
  }
  const share = number(percent(trace.weight.at(t, 0)), { trace: trace.index, kind: "weight", step: t, position: 0 });
  return [" the decoder gets the same mean of the first and last annotation as at every step ", inBrackets(share, " each"), " and "];
}

// If words are shown, a token that is a piece of a word says which.
function ofWord(trace, reading, t) {
  const word = trace.target.wordOf[t];
  const pieces = where(trace.target.wordOf, (other) => other === word);
  return reading.words && pieces.length > 1 ? [", a piece of ", target(trace, trace.target.words[word])] : [];
}

// For a token in whose place an unknown word was carried over: that word.
function asCarried(trace, t) {
  const word = trace.target.wordOf[t];
  const carried = (trace.carried ?? []).find(([start, stop]) => word >= start && word < stop);
  return carried ? [", replaced by ", element("b", {}, carried[2]), " of the source"] : [];
}

// A step in a sentence for one of several columns, as nodes; one that has ended says so. `number(text, quantity)` makes a
// number that can be opened.
export function sayColumn(trace, reading, step, number) {
  const steps = trace.writes === 1 ? "one step" : `${trace.writes} steps`;
  if (step > trace.writes) return [`This translation ended after ${steps}; its last one stays in view.`];
  const row = rowStepOf(trace, step);
  return row < 1 ? sayBefore(trace, row) : sayStep(trace, reading, row, number);
}

function sayBefore(trace, step) {
  if (trace.look?.attention === "self") return ["Each step is the row of a token."];
  if (trace.file) return ["Nothing is written yet."];
  if (trace.look) return ["The whole sentence is read at once. The decoder begins: it is fed ", target(trace, trace.begin), "."];
  if (step === 0) return [`The whole sentence is read. The decoder starts from its initial state${startsFromZeros(trace) ? ", all zeros" : ""}.`];
  const place = trace.sourceLength + step;
  return [`Reading ${place + 1} of ${trace.sourceLength}: the encoder meets `, source(trace, trace.source.tokens[place]),
    " and notes what it means here."];
}

function sayStep(trace, reading, step, number) {
  const t = step - 1;
  const token = target(trace, trace.target.tokens[t]);
  const looks = () => sayLooks(trace, reading, t, number);
  if (trace.atOnce) return [`${trace.look.attention === "self" ? "Token" : "Reading"} ${step} of ${trace.steps}: from `, token, ...looks(), "."];
  if (trace.file?.links) return [`Step ${step} of ${trace.steps}: `, token, ...sayLinks(trace, reading, t)];
  const after = [`Step ${step} of ${trace.writes}: after `, target(trace, fedAt(trace, t))];
  const chance = () => number(percent(trace.probability.at(t)), { trace: trace.index, kind: "probability", step: t, token: trace.target_ids?.[t] });
  const writes = [isGiven(trace, t) ? "is given " : "writes ", token, ...(trace.probability ? [" ", inBrackets(chance())] : []),
    ...ofWord(trace, reading, t), ...asCarried(trace, t), "."];
  if (reading.posterior) return [...after, " the decoder ", ...writes, " Knowing it, the posterior is ", ...sayHeaviest(trace, reading, t, number), "."];
  if (!trace.attends) return [...after, ...sayContext(trace, reading, t, number), ...writes];
  return [...after, ...looks(), trace.look ? " and the decoder " : " and ", ...writes];
}

// What the decoder or a head attends to; a head that is switched off attends to nothing.
function sayLooks(trace, reading, t, number) {
  const { look, file } = trace;
  const who = look ? ` ${look.head ? `head ${look.head}` : "the mean of the heads"} of layer ${look.layer}` : " the decoder";
  if (reading.atStep(t).every((weight) => weight === 0)) {
    return [who, file ? " looks nowhere (all weights are 0)" : ", which is switched off, looks nowhere"];
  }
  return [who, look?.attention === "decoder" || file?.causal ? " looks back " : " looks ", ...sayHeaviest(trace, reading, t, number)];
}

function sayLinks(trace, reading, t) {
  const linked = where(reading.atStep(t), (weight) => weight > 0);
  if (!linked.length) return [" is linked to none."];
  const named = linked.slice(0, 3).flatMap((column, i) => [i ? ", " : "", source(trace, reading.columns[column])]);
  return [" is linked to ", ...named, linked.length > 3 ? ` and ${linked.length - 3} more.` : "."];
}

// A weight in a sentence, for pointing at its cell or its line.
export function sayWeight(reading, row, column) {
  const weight = reading.weights.at(row, column);
  const rowName = reading.chips[reading.chipOfRow(row)].text;
  const columnName = reading.columns[column].text;
  if (reading.posterior) return `posterior of ${columnName}, knowing ${rowName}: ${exact(weight)} = ${percent(weight)}`;
  if (reading.links) return `${rowName} is ${weight ? "" : "not "}linked to ${columnName}`;
  const said = reading.attends ? `${rowName} looks at ${columnName}` : `weight of ${columnName} in the row of ${rowName}`;
  return `${said}: ${exact(weight)} = ${percent(weight)}`;
}

// The sentence about one step's weight; for a word written by several steps it names the step.
export function sayAtStep(trace, reading, t, column) {
  const row = reading.rowOf[t];
  if (reading.links || reading.rowOf.filter((other) => other === row).length === 1) return sayWeight(reading, row, column);
  const [weight, name] = [reading.atStep(t)[column], trace.target.tokens[t].text.trim()];
  const [said, source] = [`${exact(weight)} = ${percent(weight)}`, reading.columns[column].text];
  if (reading.posterior) return `posterior of ${source}, knowing ${name}: ${said}`;
  return reading.attends ? `step ${t + 1}, ${name}, looks at ${source}: ${said}` : `weight of ${source} at step ${t + 1}: ${said}`;
}

export function sayPlace(step, traces) {
  const longest = Math.max(...traces.map((trace) => trace.writes));
  const read = -limits(traces).first;
  if (step < 0) return `reading ${read + step + 1} of ${read}`;
  if (step === 0) return read ? "initial state" : "start";
  if (traces[0].look?.attention === "self") return `token ${step} of ${longest}`;
  return `step ${step} of ${longest}`;
}
