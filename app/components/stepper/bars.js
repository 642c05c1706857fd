// Rows of bars: a bar for each source token of the current step, for its score, weight, likelihood or posterior; under
// them the controls that change weights.

import { button, element, heading, refresh, rove, scroller, upAndDown } from "../shared/elements.js";
import { exact, inParts, percent, twoDecimals } from "../shared/numbers.js";
import { paused, sliderOf } from "./dragging.js";
import { AFTERWARDS, BY_HAND, betweenOf, numberOf, readAs } from "./trace_reading.js";

// Bars: for the current step the score of every source token beside the weight that softmax makes of it.

const HOW_MADE = "Softmax turns the scores of a step into weights that sum to 100%.";
const HOW_MEANT = "The mean of the heads' weights. Scores belong to single heads: choose one.";
const HOW_FIXED = "There are no scores without attention: the model gives every step the same weights.";
const HOW_CHANGED = "Drag a weight: the others share what is left.";

function barsView(trace, act) {
  const editing = act.edit && act.editing;
  // The mean of several heads has no scores; without attention there are only those that a person adds.
  const scored = Boolean(trace.score) && (trace.attends || editing || trace.marks.adds);
  const { draft } = act;
  const own = readAs(trace, { units: "tokens", rows: "output" });
  const at = { t: -1 };
  const [low, high] = trace.ranges.score ?? [0, 1];
  const span = high - low || 1;
  const weights = () => draft.row() ?? own.weights.row(at.t);
  const heaviest = () => (draft.row() ? weights().indexOf(Math.max(...weights())) : own.lookedAt[at.t]);

  function scoreBar({ text }, i) {
    const comes = () => isToCome(trace, at.t, i);
    const score = () => (comes() ? 0 : trace.score.at(at.t, i));
    return barOf("score", `score of ${text}`, i, at, {
      value: score, text: () => (comes() ? "–" : twoDecimals(score())), length: () => score() / span,
      open: () => (!trace.look || trace.mask.at(at.t, i)) && act.inspect(betweenOf(trace, "score", at.t, i)),
      says: () => sayScore(trace, at.t, i), classes: { masked: () => !comes() && !trace.mask.at(at.t, i) },
      style: { "--zero": String(-low / span) },
      handle: editing && !trace.look ? bonusField(text, i, trace, act, at) : null,
    });
  }

  function weightBar({ text }, i) {
    const name = `weight of ${text}`;
    const value = () => weights()[i];
    return barOf("weight", name, i, at, {
      value, text: () => own.written(value()), open: () => act.inspect(own.quantity(at.t, i)),
      says: () => act.say(own, at.t, i),
      classes: { heaviest: () => value() > 0 && i === heaviest() },
      handle: act.weighable ? sliderOf(name, i,
        { ...draft.handle(i), value, open: () => Boolean(trace.mask.at(at.t, i)) }) : null,
    });
  }

  const how = act.weighable ? HOW_CHANGED : scored ? HOW_MADE : trace.file ? "" : trace.attends ? HOW_MEANT : HOW_FIXED;
  return barFrame(trace, own, at, {
    kind: scored ? "" : "unscored", notes: [element("p", { class: "note" }, how)], around: 1, // not in the fading part
    columns: [scored && scoreBar, weightBar], headings: [
      element("p", { class: "spread", classes: { before: () => at.t < 0 } },
        ...(trace.entropy ? entropyOf(trace, act, at) : [])),
      heading(scored ? "Score" : "",
        editing && !trace.look ? "and what you add" : trace.look && scored && !trace.file ? "q · k / √d" : ""),
      heading(own.links ? "Link" : "Weight", () => (draft.row() ? BY_HAND : madeHow(trace, scored, at.t))),
    ],
  });
}

function entropyOf(trace, act, at) {
  const bits = () => trace.entropy.at(at.t);
  const number = () => (trace.look ? numberOf(trace, "head_entropy", { row: at.t })
    : { trace: trace.index, kind: "entropy", step: at.t });
  const says = () => at.t >= 0 && `entropy of the weights: ${exact(bits())} bits`;
  return [element("i", { "aria-hidden": "true" }, "H"), " ",
    button({ class: "number", "data-testid": "entropy", says }, () => at.t >= 0 && act.inspect(number()),
      element("span", { class: "unseen" }, "entropy of the weights: "),
      element("span", {}, () => (at.t < 0 ? "" : act.draft.row() ? "…" : `${twoDecimals(bits())} bits`)))];
}

function madeHow({ attends, file, marks }, scored, t) {
  if (marks.weighed.has(t)) return BY_HAND;
  if (marks.off) return "switched off";
  if (scored) return "softmax of scores";
  if (file) return file.links ? "" : file.divided ? "renormalised" : file.given ? "as given" : "as in the file";
  return attends ? "mean of the heads" : "without scores";
}

