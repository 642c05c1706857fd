// Phases of a step, in a sentence each with this step's numbers: read, ask, weigh, mix, write.

import { isGiven } from "../stepper/marks.js";
import { fedAt, startsFromZeros } from "../stepper/trace_reading.js";
import { sayHead } from "./head_phases.js";
import { byGreatest, byHand, highest, parts, shares, source, target, vector, weighed, weightsByHand, writes } from "./phrases.js";

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
  const told = parts(trace, step, weights, number, "this context");
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
