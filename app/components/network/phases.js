// Phases of a step, in a sentence each with this step's numbers: read, ask, weigh, mix, write.

import { element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf, nameOf } from "../stepper/heads.js";
import { isGiven } from "../stepper/marks.js";
import { startsFromZeros } from "../stepper/trace_reading.js";

export const PHASES = ["read", "ask", "weigh", "mix", "write"];
export const WHOLE = "whole"; // all of them are lit
const LEAST = 0.005; // of a weight that is still told

// The phase after or before one, and by how many steps it is away.
export function phaseBeside(phase, way) {
  const place = PHASES.indexOf(phase) + way;
  if (place < 0) return { phase: PHASES.at(-1), moves: -1 };
  return place < PHASES.length ? { phase: PHASES[place], moves: 0 } : { phase: PHASES[0], moves: 1 };
}

const source = (trace, i) => element("span", { class: "source-word" }, trace.sourceToken(trace.source.tokens[i]));
const target = (trace, label) => element("span", { class: "target-word" }, trace.targetToken(label));
const state = (t) => element("span", { class: "whole" }, element("i", {}, "s"), element("sub", {}, String(t)));
const context = (t) => element("span", { class: "whole" }, element("i", {}, "c"), element("sub", {}, String(t)));

// `weights` are those that are drawn; `number(text, quantity)` makes a number that can be opened.
export function sayPhase(trace, phase, step, weights, number) {
  if (trace.look && step < 1) return ["The decoder has not asked yet; keys and values of what it will look at are there."];
  if (trace.look && !trace.look.head) return [];
  if (step < 0) return sayReading(trace, step);
  if (step === 0) return sayStart(trace);
  return SAID[phase === WHOLE ? "mix" : phase](trace, step, weights, number);
}

function sayStart(trace) {
  const made = startsFromZeros(trace) ? ", which is all zeros" : ", made from the last states of both readers";
  return ["The whole sentence is read. The decoder stands at its initial state ", state(0), made, "; nothing is asked yet."];
}

function sayReading(trace, step) {
  const moves = trace.sourceLength + step + 1;
  const [forwards, backwards] = [source(trace, moves - 1), source(trace, trace.sourceLength - moves)];
  return ["Two readers go through the sentence: the one from the left has reached ", forwards, ", the one from the right ", backwards,
    ". An annotation joins their states."];
}

const SAID = { read: sayRead, ask: sayAsk, weigh: sayWeigh, mix: sayMix, write: sayWrite };
const bahdanau = (trace) => trace.network.wiring === "bahdanau";
const byHand = (trace, step, kind) => trace.marks.vectors(step - 1).has(kind);
const fed = (trace, step) => target(trace, step > 1 ? trace.target.tokens[step - 2] : trace.begin);
const weightOf = (trace, step, weights, i, number) =>
  number(percent(weights[i]), betweenOf(trace, "weight", step - 1, i));
// The token whose query it is.
const asker = (trace, step) => (trace.atOnce ? target(trace, trace.target.tokens[step - 1]) : fed(trace, step));

function sayRead(trace, step) {
  if (trace.look) return ["In ", nameOf(trace.look), ", ", asker(trace, step), " makes a query, and every token it may look at a key and a value."];
  const read = `All ${trace.sourceLength} tokens are read, and their annotations stay as they are. `;
  if (bahdanau(trace)) return [read, "The decoder is in state ", state(step - 1), " and has not yet read ", fed(trace, step), "."];
  return [read, "The decoder reads ", fed(trace, step), ", and its state becomes ", state(step),
    byHand(trace, step, "state") ? ", which was set by hand." : "."];
}

function sayAsk(trace, step, weights, number) {
  if (!trace.attends) return ["Nothing is asked: this model has no attention, so ", state(step), " is compared with no annotation."];
  const t = step - 1;
  const [first, second] = byGreatest(trace.score.row(t)).filter((i) => trace.mask.at(t, i));
  const score = (i) => number(twoDecimals(trace.score.at(t, i)), betweenOf(trace, "score", t, i));
  const asking = state(bahdanau(trace) ? step - 1 : step);
  const compared = trace.look ? ["The query of ", asker(trace, step), " is compared with every key: "] : ["The state ", asking, " is compared with every annotation: "];
  return [...compared, source(trace, first), " has the highest score, ", score(first),
    ...(second === undefined ? [] : [", then ", source(trace, second), ", ", score(second)]), "."];
}

function sayWeigh(trace, step, weights, number) {
  const told = shares(trace, step, weights, number, " gets ");
  if (!trace.attends) return ["The weights are the same at every step: ", ...told, "."];
  const how = trace.marks.weighed.has(step - 1) ? "The weights were set by hand: " : "Softmax turns the scores into weights that sum to 100%: ";
  return [how, ...told, "."];
}

function sayMix(trace, step, weights, number) {
  const told = byGreatest(weights).filter((i) => weights[i] >= LEAST).slice(0, 3)
    .flatMap((i, n) => [n ? ", " : "", weightOf(trace, step, weights, i, number), n ? " " : trace.look ? " of what is mixed is the value of " : " of this context is ", source(trace, i)]);
  if (trace.look) return told.length ? [...told, "."] : ["No value is mixed in."];
  if (byHand(trace, step, "context")) return [context(step), " was set by hand, in place of the blend of the annotations."];
  if (!told.length) return ["No annotation goes into ", context(step), "."];
  const made = [...told, ": ", context(step), " is the blend of their annotations"];
  if (trace.attends) return [...made, "."];
  return [...made, ", the same at every step", ...(startsFromZeros(trace) ? ["."] : [". The initial state ", state(0), " is made from the last states of both readers too."])];
}

function sayWrite(trace, step, weights, number) {
  if (trace.atOnce) return ["What all heads of this layer have mixed is added to the residual stream at ", asker(trace, step), "."];
  const t = step - 1;
  const chance = (id, value) => number(percent(value), { trace: trace.index, kind: "probability", step: t, token: id });
  const [likeliest] = trace.top_ids[t];
  const own = trace.target_ids[t] === likeliest;
  const makers = byHand(trace, step, "attentional") ? ["The attentional vector was set by hand and determines"]
    : [context(step), " and ", state(step), " determine"];
  const made = trace.look ? ["What all heads have mixed is added to the residual stream. After the last layer "] : [...makers, " the next token: "];
  const best = [...made, target(trace, trace.top_labels[t][0]), " is likeliest (",
    chance(likeliest, trace.top_probability.at(t, 0)), ")"];
  if (own) return [...best, isGiven(trace, t) ? ", and is given." : ", and is written."];
  return [...best, "; ", target(trace, trace.target.tokens[t]), isGiven(trace, t) ? " is given, " : " is taken, ", chance(trace.target_ids[t], trace.probability.at(t)), "."];
}

// The greatest shares by name, as many as tell.
const shares = (trace, step, weights, number, between) => byGreatest(weights).filter((i, n) => !n || weights[i] >= LEAST).slice(0, 3)
  .flatMap((i, n) => [n ? ", " : "", source(trace, i), n ? " " : between, weightOf(trace, step, weights, i, number)]);

const byGreatest = (values) => Array.from(values, (_, i) => i).sort((one, other) => values[other] - values[one]);
