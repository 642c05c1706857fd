// Bars: for the current step the score of every source token beside the weight that softmax makes of it. They always
// show tokens, however the rest is read.

import { button, element, heading, rove, scroller, upAndDown } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { BY_HAND } from "./marks.js";
import { readAs } from "./trace_reading.js";
import { numberOf } from "./heads.js";
import { paused, sliderOf } from "./sliders.js";

const HOW_MADE = "Softmax turns the scores of a step into weights that sum to 100%.";
const HOW_MEANT = "The mean of the heads' weights. Scores belong to single heads: choose one.";
const HOW_FIXED = "There are no scores without attention: the model gives every step the same weights.";
const HOW_CHANGED = "Drag a weight: the others share what is left.";

export function barsView(trace, act) {
  const editing = act.edit && act.editing;
  // The mean of several heads has no scores; without attention there are only those that a person adds.
  const scored = Boolean(trace.score) && (trace.attends || editing || trace.marks.adds);
  const unscored = scored ? "" : " unscored";
  const grid = element("div", { class: `bars${unscored}` });
  const box = element("div", { class: "bars-box" }, grid);
  const note = element("p", { class: "note" });
  const bits = element("span");
  const spread = button({ class: "number", "data-testid": "entropy" }, () => t >= 0 && act.inspect(entropyAt(t)),
    element("span", { class: "unseen" }, "entropy of the weights: "), bits);
  const ofWeights = heading("Weight", BY_SOFTMAX);
  const head = element("div", { class: `bars-head${unscored}` },
    element("p", { class: "spread" }, element("i", { "aria-hidden": "true" }, "H"), " ", spread), heading(scored ? "Score" : "", editing && !trace.look ? "and what you add" : trace.look && scored && !trace.file ? "q · k / √d" : ""), ofWeights);
  const node = element("section", {}, head, box, note);
  const sight = scroller(box, 1); // not in the fading part
  const [low, high] = trace.ranges.score;
  const span = high - low || 1;
  const zero = -low / span;
  let reading, own, names, scores, weights;
  let t = -1;
  const { draft } = act;
  rove(grid, () => scores.map((bar) => bar.press), upAndDown);
  rove(grid, () => weights.map((bar) => bar.press), upAndDown);

  function arrange(newReading) {
    reading = newReading;
    own = readAs(trace, { units: "tokens", rows: "output" });
    names = trace.source.tokens.map((label, i) =>
      place(element("span", { class: "name" }, trace.sourceToken(label)), i, 1));
    scores = scored ? names.map((_, i) => scoreBar(i)) : [];
    weights = own.columns.map((label, column) => weightBar(label, column));
    for (const bar of scores) bar.node.style.setProperty("--zero", zero);
    act.describe(spread, () => t >= 0 && `entropy of the weights: ${exact(trace.entropy.at(t))} bits`);
    scores.forEach((bar, i) => act.describe(bar.press, () => t >= 0 && sayScore(i)));
    weights.forEach((bar, i) => act.describe(bar.press, () => t >= 0 && act.say(own, t, i)));
    grid.replaceChildren(...names, ...scores.map((bar) => bar.node), ...weights.map((bar) => bar.node));
    note.textContent = act.weighable ? HOW_CHANGED : scored ? HOW_MADE : trace.attends ? HOW_MEANT : HOW_FIXED;
  }

  const entropyAt = (row) => (trace.look ? numberOf(trace, "head_entropy", { row })
    : { trace: trace.index, kind: "entropy", step: row });

  function scoreBar(i) {
    const quantity = () => (trace.look ? numberOf(trace, "head_score", { row: t, column: i })
      : { trace: trace.index, kind: "score", step: t, position: i });
    const inspect = () => t >= 0 && (!trace.look || trace.mask.at(t, i)) && act.inspect(quantity());
    const name = `score of ${trace.source.tokens[i].text}`;
    const data = { "data-testid": "score-bar", "data-position": i };
    if (!editing || trace.look) return at(pressable("score", name, data, inspect, i === 0), i, 2);
    const bonus = bonusField(trace.source.tokens[i].text, i, act, () => t);
    return { ...at(beside("score", name, data, inspect, i === 0, bonus.node), i, 2), bonus };
  }

  function weightBar(label, i) {
    const inspect = () => t >= 0 && act.inspect(own.quantity(t, i));
    const name = `weight of ${label.text}`;
    const data = { "data-testid": "weight-bar", "data-position": i };
    if (!act.weighable) return at(pressable("weight", name, data, inspect, i === 0), i, 3);
    const slider = sliderOf(name, i, draft.handle(i));
    return { ...at(beside("weight", name, data, inspect, i === 0, slider.node), i, 3), slider };
  }

  function at(bar, row, column) {
    return { ...bar, node: place(bar.node, row, column) };
  }

  function sayScore(i) {
    if (trace.look?.attention === "decoder" && !trace.mask.at(t, i)) return `${trace.source.tokens[i].text} is still to come: it has no score`;
    const masked = trace.mask.at(t, i) ? "" : ", masked: it may not be looked at";
    const added = trace.marks.added(t, i);
    const changed = added ? `, ${twoDecimals(added)} of it added by you` : "";
    return `score of ${trace.source.tokens[i].text}: ${exact(trace.score.at(t, i))}${changed}${masked}`;
  }

  function show(step, pinned) {
    t = step - 1;
    grid.classList.toggle("blank", t < 0);
    spread.parentNode.classList.toggle("before", t < 0);
    names.forEach((name, i) => name.classList.toggle("pinned", reading.columnOf[i] === pinned));
    if (t < 0) return;
    ofWeights.lastChild.textContent = trace.marks.weighed.has(t) ? BY_HAND : trace.marks.off ? SWITCHED_OFF : scored ? BY_SOFTMAX : trace.attends ? BY_MEAN : FIXED;
    scores.forEach((bar, i) => {
      const comes = trace.look?.attention === "decoder" && !trace.mask.at(t, i); // a later token has no score
      write(bar, comes ? 0 : trace.score.at(t, i), comes ? () => "–" : twoDecimals, comes ? 0 : trace.score.at(t, i) / span);
      bar.node.classList.toggle("masked", !comes && !trace.mask.at(t, i));
      names[i].classList.toggle("struck", trace.marks.hidden.has(i));
      bar.bonus?.show(trace.marks.added(t, i));
    });
    drawWeights();
    sight.follow([own.lookedAt[t], names.length]);
  }

  function drawWeights() {
    if (t < 0) return;
    const drawn = draft.row() ?? own.weights.row(t);
    const heaviest = draft.row() ? drawn.indexOf(Math.max(...drawn)) : own.lookedAt[t];
    bits.textContent = draft.row() ? "…" : `${twoDecimals(trace.entropy.at(t))} bits`; // a dragged row has no numbers yet
    if (draft.row()) ofWeights.lastChild.textContent = BY_HAND;
    weights.forEach((bar, column) => {
      write(bar, drawn[column], percent, drawn[column]);
      bar.slider?.show(drawn[column], Boolean(trace.mask.at(t, column)));
      bar.slider?.showBefore(weightBefore(trace, t, column));
      bar.node.classList.toggle("heaviest", drawn[column] > 0 && column === heaviest);
    });
  }

  function write(bar, value, format, length) {
    const text = format(value);
    if (bar.figure.textContent !== text) bar.figure.textContent = text;
    bar.node.dataset.value = String(value);
    if (bar.bar) bar.bar.style.transform = `scaleX(${length})`;
  }

  return { node, arrange, show, resize: () => sight.measure(), redraw: drawWeights };
}

