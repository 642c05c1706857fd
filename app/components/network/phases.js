// What happens at a step, phase by phase: read, ask, weigh, mix, write.

import { next } from "./decoder.js";
import { element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf, fedAt, isGiven, startsFromZeros } from "../stepper/trace_reading.js";

// Phases of a step, in a sentence each with this step's numbers: read, ask, weigh, mix, write.

export const PHASES = ["read", "ask", "weigh", "mix", "write"];
const ALL = 0.9995; // of the weight, to three decimals
const NEARLY_ALL = 0.98; // a weight from which the others hardly change the blend
export const WHOLE = "whole"; // all phases are lit

// The phase after or before one, and how many steps away it is.
export function phaseBeside(phase, way) {
  const place = PHASES.indexOf(phase) + way;
  if (place < 0) return { phase: PHASES.at(-1), moves: -1 };
  return place < PHASES.length ? { phase: PHASES[place], moves: 0 } : { phase: PHASES[0], moves: 1 };
}

const state = (t) => vector("s", t);
const context = (t) => vector("c", t);

// `weights` are the ones drawn; `number(text, quantity)` makes a number that can be opened.
export function sayPhase(trace, phase, step, weights, number) {
  const one = phase === WHOLE ? "mix" : phase;
  if (trace.look) return sayHead(trace, one, step, weights, number);
  if (step < 0) return sayReading(trace, step);
  if (step === 0) return sayStart(trace);
  return SAID[one](trace, step, weights, number);
}

const ends = ({ marks }) => (marks.annotations.size ? "the annotations at both ends" : "the last states of both readers");

function sayStart(trace) {
  const made = startsFromZeros(trace) ? ", which is all zeros" : `, made from ${ends(trace)}`;
  return ["The whole sentence is read. The decoder is in its initial state ", state(0), made, trace.attends ? "; nothing is asked yet." : "."];
}

function sayReading(trace, step) {
  const moves = trace.sourceLength + step + 1;
  const [forwards, backwards] = [source(trace, moves - 1), source(trace, trace.sourceLength - moves)];
  return ["Two readers go through the sentence: the one from the left has reached ", forwards, ", the one from the right ", backwards,
    `. An annotation joins their states${trace.marks.annotations.size ? ", except where one was set by hand." : "."}`];
}

const SAID = { read: sayRead, ask: sayAsk, weigh: sayWeigh, mix: sayMix, write: sayWrite };
const bahdanau = (trace) => trace.network.wiring === "bahdanau";
const fed = (trace, step) => target(trace, fedAt(trace, step - 1));

function sayRead(trace, step) {
  const read = `${trace.sourceLength === 2 ? "Both" : `All ${trace.sourceLength}`} tokens are read. `;
  if (bahdanau(trace)) return [read, "The decoder is in state ", state(step - 1), " and has not yet read ", fed(trace, step), "."];
  return [read, "The decoder reads ", fed(trace, step), ", and its state becomes ", state(step),
    byHand(trace, step, "state") ? ", which was set by hand." : "."];
}

function sayAsk(trace, step, weights, number) {
  if (!trace.attends) return ["There is no query: this model has no attention, so ", state(step), " is compared with no annotation."];
  const asking = state(bahdanau(trace) ? step - 1 : step);
  return ["The state ", asking, " is compared with every annotation: ", ...highest(trace, step - 1, number)];
}

function sayWeigh(trace, step, weights, number) {
  if (trace.attends || weightsByHand(trace, step, weights)) return weighed(trace, step, weights, number);
  return [`The ${trace.marks.edits ? "model's own " : ""}weights are the same at every step: `, ...shares(trace, step, weights, number), "."];
}

