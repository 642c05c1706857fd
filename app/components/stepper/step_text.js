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
  const word = trace.target.word_of[t];
  const pieces = where(trace.target.word_of, (other) => other === word);
  return reading.words && pieces.length > 1 ? [", a piece of ", target(trace, trace.target.words[word])] : [];
}

// For a token in whose place an unknown word was carried over: that word.
function asCarried(trace, t) {
  const word = trace.target.word_of[t];
  const carried = (trace.carried ?? []).find(([start, stop]) => word >= start && word < stop);
  return carried ? [", replaced by ", element("b", {}, carried[2]), " of the source"] : [];
}

// A step in a sentence, as nodes. `number(text, quantity)` makes a number that can be opened.
function sayStep(trace, reading, step, number) {
  if (step < 0) {
    const place = trace.sourceLength + step;
    return [
      `Reading ${place + 1} of ${trace.sourceLength}: the encoder meets `, source(trace, trace.source.tokens[place]),
      " and notes what it means here.",
    ];
  }
  if (step === 0) {
    const zeros = startsFromZeros(trace) ? ", all zeros" : "";
    return [`The whole sentence is read. The decoder starts from its initial state${zeros}.`];
  }
  const t = step - 1;
  const chance = percent(trace.probability.at(t));
  const id = trace.target_ids[t];
  const after = [`Step ${step} of ${trace.steps}: after `, target(trace, fedAt(trace, t))];
  const writes = [
    isGiven(trace, t) ? "is given " : "writes ", target(trace, trace.target.tokens[t]),
    " ", inBrackets(number(chance, { trace: trace.index, kind: "probability", step: t, token: id })),
    ...ofWord(trace, reading, t), ...asCarried(trace, t), ".",
  ];
  const looks = () => sayHeaviest(trace, reading, t, number);
  if (reading.posterior) return [...after, " the decoder ", ...writes, " Knowing it, the posterior is ", ...looks(), "."];
  if (!trace.attends) return [...after, ...sayContext(trace, reading, t, number), ...writes];
  return [...after, " the decoder looks ", ...looks(), " and ", ...writes];
}

// The position a head attends to, as nodes; a head that is switched off attends to nothing.
function sayHead(trace, reading, t, number, verb) {
  if (reading.atStep(t).every((weight) => weight === 0)) return [trace.file ? " looks nowhere: all weights are 0," : ", which is switched off, looks nowhere"];
  return [verb, ...sayHeaviest(trace, reading, t, number)];
}

// A step of a Transformer in a sentence, as nodes; `step` is the row of the attention that is looked at.
function sayHeadStep(trace, reading, step, number) {
  if (step < 1 && trace.file) return [trace.look.attention === "self" ? "Each step is the row of a token." : "Nothing is written yet."];
  if (step < 1) {
    return ["The whole sentence is read at once. The decoder begins: it is fed ", target(trace, trace.begin), "."];
  }
  const t = step - 1;
  const { attention, layer, head } = trace.look;
  const who = head ? `head ${head} of layer ${layer}` : `the mean of the heads of layer ${layer}`;
  const looks = sayHead(trace, reading, t, number, attention === "decoder" || trace.file?.causal ? " looks back " : " looks ");
  if (trace.atOnce) {
    const from = target(trace, trace.target.tokens[t]);
    return [`${attention === "self" ? "Token" : "Reading"} ${step} of ${trace.steps}: from `, from, ` ${who}`, ...looks, "."];
  }
  const chance = () => inBrackets(number(percent(trace.probability.at(t)), { trace: trace.index, kind: "probability", step: t, token: trace.target_ids?.[t] }));
  return [`Step ${step} of ${trace.writes}: after `, target(trace, fedAt(trace, t)), ` ${who}`,
    ...looks, " and the decoder ", isGiven(trace, t) ? "is given " : "writes ",
    target(trace, trace.target.tokens[t]), ...(trace.probability ? [" ", chance()] : []),
    ...ofWord(trace, reading, t), ...asCarried(trace, t), "."];
}

// A step of a file in a sentence, as nodes.
function sayFileStep(trace, reading, step, number) {
  if (step === 0) return [`Nothing is written yet.${trace.file.given ? "" : " The file says nothing about what came before the first step."}`];
  const t = step - 1;
  const [begin, writes] = [`Step ${step} of ${trace.steps}: `, target(trace, trace.target.tokens[t])];
  const looked = where(reading.atStep(t), (weight) => weight > 0);
  if (trace.file.links) {
    const named = looked.slice(0, 3).flatMap((column, i) => [i ? ", " : "", source(trace, reading.columns[column])]);
    const more = looked.length > 3 ? ` and ${looked.length - 3} more` : "";
    return [begin, writes, ...(looked.length ? [" is linked to ", ...named, more, "."] : [" is linked to none."])];
  }
  const before = [begin, "after ", target(trace, fedAt(trace, t))];
  if (!looked.length) return [...before, " all weights are 0, and the decoder writes ", writes, "."];
  return [...before, " the decoder looks ", ...sayHeaviest(trace, reading, t, number), " and writes ", writes, "."];
}

// A step in a sentence for one of several columns; one that has ended says so.
export function sayColumn(trace, reading, step, number) {
  const steps = trace.writes === 1 ? "one step" : `${trace.writes} steps`;
  if (step > trace.writes) return [`This translation ended after ${steps}; its last one stays in view.`];
  return (trace.look ? sayHeadStep : trace.file ? sayFileStep : sayStep)(trace, reading, rowStepOf(trace, step), number);
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

// The stepper's place in words, for the slider.
export function sayPlace(step, traces) {
  const longest = Math.max(...traces.map((trace) => trace.writes));
  const read = -limits(traces).first;
  if (step < 0) return `reading ${read + step + 1} of ${read}`;
  if (step === 0) return read ? "initial state" : "start";
  if (traces[0].look?.attention === "self") return `token ${step} of ${longest}`;
  return `step ${step} of ${longest}`;
}