const BY_SOFTMAX = "softmax of scores";
const BY_MEAN = "mean of the heads";
const FIXED = "without scores";
const SWITCHED_OFF = "switched off";

// Puts a bar into a cell of the grid; positions count from 0, columns from 1.
export function place(node, row, column) {
  node.style.gridArea = `${row + 1} / ${column}`;
  return node;
}

// The weight of a token before any change; null if there was no such step, or no change.
function weightBefore({ before, sourceLength }, t, position) {
  return before && t < before.steps && before.sourceLength === sourceLength ? before.weight.at(t, position) : null;
}

// A bar that is a button: a press opens its arithmetic.
export function pressable(kind, name, data, inspect, first) {
  const figure = element("span", { class: "figure" });
  const bar = element("span", { class: "fill" });
  const node = button({ class: `bar ${kind}`, tabindex: first ? 0 : -1, ...data }, inspect,
    element("span", { class: "unseen" }, name), figure, element("span", { class: "track" }, bar));
  return { node, press: node, figure, bar };
}

// A bar whose number is the button, beside the control that changes it.
function beside(kind, name, data, inspect, first, handle) {
  const figure = element("span", { class: "figure" });
  const press = button({ class: "press", tabindex: first ? 0 : -1 }, inspect,
    element("span", { class: "unseen" }, name), figure);
  const bar = element("span", { class: "fill" });
  const tracks = kind === "score" ? [element("span", { class: "track" }, bar)] : [];
  const node = element("div", { class: `bar ${kind} changed-by`, ...data }, press, ...tracks, handle);
  return { node, press, figure, bar };
}

// The bonus on the score of one source token at the current step.
function bonusField(text, position, act, now) {
  const node = element("input", {
    type: "number", class: "bonus", step: "0.5", placeholder: "+", "aria-label": `add to the score of ${text}`,
    "data-testid": "bonus", "data-handle": `bonus-${position}`,
  });
  let step = -1;
  const sending = paused(() => act.edit({ kind: "bonus", step, position, value: Number(node.value) }));
  node.addEventListener("change", () => {
    step = now();
    if (step >= 0) sending.soon();
  });
  function show(added) {
    if (sending.waits() && step !== now()) sending.now();
    if (!sending.waits()) node.value = added ? String(added) : "";
    node.classList.toggle("set", added !== 0);
  }
  return { node, show };
}
