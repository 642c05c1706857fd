// Bars: for the current step the score of every source token beside the weight that softmax makes of it.

import { button, element, heading } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { barFrame, pressable, write } from "./bar_frame.js";
import { BY_HAND } from "./marks.js";
import { readAs } from "./trace_reading.js";
import { betweenOf, numberOf } from "./heads.js";
import { paused, sliderOf } from "./sliders.js";

const HOW_MADE = "Softmax turns the scores of a step into weights that sum to 100%.";
const HOW_MEANT = "The mean of the heads' weights. Scores belong to single heads: choose one.";
const HOW_FIXED = "There are no scores without attention: the model gives every step the same weights.";
const HOW_CHANGED = "Drag a weight: the others share what is left.";

export function barsView(trace, act) {
  const editing = act.edit && act.editing;
  // The mean of several heads has no scores; without attention there are only those that a person adds.
  const scored = Boolean(trace.score) && (trace.attends || editing || trace.marks.adds);
  const note = element("p", { class: "note" });
  const bits = element("span");
  const spread = button({ class: "number", "data-testid": "entropy" }, () => t >= 0 && act.inspect(entropyAt(t)),
    element("span", { class: "unseen" }, "entropy of the weights: "), bits);
  const ofWeights = heading("Weight", BY_SOFTMAX);
  const ofScores = heading(scored ? "Score" : "",
    editing && !trace.look ? "and what you add" : trace.look && scored && !trace.file ? "q · k / √d" : "");
  const ofEntropy = element("p", { class: "spread" }, element("i", { "aria-hidden": "true" }, "H"), " ", spread);
  const frame = barFrame(trace, {
    kind: scored ? "" : "unscored", headings: [ofEntropy, ofScores, ofWeights], notes: [note],
    around: 1, // not in the fading part
  });
  const [low, high] = trace.ranges.score;
  const span = high - low || 1;
  const zero = -low / span;
  let own, names, scores, weights;
  let t = -1;
  const { draft } = act;

  function arrange(reading) {
    own = readAs(trace, { units: "tokens", rows: "output" });
    scores = scored ? own.columns.map((_, i) => scoreBar(i)) : [];
    weights = own.columns.map((label, column) => weightBar(label, column));
    names = frame.arrange(reading, scores, weights);
    for (const bar of scores) bar.node.style.setProperty("--zero", zero);
    act.describe(spread, () => t >= 0 && `entropy of the weights: ${exact(trace.entropy.at(t))} bits`);
    scores.forEach((bar, i) => act.describe(bar.press, () => t >= 0 && sayScore(i)));
    weights.forEach((bar, i) => act.describe(bar.press, () => t >= 0 && act.say(own, t, i)));
    note.textContent = act.weighable ? HOW_CHANGED : scored ? HOW_MADE : trace.attends ? HOW_MEANT : HOW_FIXED;
  }

  const entropyAt = (row) => (trace.look ? numberOf(trace, "head_entropy", { row })
    : { trace: trace.index, kind: "entropy", step: row });

  function scoreBar(i) {
    const inspect = () => t >= 0 && (!trace.look || trace.mask.at(t, i)) && act.inspect(betweenOf(trace, "score", t, i));
    const name = `score of ${trace.source.tokens[i].text}`;
    const data = { "data-testid": "score-bar", "data-position": i };
    if (!editing || trace.look) return pressable("score", name, data, inspect, i === 0);
    const bonus = bonusField(trace.source.tokens[i].text, i, act, () => t);
    return { ...beside("score", name, data, inspect, i === 0, bonus.node), bonus };
  }

  function weightBar(label, i) {
    const inspect = () => t >= 0 && act.inspect(own.quantity(t, i));
    const name = `weight of ${label.text}`;
    const data = { "data-testid": "weight-bar", "data-position": i };
    if (!act.weighable) return pressable("weight", name, data, inspect, i === 0);
    const slider = sliderOf(name, i, draft.handle(i));
    return { ...beside("weight", name, data, inspect, i === 0, slider.node), slider };
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
    frame.show(t, pinned);
    ofEntropy.classList.toggle("before", t < 0);
    if (t < 0) return;
    ofWeights.lastChild.textContent = trace.marks.weighed.has(t) ? BY_HAND : trace.marks.off ? SWITCHED_OFF : scored ? BY_SOFTMAX : trace.attends ? BY_MEAN : FIXED;
    scores.forEach((bar, i) => {
      const comes = trace.look?.attention === "decoder" && !trace.mask.at(t, i); // a later token has no score
      const score = comes ? 0 : trace.score.at(t, i);
      write(bar, score, comes ? "–" : twoDecimals(score), score / span);
      bar.node.classList.toggle("masked", !comes && !trace.mask.at(t, i));
      names[i].classList.toggle("struck", trace.marks.hidden.has(i));
      bar.bonus?.show(trace.marks.added(t, i));
    });
    drawWeights();
    frame.follow(own.lookedAt[t]);
  }

  function drawWeights() {
    if (t < 0) return;
    const drawn = draft.row() ?? own.weights.row(t);
    const heaviest = draft.row() ? drawn.indexOf(Math.max(...drawn)) : own.lookedAt[t];
    bits.textContent = draft.row() ? "…" : `${twoDecimals(trace.entropy.at(t))} bits`; // a dragged row has no numbers yet
    if (draft.row()) ofWeights.lastChild.textContent = BY_HAND;
    weights.forEach((bar, column) => {
      write(bar, drawn[column], percent(drawn[column]));
      bar.slider?.show(drawn[column], Boolean(trace.mask.at(t, column)));
      bar.slider?.showBefore(weightBefore(trace, t, column));
      bar.node.classList.toggle("heaviest", drawn[column] > 0 && column === heaviest);
    });
  }

  return { node: frame.node, arrange, show, resize: frame.resize, redraw: drawWeights };
}

const BY_SOFTMAX = "softmax of scores";
const BY_MEAN = "mean of the heads";
const FIXED = "without scores";
const SWITCHED_OFF = "switched off";

// The weight of a token before any change; null if there was no such step, or no change.
function weightBefore({ before, sourceLength }, t, position) {
  return before && t < before.steps && before.sourceLength === sourceLength ? before.weight.at(t, position) : null;
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
