// Phases of one head of a Transformer, in a sentence each with this row's numbers.

import { isGiven } from "../stepper/marks.js";
import { fedAt } from "../stepper/trace_reading.js";
import { byHand, highest, parts, source, target, vector, weighed, writes } from "./phrases.js";
import { next } from "./stream.js";

// As `sayPhase` of phases.js; a row of the encoder also counts as a step, from 1.
export function sayHead(trace, phase, step, weights, number) {
  if (step < 1) return [trace.look.attention === "cross" ? "The source is read: its keys and values are ready. " : "", "The first query comes with the first token that is fed."];
  return SAID[phase](trace, step, weights, number);
}

const SAID = { read: sayRead, ask: sayAsk, weigh: sayWeigh, mix: sayMix, write: sayWrite };
const query = (step) => vector("q", step);
const asking = (trace, step) => target(trace, fedAt(trace, step - 1));

function sayRead(trace, step) {
  const { look, query: { width }, sourceLength: count } = trace;
  const all = look.attention === "decoder" ? `Each of the ${step} tokens fed so far` : `Each of the ${count} source tokens`;
  const one = look.attention === "decoder" && step === 1 ? "The first token fed" : all;
  return [`${one} has a key and a value of ${width} components here; the stream of `, asking(trace, step), ", normalised, becomes the query ", query(step), "."];
}

function sayAsk(trace, step, weights, number) {
  const keys = trace.look.attention !== "decoder" ? "every key" : step === 1 ? "its own key" : "the keys of the tokens fed so far";
  return ["The query ", query(step), " of ", asking(trace, step), ` is compared with ${keys}, q · k / √${trace.query.width}: `, ...highest(trace, step - 1, number)];
}

function sayWeigh(trace, step, weights, number) {
  if (trace.marks.off) return ["This head is switched off: all of its weights are 0."];
  return weighed(trace, step, weights, number);
}

function sayMix(trace, step, weights, number) {
  if (byHand(trace, step, "mixed")) return [vector("z", step), " was set by hand, in place of the weighted sum of the values."];
  const told = parts(trace, step, weights, number, "what is mixed");
  if (!told.length) return ["No value goes into ", vector("z", step), ": it is 0."];
  return [...told, ": ", vector("z", step), " is the weighted sum of all values."];
}

function sayWrite(trace, step, weights, number) {
  const { attention, layer } = trace.look;
  const heads = trace.heads[attention].layers[layer - 1].heads.length;
  const joined = [`All ${heads} heads are joined and added to the stream of `, asking(trace, step), attention === "decoder" ? "" : ", and the feed-forward network adds to it"];
  const to = next(trace);
  if (trace.atOnce) return [...joined, to === "annotation" ? "; normalised, it is the annotation of " : `; it goes on to ${to}.`, ...(to === "annotation" ? [source(trace, step - 1), "."] : [])];
  return [...joined, to ? `; it goes on to ${to}. In the end ` : ". ", ...writes(trace, step, number, isGiven(trace, step - 1))];
}