function sayMix(trace, step, weights, number) {
  if (byHand(trace, step, "context")) return [context(step), " was set by hand, in place of the blend of the annotations."];
  const told = parts(trace, step, weights, number);
  if (!told.length) return ["No annotation goes into ", context(step), "."];
  const [most, ...others] = byGreatest(weights);
  const named = [most, ...others.slice(0, 2)].reduce((sum, position) => sum + weights[position], 0);
  const blend = weights[most] >= NEARLY_ALL ? [" is almost entirely the annotation of ", source(trace, most)] : [` is the blend of ${named > ALL ? "their" : "all"} annotations`];
  const made = [...told, ": ", context(step), ...blend];
  if (trace.attends) return [...made, "."];
  const kept = !trace.marks.edits && !trace.marks.replaced && !weightsByHand(trace, step, weights);
  return [...made, kept ? ", the same at every step" : "", ...(startsFromZeros(trace) ? ["."] : [". The initial state ", state(0), ` is made from ${ends(trace)} too.`])];
}

function sayWrite(trace, step, weights, number) {
  const makers = byHand(trace, step, "attentional") ? ["The attentional vector was set by hand and determines"]
    : [context(step), " and ", state(step), " determine"];
  return [...makers, " the next token: ", ...writes(trace, step, number, isGiven(trace, step - 1))];
}

// Phases of one head of a Transformer, in a sentence each with this row's numbers.

// As `sayPhase`; a row of the encoder also counts as a step, from 1.
export function sayHead(trace, phase, step, weights, number) {
  if (step < 1) return [trace.look.attention === "cross" ? "The source is read: its keys and values are ready. " : "", "The first query comes with the first token that is fed."];
  return OF_HEAD[phase](trace, step, weights, number);
}

const OF_HEAD = { read: headRead, ask: headAsk, weigh: headWeigh, mix: headMix, write: headWrite };
const query = (step) => vector("q", step);
const asking = (trace, step) => target(trace, fedAt(trace, step - 1));

function headRead(trace, step) {
  const { look, query: { width }, sourceLength: count } = trace;
  const all = look.attention === "decoder" ? `Each of the ${step} tokens fed so far` : `Each of the ${count} source tokens`;
  const one = look.attention === "decoder" && step === 1 ? "The first token fed" : all;
  return [`${one} has a key and a value of ${width} components here; the stream of `, asking(trace, step), ", normalised, becomes the query ", query(step), "."];
}

function headAsk(trace, step, weights, number) {
  const keys = trace.look.attention !== "decoder" ? "every key" : step === 1 ? "its own key" : "the keys of the tokens fed so far";
  return ["The query ", query(step), " of ", asking(trace, step), ` is compared with ${keys}, q · k / √${trace.query.width}: `, ...highest(trace, step - 1, number)];
}

function headWeigh(trace, step, weights, number) {
  if (trace.marks.off) return ["This head is switched off: all of its weights are 0."];
  return weighed(trace, step, weights, number);
}

function headMix(trace, step, weights, number) {
  if (byHand(trace, step, "mixed")) return [vector("z", step), " was set by hand, in place of the weighted sum of the values."];
  const told = parts(trace, step, weights, number);
  if (!told.length) return ["No value goes into ", vector("z", step), ": it is 0."];
  return [...told, ": ", vector("z", step), " is the weighted sum of all values."];
}

function headWrite(trace, step, weights, number) {
  const { attention, layer } = trace.look;
  const heads = trace.heads[attention].layers[layer - 1].heads.length;
  const joined = [`All ${heads} heads are joined and added to the stream of `, asking(trace, step), attention === "decoder" ? "" : ", and the feed-forward network adds to it"];
  const to = next(trace);
  if (trace.atOnce) return [...joined, to === "annotation" ? "; normalised, it is the annotation of " : `; it goes on to ${to}.`, ...(to === "annotation" ? [source(trace, step - 1), "."] : [])];
  return [...joined, to ? `; it goes on to ${to}. In the end ` : ". ", ...writes(trace, step, number, isGiven(trace, step - 1))];
}

// Phrases of the sentences about a phase: tokens by name, and weights that can be opened.


