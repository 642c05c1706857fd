// From a file: the panel of a step where weights are all there is. What the file lacks keeps its place, grey, and says
// so.

import { element, heading, rove, scroller, upAndDown } from "../shared/elements.js";
import { place, pressable } from "./bars.js";
import { quiet } from "./panel.js";
import { readAs } from "./trace_reading.js";
import { vectorName } from "./strip.js";

const LACKS = {
  weights: {
    state: "The file has no states: they stay inside the program that wrote it.",
    score: "The file has no scores, only what softmax made of them.",
    context: "The file has no vectors, so the context cannot be summed from them.",
    next: "The file does not say how likely this token or any other was.",
  },
  links: {
    state: "Links say nothing about states.",
    score: "A link is there or it is not, without a score; a token may have none, one or several.",
    context: "Links say nothing about vectors.",
    next: "Links do not say how likely this token or any other was.",
  },
};
const kindOf = (trace) => (trace.file.links ? "links" : "weights");

export function fileView(trace, act) {
  const why = LACKS[kindOf(trace)];
  const head = element("p", { class: "head" });
  const bars = weightsView(trace, act);
  const next = element("section", { class: "lacking" }, heading("Next token"),
    element("div", { class: "likely" }, ...Array.from({ length: 6 }, () =>
      element("div", { class: "bar" }, element("span", { class: "name" }), element("span"), hatched("track")))),
    element("p", { class: "note" }, why.next));
  const node = element("div", { class: "panel from-file" }, head,
    element("div", { class: "stage" }, element("div", { class: "decoding" },
      lacking([["State", "s"]], why.state), bars.node,
      lacking([["Context", "c"], ["Attentional vector", "h̃"]], why.context), next)));

  function show(step, pinned) {
    const t = step - 1;
    bars.show(step, pinned);
    if (t < 0) return head.replaceChildren("Before the first step");
    const writes = element("b", {}, trace.targetToken(trace.target.tokens[t]));
    if (trace.file.links) head.replaceChildren(quiet("Target token "), writes);
    else head.replaceChildren(
      quiet("Fed in "), trace.targetToken(t ? trace.target.tokens[t - 1] : trace.begin), quiet("  →  produced "),
      writes);
  }
  return { node, show, arrange: bars.arrange, resize: bars.resize };
}

const hatched = (kind) => element("span", { class: `${kind} hatched`, "aria-hidden": "true" });

// The places of vectors, with one sentence on why they are empty.
function lacking(names, why) {
  return element("section", { class: "lacking" },
    element("div", { class: "vectors" }, ...names.map(([title, symbol]) =>
      element("div", { class: "named-strip" },
        element("div", { class: "strip-name" }, vectorName(title, symbol)),
        hatched("empty")))),
    element("p", { class: "note" }, why));
}

// The bars of the weights; in place of the scores, an empty place.
function weightsView(trace, act) {
  const grid = element("div", { class: "bars" });
  const box = element("div", { class: "bars-box" }, grid);
  const note = element("p", { class: "note", "data-testid": "sum" });
  const why = element("p", { class: "note lacking" }, LACKS[kindOf(trace)].score);
  const { links } = trace.file;
  const score = element("div", { class: "lacking" }, heading("Score"));
  const node = element("section", {}, element("div", { class: "bars-head" },
    element("span"), score, links ? heading("Link") : heading("Weight", "as in the file")),
  box, note, why);
  const sight = scroller(box);
  const own = readAs(trace, { units: "tokens", rows: "output" });
  let reading, names, weights;
  let t = -1;
  rove(grid, () => weights.map((bar) => bar.press), upAndDown);

  function arrange(newReading) {
    reading = newReading;
    names = trace.source.tokens.map((label, i) =>
      place(element("span", { class: "name" }, trace.sourceToken(label)), i, 1));
    const places = trace.source.tokens.map((_, i) =>
      place(element("span", { class: "bar score" }, hatched("track")), i, 2));
    weights = own.columns.map((label, i) => {
      const data = { "data-testid": "weight-bar", "data-position": i };
      const inspect = () => t >= 0 && act.inspect(own.quantity(t, i));
      const bar = pressable("weight", `weight of ${label.text}`, data, inspect, i === 0);
      place(bar.node, i, 3);
      act.describe(bar.press, () => t >= 0 && act.say(own, t, i));
      return bar;
    });
    grid.replaceChildren(...names, ...places, ...weights.map((bar) => bar.node));
  }

  function show(step, pinned) {
    t = step - 1;
    grid.classList.toggle("blank", t < 0);
    names.forEach((name, i) => name.classList.toggle("pinned", reading.columnOf[i] === pinned));
    note.textContent = t < 0 ? "" : saySum(trace, reading, t);
    if (t < 0) return;
    weights.forEach((bar, i) => {
      const weight = own.weights.at(t, i);
      bar.figure.textContent = own.written(weight);
      bar.node.dataset.value = String(weight);
      bar.bar.style.transform = `scaleX(${weight})`;
      bar.node.classList.toggle("heaviest", weight > 0 && i === own.lookedAt[t]);
    });
    sight.follow([own.lookedAt[t], names.length]);
  }
  return { node, arrange, show, resize: () => sight.measure() };
}

// The sum of a step's weights, in the file.
function saySum(trace, reading, t) {
  const sum = trace.file.sums[t];
  const { text } = trace.target.tokens[t];
  if (trace.file.links) {
    const count = sum === 0 ? "no source token" : sum === 1 ? "one source token" : `${sum} source tokens`;
    return `${text} is linked to ${count}.`;
  }
  return `The file's weights for ${text} sum to ${(100 * sum).toFixed(2)}%.`;
}
