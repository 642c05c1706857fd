// Phrases of the sentences about a phase: tokens by name, and weights that can be opened.

import { element } from "../shared/elements.js";
import { percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf } from "../stepper/heads.js";

const LEAST = 0.005; // weights below this are not mentioned

export const source = (trace, i) => element("span", { class: "source-word" }, trace.sourceToken(trace.source.tokens[i]));
export const target = (trace, label) => element("span", { class: "target-word" }, trace.targetToken(label));
export const vector = (letter, index) => element("span", { class: "whole" }, element("i", {}, letter), element("sub", {}, String(index)));
export const byGreatest = (values) => Array.from(values, (_, i) => i).sort((one, other) => values[other] - values[one]);

// True if a person set this vector at the step.
export const byHand = (trace, step, kind) => trace.marks.vectors(step - 1).has(kind);

// True if a person set the weights of this step, or holds them under the pointer.
export const weightsByHand = (trace, step, weights) => trace.marks.weighed.has(step - 1)
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

// The shares of the whole by their source; nothing if no weight matters.
export const parts = (trace, step, weights, number, whole) => byGreatest(weights).filter((i) => weights[i] >= LEAST).slice(0, 3)
  .flatMap((i, n) => [n ? ", " : "", weightOf(trace, step, weights, i, number), n ? " " : ` of ${whole} is `, source(trace, i)]);

// The step's output in words, after `before`.
export function writes(trace, step, number, given) {
  const t = step - 1;
  const chance = (id, value) => number(percent(value), { trace: trace.index, kind: "probability", step: t, token: id });
  const [likeliest] = trace.top_ids[t];
  const best = [target(trace, trace.top_labels[t][0]), " is likeliest (", chance(likeliest, trace.top_probability.at(t, 0)), ")"];
  if (trace.target_ids[t] === likeliest) return [...best, given ? ", and is given." : ", and is written."];
  return [...best, "; ", target(trace, trace.target.tokens[t]), given ? " is given, " : " is taken, ", chance(trace.target_ids[t], trace.probability.at(t)), "."];
}
