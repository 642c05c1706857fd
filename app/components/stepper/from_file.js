// From a file, or from a program by `regard.show`: the panel of a step of an incomplete trace. Missing parts keep
// their place, in grey, with a message.

import { button, element, heading, quiet } from "../shared/elements.js";
import { percent } from "../shared/numbers.js";
import { barFrame, pressable, write } from "./bar_frame.js";
import { barsView } from "./bars.js";
import { nameOf } from "./heads.js";
import { nextTokensView } from "./next_tokens.js";
import { fedLine } from "./step_text.js";
import { readAs } from "./trace_reading.js";
import { vectorName } from "./strip.js";

const LACKS = {
  weights: {
    state: "The file has no states: they stay inside the program that wrote it.",
    score: "The file has weights, but no scores.",
    context: "The file has no vectors, so the context cannot be summed from them.",
    next: "The file does not say how likely this token or any other was.",
  },
  links: {
    state: "Links have no states.",
    score: "A link is there or it is not, without a score; a token may have none, one or several.",
    context: "Links have no vectors.",
    next: "Links do not say how likely this token or any other was.",
  },
};
const GIVEN = {
  state: "No vectors were given.",
  score: "No scores were given, only weights.",
  context: "Without vectors there is no context to sum.",
  next: "No probabilities of other tokens were given.",
};
const whyOf = (trace) => (trace.file.given ? GIVEN : LACKS[trace.file.links ? "links" : "weights"]);
const VECTORS = { recurrent: [[["State", "s"]], [["Context", "c"], ["Attentional vector", "h̃"]]],
  heads: [[["Query", "q"], ["Key", "k"]], [["Value", "v"], ["Values mixed", "z"]]] };

export function fileView(trace, act) {
  const why = whyOf(trace);
  const head = element("p", { class: "head" });
  const bars = trace.file.scored?.includes(trace.look?.attention ?? "cross") ? barsView(trace, act) : weightsView(trace, act);
  const next = trace.top_probability ? nextTokensView(trace, act) : lackingTokens(trace, act, why.next);
  const [before, after] = VECTORS[trace.look ? "heads" : "recurrent"];
  const node = element("div", { class: "panel from-file" }, head,
    element("div", { class: "stage" }, element("div", { class: "decoding" },
      bars.node, lacking(before, why.state), lacking(after, why.context), ...(trace.atOnce ? [] : [next.node]))));

  function show(step, pinned) {
    const t = step - 1;
    bars.show(step, pinned);
    if (!trace.atOnce) next.show(step);
    if (t < 0) return head.replaceChildren("Before the first step");
    const writes = element("b", {}, trace.targetToken(trace.target.tokens[t]));
    if (trace.atOnce) return head.replaceChildren(quiet(`${nameOf(trace.look)}: reading `), writes);
    head.replaceChildren(...(trace.file.links ? [quiet("Target token "), writes] : fedLine(trace, t)));
  }
  return { node, show, arrange: bars.arrange, resize: bars.resize };
}

// The places of the likeliest tokens; the target token's probability may still be known.
function lackingTokens(trace, act, why) {
  const chance = button({ class: "number" }, () => t >= 0 && act.inspect({ trace: trace.index, kind: "probability", step: t }));
  const known = trace.probability ? [element("p", { class: "note" }, "Probability of the token: ", chance)] : [];
  const node = element("section", { class: "lacking" }, heading("Next token"),
    element("div", { class: "likely" }, ...Array.from({ length: 6 }, () =>
      element("div", { class: "bar" }, element("span", { class: "name" }), element("span"), hatched("track")))),
    ...known, element("p", { class: "note" }, why));
  let t = -1;
  function show(step) {
    t = step - 1;
    if (t >= 0 && trace.probability) chance.textContent = percent(trace.probability.at(t));
  }
  return { node, show };
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

// The bars of the weights, with an empty place for the scores.
function weightsView(trace, act) {
  const note = element("p", { class: "note", "data-testid": "sum" });
  const { links, given } = trace.file;
  const frame = barFrame(trace, {
    headings: [element("span"), element("div", { class: "lacking" }, heading("Score")),
      links ? heading("Link") : heading("Weight", given ? "as given" : "as in the file")],
    notes: [note, element("p", { class: "note lacking" }, whyOf(trace).score)],
  });
  const own = readAs(trace, { units: "tokens", rows: "output" });
  let reading, weights;
  let t = -1;

  function arrange(newReading) {
    reading = newReading;
    weights = own.columns.map((label, i) => {
      const data = { "data-testid": "weight-bar", "data-position": i };
      const inspect = () => t >= 0 && act.inspect(own.quantity(t, i));
      const bar = pressable("weight", `weight of ${label.text}`, data, inspect, i === 0);
      act.describe(bar.press, () => t >= 0 && act.say(own, t, i));
      return bar;
    });
    const places = own.columns.map(() => ({ node: element("span", { class: "bar score" }, hatched("track")) }));
    frame.arrange(reading, places, weights);
  }

  function show(step, pinned) {
    t = step - 1;
    frame.show(t, pinned);
    note.textContent = t < 0 ? "" : saySum(trace, reading, t);
    if (t < 0) return;
    weights.forEach((bar, i) => {
      const weight = own.weights.at(t, i);
      write(bar, weight, own.written(weight));
      bar.node.classList.toggle("heaviest", weight > 0 && i === own.lookedAt[t]);
    });
    frame.follow(own.lookedAt[t]);
  }
  return { node: frame.node, arrange, show, resize: frame.resize };
}

// The sum of a step's weights, in the file.
function saySum(trace, reading, t) {
  const sum = trace.look ? trace.weight.row(t).reduce((all, weight) => all + weight, 0) : trace.file.sums[t];
  const { text } = trace.target.tokens[t];
  if (trace.file.links) {
    const count = sum === 0 ? "no source token" : sum === 1 ? "one source token" : `${sum} source tokens`;
    return `${text} is linked to ${count}.`;
  }
  return `${trace.file.given ? "The weights" : "The file's weights"} ${trace.atOnce ? "from" : "for"} ${text} sum to ${(100 * sum).toFixed(2)}%.`;
}