const isToCome = (trace, t, i) => trace.look?.attention === "decoder" && !trace.mask.at(t, i); // a later token has no score

function sayScore(trace, t, i) {
  const { text } = trace.source.tokens[i];
  if (isToCome(trace, t, i)) return `${text} is still to come: it has no score`;
  const masked = trace.mask.at(t, i) ? "" : ", masked: it may not be looked at";
  const added = trace.marks.added(t, i);
  const changed = added ? `, ${twoDecimals(added)} of it added by you` : "";
  return `score of ${text}: ${exact(trace.score.at(t, i))}${changed}${masked}`;
}

function bonusField(text, position, trace, act, at) {
  let step = -1;
  const added = () => trace.marks.added(at.t, position);
  const sending = paused(() => act.edit({ kind: "bonus", step, position, value: Number(node.value) }));
  const node = element("input", {
    type: "number", class: "bonus", step: "0.5", placeholder: "+", "aria-label": `add to the score of ${text}`,
    "data-testid": "bonus", "data-handle": `bonus-${position}`, classes: { set: () => added() !== 0 }, draws: show,
    onchange: () => {
      step = at.t;
      if (step >= 0) sending.soon();
    },
  });
  function show() {
    if (sending.waits() && step !== at.t) sending.now();
    if (!sending.waits()) node.value = added() ? String(added()) : "";
  }
  return node;
}

// Bar frame: the bars of a step in two columns, beside the names of the source tokens. They always show tokens, however
// the rest is read.
//
// `headings` are one node for each column of the grid, `notes` stand below it. `columns` make the bar of a token from its
// label and place; their values are read at `at.t`, the step from 0. The box keeps `around` rows in sight on either
// side of the heaviest.
function barFrame(trace, own, at, { kind, headings, notes, around = 0, columns }) {
  const { tokens } = trace.source;
  const names = tokens.map((label, i) =>
    element("span", { class: trace.marks.hidden.has(i) ? "name struck" : "name" }, trace.sourceToken(label)));
  const bars = columns.map((make) => (make ? tokens.map(make) : []));
  const cells = [names, ...bars.map((some) => some.map((bar) => bar.node))];
  cells.forEach((nodes, column) =>
    nodes.forEach((cell, row) => { cell.style.gridArea = `${row + 1} / ${column + 1}`; }));
  const grid = element("div", { class: `bars ${kind}` }, ...cells.flat());
  const box = element("div", { class: "bars-box" }, grid);
  const head = element("div", { class: `bars-head ${kind}` }, ...headings);
  const node = element("section", {}, head, box, ...notes);
  const sight = scroller(box, { around });
  for (const some of bars) rove(grid, () => some.map((bar) => bar.press), upAndDown);

  function redraw() {
    refresh(head);
    if (at.t >= 0) refresh(grid);
  }
  function show(step) {
    at.t = step - 1;
    grid.classList.toggle("blank", at.t < 0);
    redraw();
    if (at.t >= 0) sight.follow([own.lookedAt[at.t], names.length]);
  }
  return { node, show, redraw, resize: () => sight.measure() };
}

// A bar with its value, the value's text, and its length as a share of its track; a press opens its arithmetic. If it has
// a handle that changes it, only its number is the button.
function barOf(kind, name, i, at, { value, text, length = value, open, says, classes, style = {}, handle = null }) {
  const track = element("span", { class: "track" },
    element("span", { class: "fill", style: { transform: () => `scaleX(${length()})` } }));
  const content = [element("span", { class: "unseen" }, name), element("span", { class: "figure" }, text)];
  const attributes = {
    "data-testid": `${name.split(" ", 1)[0]}-bar`, "data-position": i, "data-value": () => String(value()), classes,
    style,
  };
  const pressed = { tabindex: i ? -1 : 0, says: () => at.t >= 0 && says() };
  const inspect = () => at.t >= 0 && open();
  if (!handle) {
    const node = button({ class: `bar ${kind}`, ...pressed, ...attributes }, inspect, ...content, track);
    return { node, press: node };
  }
  const press = button({ class: "press", ...pressed }, inspect, ...content);
  const shown = kind === "score" ? [press, track, handle] : [press, handle];
  return { node: element("div", { class: `bar ${kind} changed-by`, ...attributes }, ...shown), press };
}

// Posterior: for the current step the likelihood of the token produced with all weight on one source token, beside the
// posterior that weights and likelihoods make. It is what the weights would be once the word is known.

const HOW_MADE_AFTER = "Weight (the tick) times likelihood, divided by the sum of these products.";