const LEAST = 0.005; // weights below this are not mentioned

export const source = (trace, i) => element("span", { class: "source-word" }, trace.sourceToken(trace.source.tokens[i]));
export const target = (trace, label) => element("span", { class: "target-word" }, trace.targetToken(label));
export const vector = (letter, index) => element("span", { class: "whole" }, element("i", {}, letter), element("sub", {}, String(index)));
const byGreatest = (values) => Array.from(values, (_, i) => i).sort((one, other) => values[other] - values[one]);

// True if a person set this vector at the step.
export const byHand = (trace, step, kind) => trace.marks.vectors(step - 1).has(kind);

// True if a person set the weights of this step, or holds them under the pointer.
const weightsByHand = (trace, step, weights) => trace.marks.weighed.has(step - 1)
  || weights.some((weight, i) => weight !== trace.weight.at(step - 1, i));

// The two highest scores by name, or those that share the highest, among the tokens that there are to attend to:
// decoder self-attention reaches those fed so far. `number(text, quantity)` makes a number that can be opened.
export function highest(trace, t, number) {
  const reached = trace.look?.attention === "decoder" ? (i) => i <= t : () => true;
  const order = byGreatest(trace.score.row(t)).filter(reached);
  const open = order.filter((i) => trace.mask.at(t, i));
  const [first, second] = open;
  const among = first === order[0] ? "" : " of those that are not masked";
  const score = (i) => number(twoDecimals(trace.score.at(t, i)), betweenOf(trace, "score", t, i));
  const alike = open.filter((i) => trace.score.at(t, i) === trace.score.at(t, first));
  if (alike.length > 1) {
    const all = alike.length === 2 ? [source(trace, first), " and ", source(trace, second)] : [`${alike.length} positions`];
    return [...all, ` have the highest score${among}, `, score(first), " each."];
  }
  if (order.length === 1) return [source(trace, first), " has the score ", score(first), "."];
  return [source(trace, first), ` has the highest score${among}, `, score(first),
    ...(second === undefined ? [] : [", then ", source(trace, second), ", ", score(second)]), "."];
}

const weightOf = (trace, step, weights, i, number) => number(percent(weights[i]), betweenOf(trace, "weight", step - 1, i));

// The greatest weights by name, as many as matter.
export const shares = (trace, step, weights, number) => byGreatest(weights).filter((i, n) => !n || weights[i] >= LEAST).slice(0, 3)
  .flatMap((i, n) => [n ? ", " : "", source(trace, i), n ? " " : " gets ", weightOf(trace, step, weights, i, number)]);

// The greatest weights, after how they were made.
export const weighed = (trace, step, weights, number) => [
  weightsByHand(trace, step, weights) ? "The weights were set by hand: "
    : "Softmax turns the scores into weights that sum to 100%: ",
  ...shares(trace, step, weights, number), "."];

// The greatest weights in a sentence; nothing if no weight matters.
export const parts = (trace, step, weights, number) => byGreatest(weights).filter((i) => weights[i] >= LEAST).slice(0, 3)
  .flatMap((i, n) => [n ? ", of " : "The weight of ", source(trace, i), n ? " " : " is ", weightOf(trace, step, weights, i, number)]);

// The step's output in words, after `before`.
export function writes(trace, step, number, given) {
  const t = step - 1;
  const chance = (id, value) => number(percent(value), { trace: trace.index, kind: "probability", step: t, token: id });
  const [likeliest] = trace.top_ids[t];
  const best = [target(trace, trace.top_labels[t][0]), " is likeliest (", chance(likeliest, trace.top_probability.at(t, 0)), ")"];
  if (trace.target_ids[t] === likeliest) return [...best, given ? ", and is given." : ", and is written."];
  return [...best, "; ", target(trace, trace.target.tokens[t]), given ? " is given, " : " is taken, ", chance(trace.target_ids[t], trace.probability.at(t)), "."];
}
