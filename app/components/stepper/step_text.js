// Step in words: sentences about the step in view, about each of its phases, and about a weight.

import { element, quiet } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf, fedAt, isGiven, limits, nextOf, rowStepOf, startsFromZeros, where } from "./trace_reading.js";

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
  return [`Reading ${place + 1} of ${trace.sourceLength}: the encoder meets `, sourceAt(trace, place),
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

// Phases of a step, in a sentence each with this step's numbers: read, ask, weigh, mix, write.

export const PHASES = ["read", "ask", "weigh", "mix", "write"];
export const WHOLE = "whole"; // all phases are lit
const LEAST = 0.005; // weights below this are not mentioned

// The phase after or before one, and how many steps away it is.
export function phaseBeside(phase, way) {
  const place = PHASES.indexOf(phase) + way;
  if (place < 0) return { phase: PHASES.at(-1), moves: -1 };
  return place < PHASES.length ? { phase: PHASES[place], moves: 0 } : { phase: PHASES[0], moves: 1 };
}

// `weights` are the ones drawn; `number(text, quantity)` makes a number that can be opened. A row of the encoder counts as
// a step, too, from 1.
export function sayPhase(trace, phase, step, weights, number) {
  if (step < 1) return sayBeforePhases(trace, step);
  const said = trace.look ? OF_HEAD : OF_STEP;
  return said[phase === WHOLE ? "mix" : phase](trace, step, weights, number);
}

function sayBeforePhases(trace, step) {
  if (trace.look) {
    return [trace.look.attention === "cross" ? "The source is read: its keys and values are ready. " : "",
      "The first query comes with the first token that is fed."];
  }
  if (step === 0) {
    const made = startsFromZeros(trace) ? ", which is all zeros." : ", made from both ends of what was read.";
    return ["The whole sentence is read. The decoder is in its initial state ", vector("s", 0), made];
  }
  const moves = trace.sourceLength + step + 1;
  const [forwards, backwards] = [sourceAt(trace, moves - 1), sourceAt(trace, trace.sourceLength - moves)];
  return ["Two readers go through the sentence: the one from the left has reached ", forwards, ", the one from the right ", backwards,
    trace.marks.annotations.size ? ". Some annotations were set by hand." : ". An annotation joins their states."];
}

const OF_STEP = {
  read(trace, step) {
    const read = `${trace.sourceLength === 2 ? "Both" : `All ${trace.sourceLength}`} tokens are read. `;
    if (bahdanau(trace)) return [read, "The decoder is in state ", vector("s", step - 1), " and has not yet read ", fed(trace, step), "."];
    return [read, "The decoder reads ", fed(trace, step), ", and its state becomes ", vector("s", step), byHand(trace, step, "state") ? ", which was set by hand." : "."];
  },
  ask(trace, step, weights, number) {
    const state = vector("s", bahdanau(trace) ? step - 1 : step);
    if (!trace.attends) return ["There is no query: this model has no attention, so ", state, " is compared with no annotation."];
    return ["The state ", state, " is compared with every annotation: ", ...highest(trace, step - 1, number)];
  },
  weigh(trace, step, weights, number) {
    if (trace.attends || weightsByHand(trace, step, weights)) return weighed(trace, step, weights, number);
    return [`The ${trace.marks.edits ? "model's own " : ""}weights are the same at every step: `, ...listed(trace, step, weights, number), "."];
  },
  mix(trace, step, weights, number) {
    const same = !trace.attends && !trace.marks.edits && !trace.marks.replaced && !weightsByHand(trace, step, weights);
    return mixed(trace, step, weights, number, ["c", "context", "annotations", same ? ", the same at every step" : ""]);
  },
  write(trace, step, weights, number) {
    const makers = byHand(trace, step, "attentional") ? ["The attentional vector was set by hand and determines"]
      : [vector("c", step), " and ", vector("s", step), " determine"];
    return [...makers, " the next token: ", ...writes(trace, step, number)];
  },
};

const OF_HEAD = {
  read(trace, step) {
    const all = trace.look.attention !== "decoder" ? `Each of the ${trace.sourceLength} source tokens` : step === 1 ? "The first token fed" : `Each of the ${step} tokens fed so far`;
    return [`${all} has a key and a value of ${trace.query.width} components here; the stream of `, fed(trace, step), ", normalised, becomes the query ", vector("q", step), "."];
  },
  ask(trace, step, weights, number) {
    const keys = trace.look.attention !== "decoder" ? "every key" : "the keys of the tokens fed so far";
    return ["The query ", vector("q", step), " of ", fed(trace, step), ` is compared with ${keys}, q · k / √${trace.query.width}: `, ...highest(trace, step - 1, number)];
  },
  weigh(trace, step, weights, number) {
    if (trace.marks.off) return ["This head is switched off: all of its weights are 0."];
    return weighed(trace, step, weights, number);
  },
  mix: (trace, step, weights, number) => mixed(trace, step, weights, number, ["z", "mixed", "values", ""]),
  write(trace, step, weights, number) {
    const { attention, layer } = trace.look;
    const heads = trace.heads[attention].layers[layer - 1].heads.length;
    const to = nextOf(trace);
    return [`All ${heads} heads are joined and added to the stream of `, fed(trace, step), attention === "decoder" ? "" : ", and the feed-forward network adds to it",
      to ? `; it goes on to ${to === "annotation" ? "be normalised into the annotation" : to}. ` : ". ", ...(trace.atOnce ? [] : ["In the end ", ...writes(trace, step, number)])];
  },
};

const bahdanau = (trace) => trace.network.wiring === "bahdanau";
const sourceAt = (trace, i) => source(trace, trace.source.tokens[i]);
const fed = (trace, step) => target(trace, fedAt(trace, step - 1));
const vector = (letter, index) => element("span", { class: "whole" }, element("i", {}, letter), element("sub", {}, String(index)));
const byGreatest = (values) => Array.from(values, (_, i) => i).sort((one, other) => values[other] - values[one]);

const byHand = (trace, step, kind) => trace.marks.vectors(step - 1).has(kind);

// True if a person set the weights of this step, or holds them under the pointer.
const weightsByHand = (trace, step, weights) => trace.marks.weighed.has(step - 1)
  || weights.some((weight, i) => weight !== trace.weight.at(step - 1, i));

// The two highest scores by name, or those that share the highest, of the tokens that are not masked or still to come.
function highest(trace, t, number) {
  const order = byGreatest(trace.score.row(t)).filter((i) => trace.look?.attention !== "decoder" || i <= t);
  const open = order.filter((i) => trace.mask.at(t, i));
  const [first, second] = open;
  const score = (i) => number(twoDecimals(trace.score.at(t, i)), betweenOf(trace, "score", t, i));
  const alike = open.filter((i) => trace.score.at(t, i) === trace.score.at(t, first)).length;
  const among = open.length < order.length ? " of those that are not masked" : "";
  if (alike > 1) return [`${alike} positions share the highest score${among}, `, score(first), "."];
  return [sourceAt(trace, first), ` has the highest score${among}, `, score(first),
    ...(second === undefined ? [] : [", then ", sourceAt(trace, second), ", ", score(second)]), "."];
}

const listed = (trace, step, weights, number) => byGreatest(weights).filter((i, n) => !n || weights[i] >= LEAST).slice(0, 3)
  .flatMap((i, n) => [n ? ", " : "", sourceAt(trace, i), " ", number(percent(weights[i]), betweenOf(trace, "weight", step - 1, i))]);

const weighed = (trace, step, weights, number) => [
  weightsByHand(trace, step, weights) ? "The weights were set by hand: " : "Softmax turns the scores into weights that sum to 100%: ",
  ...listed(trace, step, weights, number), "."];

// What is mixed into a vector: its letter, its name, what it is mixed of, and a remark.
function mixed(trace, step, weights, number, [letter, kind, of, remark]) {
  if (byHand(trace, step, kind)) return [vector(letter, step), ` was set by hand, in place of the weighted sum of the ${of}.`];
  if (weights.every((weight) => weight === 0)) return [`All weights are 0: no part of the ${of} goes into `, vector(letter, step), "."];
  return [vector(letter, step), ` is the weighted sum of the ${of}${remark}: `, ...listed(trace, step, weights, number), "."];
}

function writes(trace, step, number) {
  const t = step - 1;
  const given = isGiven(trace, t);
  const chance = (id, value) => number(percent(value), { trace: trace.index, kind: "probability", step: t, token: id });
  const [likeliest] = trace.top_ids[t];
  const best = [target(trace, trace.top_labels[t][0]), " is likeliest (", chance(likeliest, trace.top_probability.at(t, 0)), ")"];
  if (trace.target_ids[t] === likeliest) return [...best, given ? ", and is given." : ", and is written."];
  return [...best, "; ", target(trace, trace.target.tokens[t]), given ? " is given, " : " is taken, ", chance(trace.target_ids[t], trace.probability.at(t)), "."];
}
