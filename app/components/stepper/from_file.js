// From a file: the panel of a step where weights are all there is. What the file lacks keeps its place, grey, and says
// so.

import { element, heading, rove, scroller, upAndDown } from "../shared/elements.js";
import { pressable } from "./bars.js";
import { positionsOf } from "./marks.js";
import { quiet } from "./panel.js";

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
const MERGED = {
  weights: "Weights merge into words (sum over source, mean over target).",
  links: "Words are linked where any of their tokens are.",
};

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
        element("div", { class: "strip-name" }, element("span", {}, `${title} `, element("i", {}, symbol))),
        hatched("empty")))),
    element("p", { class: "note" }, why));
}

// The bars of the weights; where the scores would be, their place.
function weightsView(trace, act) {
  const grid = element("div", { class: "bars" });
  const box = element("div", { class: "bars-box" }, grid);
  const note = element("p", { class: "note", "data-testid": "sum" });
  const why = element("p", { class: "note lacking" });
  const { links } = trace.file;
  const score = element("div", { class: "lacking" }, heading("Score"));
  const node = element("section", {}, element("div", { class: "bars-head" },
    element("span"), score, links ? heading("Link") : heading("Weight", "as in the file")),
  box, note, why);
  const sight = scroller(box);
  let reading, names, weights;
  let row = 0;
  let t = -1;
  rove(grid, () => weights.map((bar) => bar.press), upAndDown);

  function arrange(newReading) {
    reading = newReading;
    const at = (part, start, column, length) => {
      part.style.gridArea = `${start + 1} / ${column} / span ${length}`;
      if (length > 1) part.classList.add("merged");
      return part;
    };
    names = trace.source.tokens.map((label, i) =>
      at(element("span", { class: "name" }, trace.sourceToken(label)), i, 1, 1));
    const places = trace.source.tokens.map((_, i) =>
      at(element("span", { class: "bar score" }, hatched("track")), i, 2, 1));
    weights = reading.columns.map((label, column) => {
      const first = reading.columnOf.indexOf(column);
      const data = { "data-testid": "weight-bar", "data-column": column };
      const inspect = () => t >= 0 && act.inspect(reading.quantity(row, column));
      const bar = pressable("weight", `weight of ${label.text}`, data, inspect, first === 0);
      at(bar.node, first, 3, positionsOf(reading, column).length);
      act.describe(bar.press, () => t >= 0 && act.say(reading, row, column));
      return bar;
    });
    why.textContent = `${reading.words ? MERGED[kindOf(trace)] : ""} ${LACKS[kindOf(trace)].score}`;
    grid.replaceChildren(...names, ...places, ...weights.map((bar) => bar.node));
  }

  function show(step, pinned) {
    t = step - 1;
    row = t >= 0 ? reading.rowOf[t] : -1;
    grid.classList.toggle("blank", t < 0);
    names.forEach((name, i) => name.classList.toggle("pinned", reading.columnOf[i] === pinned));
    note.textContent = t < 0 ? "" : saySum(trace, reading, t);
    if (t < 0) return;
    weights.forEach((bar, column) => {
      const weight = reading.weights.at(row, column);
      bar.figure.textContent = reading.written(weight);
      bar.node.dataset.value = String(weight);
      bar.bar.style.transform = `scaleX(${weight})`;
      bar.node.classList.toggle("heaviest", weight > 0 && column === reading.lookedAt[row]);
    });
    sight.follow([reading.columnOf.indexOf(reading.lookedAt[row]), names.length]);
  }
  return { node, arrange, show, resize: () => sight.measure() };
}

// What the weights of a step sum to, in the file.
function saySum(trace, reading, t) {
  const sum = trace.file.sums[t];
  const { text } = trace.target.tokens[t];
  if (trace.file.links) {
    const count = sum === 0 ? "no source token" : sum === 1 ? "one source token" : `${sum} source tokens`;
    return `${text} is linked to ${count}.`;
  }
  return `The file's weights for ${text} sum to ${(100 * sum).toFixed(2)} %.`;
}