function posteriorView(trace, act) {
  const { likelihood } = trace.posterior;
  const own = readAs(trace, { units: "tokens", rows: AFTERWARDS });
  const at = { t: -1 };

  function likelihoodBar({ text }, i) {
    const name = `likelihood with all weight on ${text}`;
    const value = () => likelihood.at(at.t, i);
    return barOf("likelihood", name, i, at, {
      value, text: () => percent(value()), classes: { masked: () => !trace.mask.at(at.t, i) },
      open: () => act.inspect({ trace: trace.index, kind: "likelihood", step: at.t, position: i }),
      says: () => `likelihood of ${trace.target.tokens[at.t].text} with all weight on ${text}: ${exact(value())}`,
    });
  }

  function posteriorBar({ text }, i) {
    const value = () => own.weights.at(at.t, i);
    const prior = () => percent(own.prior.at(at.t, i));
    const bar = barOf("weight", `posterior of ${text}`, i, at, {
      value, text: () => percent(value()), classes: { heaviest: () => i === own.lookedAt[at.t] },
      open: () => act.inspect(own.quantity(at.t, i)), says: () => `${act.say(own, at.t, i)}; the weight is ${prior()}`,
    });
    bar.node.querySelector(".fill").after(element("span", { class: "was", style: { left: prior } }));
    return bar;
  }

  return barFrame(trace, own, at, {
    kind: "after", notes: [element("p", { class: "note" }, HOW_MADE_AFTER)], columns: [likelihoodBar, posteriorBar],
    headings: [element("span"), heading("Likelihood", "all weight there"), heading("Posterior", "knowing the word")],
  });
}

export function rowBarsView(trace, act) {
  const weights = barsView(trace, act);
  const posterior = trace.posterior ? posteriorView(trace, act) : weights;
  const node = element("div", { class: "row-bars" });
  let drawn = weights;
  function arrange(reading) {
    drawn = reading.posterior ? posterior : weights;
    node.replaceChildren(drawn.node);
  }
  return { node, arrange, show: (step) => drawn.show(step), resize: () => drawn.resize(), redraw: () => drawn.redraw() };
}

// Weight rows: rows of weights to choose from, under the bars, and the temperature of the softmax.

const ONE_STEP = "There is no step before the first.";

// `weigher` holds the row of the current step: `open()`, `chosen()`, `set(row)`.
export function weightRowsView(trace, act, weigher) {
  const { marks } = trace;
  let t = -1;
  const one = (name, text, off, press, /** @type {any} */ says = undefined) => button({
    class: "small", "data-testid": `weigh-${name}`, "data-handle": `weigh-${name}`,
    "aria-disabled": () => String(off()), says,
  }, () => t >= 0 && !off() && press(), text);
  const preset = (name, text, /** @type {() => number[] | string} */ row) => {
    const off = () => typeof row() === "string";
    return one(name, text, off, () => weigher.set(inParts(row())), () => t >= 0 && off() && row());
  };
  const chosen = () => trace.source.tokens[weigher.chosen()].text;
  const buttons = [
    preset("equal", "equal", () => weigher.open().map((is, _, all) => (is ? 1 / all.filter(Boolean).length : 0))),
    preset("one", () => `all on “${chosen()}”`, () => weigher.open().map((_, i) => (i === weigher.chosen() ? 1 : 0))),
    preset("before", "as the step before", () => (t > 0 ? Array.from(trace.weight.row(t - 1)) : ONE_STEP)),
    preset("gold", "gold link", () => (marks.gold[t]?.row.length ? marks.gold[t].row : marks.gold[t]?.why ?? "")),
    one("own", "the model's own", () => !marks.weighed.has(t), () => weigher.set([])),
  ];
  const node = element("div", { class: "extras" },
    element("div", { class: "choices", role: "group", "aria-label": "Weights of this step" },
      element("span", { class: "legend" }, "Set weights"), ...buttons), temperatureView(marks, act));
  function show(step) {
    t = step - 1;
    if (t >= 0) refresh(node);
  }
  weigher.onChoice(() => show(t + 1));
  return { node, show };
}

// The temperature of the whole translation: below 1 the softmax looks at less, above 1 at more.
function temperatureView({ temperature, temperatures, off }, act) {
  const value = () => temperatures[Number(slider.value)];
  const sending = paused(() => act.edit?.({ kind: "temperature", value: value() }));
  const slider = element("input", {
    type: "range", class: "temperature", min: 0, max: temperatures.length - 1, step: 1, "data-testid": "temperature",
    "data-handle": "temperature", "aria-label": "Softmax temperature of the whole translation",
    "aria-valuetext": () => String(value()), oninput: () => refresh(node), onchange: sending.soon,
  });
  slider.value = String(temperatures.indexOf(temperature));
  const node = element("label", { class: "temperature-field" },
    element("span", { class: "legend" },
      off === undefined ? "Softmax temperature" : "Softmax temperature, all cross-attention"),
    slider, element("output", { class: "figure" }, () => String(value())));
  refresh(node);
  return node;
}
