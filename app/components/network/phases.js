// Phases of a step, in a sentence each with this step's numbers: read, ask, weigh, mix, write.

import { next } from "./decoder.js";
import { element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf, fedAt, isGiven, startsFromZeros } from "../stepper/trace_reading.js";

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
  if (step < 1) return sayBefore(trace, step);
  const said = trace.look ? OF_HEAD : OF_STEP;
  return said[phase === WHOLE ? "mix" : phase](trace, step, weights, number);
}

function sayBefore(trace, step) {
  if (trace.look) {
    return [trace.look.attention === "cross" ? "The source is read: its keys and values are ready. " : "",
      "The first query comes with the first token that is fed."];
  }
  if (step === 0) {
    const made = startsFromZeros(trace) ? ", which is all zeros." : ", made from both ends of what was read.";
    return ["The whole sentence is read. The decoder is in its initial state ", vector("s", 0), made];
  }
  const moves = trace.sourceLength + step + 1;
  const [forwards, backwards] = [source(trace, moves - 1), source(trace, trace.sourceLength - moves)];
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
    const to = next(trace);
    return [`All ${heads} heads are joined and added to the stream of `, fed(trace, step), attention === "decoder" ? "" : ", and the feed-forward network adds to it",
      to ? `; it goes on to ${to === "annotation" ? "be normalised into the annotation" : to}. ` : ". ", ...(trace.atOnce ? [] : ["In the end ", ...writes(trace, step, number)])];
  },
};

const bahdanau = (trace) => trace.network.wiring === "bahdanau";
const source = (trace, i) => element("span", { class: "source-word" }, trace.sourceToken(trace.source.tokens[i]));
const target = (trace, label) => element("span", { class: "target-word" }, trace.targetToken(label));
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
  return [source(trace, first), ` has the highest score${among}, `, score(first),
    ...(second === undefined ? [] : [", then ", source(trace, second), ", ", score(second)]), "."];
}

const listed = (trace, step, weights, number) => byGreatest(weights).filter((i, n) => !n || weights[i] >= LEAST).slice(0, 3)
  .flatMap((i, n) => [n ? ", " : "", source(trace, i), " ", number(percent(weights[i]), betweenOf(trace, "weight", step - 1, i))]);

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
