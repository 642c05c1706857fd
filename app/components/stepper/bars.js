// Rows of bars: a bar for each source token of the current step, for its score, weight, likelihood or posterior, and the
// controls that change weights.

import { button, element, heading, nothing, rove, scroller, upAndDown } from "../shared/elements.js";
import { exact, inParts, percent, twoDecimals } from "../shared/numbers.js";
import { paused, sliderOf } from "./draft.js";
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
  const bits = element("span");
  const spread = button({ class: "number", "data-testid": "entropy" }, () => frame.t() >= 0
    && act.inspect(trace.look ? numberOf(trace, "head_entropy", { row: frame.t() }) : { trace: trace.index, kind: "entropy", step: frame.t() }),
    element("span", { class: "unseen" }, "entropy of the weights: "), bits);
  const ofWeights = heading(own.links ? "Link" : "Weight", madeHow(trace, scored, -1));
  const ofScores = heading(scored ? "Score" : "",
    editing && !trace.look ? "and what you add" : trace.look && scored && !trace.file ? "q · k / √d" : "");
  const ofEntropy = element("p", { class: "spread" }, ...(trace.entropy ? [element("i", { "aria-hidden": "true" }, "H"), " ", spread] : []));
  const how = act.weighable ? HOW_CHANGED : scored ? HOW_MADE : trace.file ? "" : trace.attends ? HOW_MEANT : HOW_FIXED;
  const frame = barFrame(trace, own, {
    kind: scored ? "" : "unscored", headings: [ofEntropy, ofScores, ofWeights], notes: [element("p", { class: "note" }, how)],
    around: 1, // not in the fading part
    columns: [scored && scoreBar, weightBar], draw,
  });
  const [low, high] = trace.ranges.score ?? [0, 1];
  const span = high - low || 1;
  act.describe(spread, () => frame.t() >= 0 && `entropy of the weights: ${exact(trace.entropy.at(frame.t()))} bits`);

  function scoreBar({ text }, i, at) {
    const inspect = at((t) => (!trace.look || trace.mask.at(t, i)) && act.inspect(betweenOf(trace, "score", t, i)));
    const bonus = editing && !trace.look ? bonusField(text, i, act, () => frame.t()) : null;
    const bar = barOf("score", `score of ${text}`, i, inspect, bonus?.node);
    bar.node.style.setProperty("--zero", String(-low / span));
    act.describe(bar.press, at((t) => sayScore(trace, t, i)));
    return { ...bar, bonus };
  }

  function weightBar(label, i, at) {
    const name = `weight of ${label.text}`;
    const slider = act.weighable ? sliderOf(name, i, draft.handle(i)) : null;
    const bar = barOf("weight", name, i, at((t) => act.inspect(own.quantity(t, i))), slider?.node);
    act.describe(bar.press, at((t) => act.say(own, t, i)));
    return { ...bar, slider };
  }

  function draw(t, [scores], names) {
    ofEntropy.classList.toggle("before", t < 0);
    if (t < 0) return;
    ofWeights.lastChild.textContent = madeHow(trace, scored, t);
    scores.forEach((bar, i) => {
      const comes = isToCome(trace, t, i);
      const score = comes ? 0 : trace.score.at(t, i);
      write(bar, score, comes ? "–" : twoDecimals(score), score / span);
      bar.node.classList.toggle("masked", !comes && !trace.mask.at(t, i));
      names[i].classList.toggle("struck", trace.marks.hidden.has(i));
      bar.bonus?.show(trace.marks.added(t, i));
    });
    drawWeights();
  }

  function drawWeights() {
    const t = frame.t();
    if (t < 0) return;
    const drawn = draft.row() ?? own.weights.row(t);
    const heaviest = draft.row() ? drawn.indexOf(Math.max(...drawn)) : own.lookedAt[t];
    if (trace.entropy) bits.textContent = draft.row() ? "…" : `${twoDecimals(trace.entropy.at(t))} bits`; // a dragged row has no numbers yet
    if (draft.row()) ofWeights.lastChild.textContent = BY_HAND;
    frame.bars(1).forEach((bar, column) => {
      write(bar, drawn[column], own.written(drawn[column]));
      bar.slider?.show(drawn[column], Boolean(trace.mask.at(t, column)));
      bar.node.classList.toggle("heaviest", drawn[column] > 0 && column === heaviest);
    });
  }

  return { ...frame, redraw: drawWeights };
}

// How the weights of a step were made.
function madeHow({ attends, file, marks }, scored, t) {
  if (marks.weighed.has(t)) return BY_HAND;
  if (marks.off) return "switched off";
  if (scored) return "softmax of scores";
  if (file) return file.links ? "" : file.given ? "as given" : "as in the file";
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

// Bar frame: the bars of a step in two columns, beside the names of the source tokens. They always show tokens, however
// the rest is read.
//
// `headings` are one node for each column of the grid, `notes` stand below it. `columns` make the bar of a token,
// `(label, i, at)`, where `at(act)` is a handler that has the step, from 0, and does nothing before the first;
// `draw(t, bars, names)` fills them. The box keeps `around` rows in sight on either side of the heaviest.
function barFrame(trace, own, { kind = "", headings, notes, around = 0, columns, draw }) {
  const grid = element("div", { class: `bars ${kind}` });
  const box = element("div", { class: "bars-box" }, grid);
  const node = element("section", {}, element("div", { class: `bars-head ${kind}` }, ...headings), box, ...notes);
  const sight = scroller(box, { around });
  let names;
  let t = -1;
  let bars = /** @type {any[][]} */ ([[], []]);
  const at = (act) => () => t >= 0 && act(t);
  for (const column of [0, 1]) rove(grid, () => bars[column].map((bar) => bar.press), upAndDown);

  function arrange() {
    names = trace.source.tokens.map((label) => element("span", { class: "name" }, trace.sourceToken(label)));
    bars = columns.map((make) => (make ? trace.source.tokens.map((label, i) => make(label, i, at)) : []));
    const cells = [names, ...bars.map((some) => some.map((bar) => bar.node))];
    for (const [column, nodes] of cells.entries()) {
      for (const [row, cell] of nodes.entries()) cell.style.gridArea = `${row + 1} / ${column + 1}`;
    }
    grid.replaceChildren(...cells.flat());
  }

  function show(step) {
    t = step - 1;
    grid.classList.toggle("blank", t < 0);
    draw(t, bars, names);
    if (t >= 0) sight.follow([own.lookedAt[t], names.length]);
  }
  return { node, arrange, show, resize: () => sight.measure(), redraw: nothing, t: () => t, bars: (column) => bars[column] };
}

// A bar whose press opens its arithmetic; if it has a handle that changes it, only its number is the button.
function barOf(kind, name, i, inspect, handle = null) {
  const figure = element("span", { class: "figure" });
  const bar = element("span", { class: "fill" });
  const track = element("span", { class: "track" }, bar);
  const told = [element("span", { class: "unseen" }, name), figure];
  const data = { "data-testid": `${name.split(" ", 1)[0]}-bar`, "data-position": i };
  const tabindex = i === 0 ? 0 : -1;
  if (!handle) {
    const node = button({ class: `bar ${kind}`, tabindex, ...data }, inspect, ...told, track);
    return { node, press: node, figure, bar };
  }
  const press = button({ class: "press", tabindex }, inspect, ...told);
  const node = element("div", { class: `bar ${kind} changed-by`, ...data }, press, ...(kind === "score" ? [track] : []), handle);
  return { node, press, figure, bar };
}

// Gives a bar its value, the value's text and the bar's length as a share of its track.
export function write(bar, value, text, length = value) {
  if (bar.figure.textContent !== text) bar.figure.textContent = text;
  bar.node.dataset.value = String(value);
  if (bar.bar) bar.bar.style.transform = `scaleX(${length})`;
}

// Posterior: for the current step the likelihood of the token produced with all weight on one source token, beside the
// posterior that weights and likelihoods make. It is what the weights would be once the word is known.

const HOW_MADE_AFTER = "Weight (the tick) times likelihood, divided by the sum of these products.";

// A bar that opens its number and says it.
function readBar(act, at, [kind, name], i, quantity, say) {
  const bar = barOf(kind, name, i, at((t) => act.inspect(quantity(t))));
  act.describe(bar.press, at(say));
  return bar;
}

function posteriorView(trace, act) {
  const { likelihood } = trace.posterior;
  const own = readAs(trace, { units: "tokens", rows: AFTERWARDS });

  function likelihoodBar({ text }, i, at) {
    return readBar(act, at, ["likelihood", `likelihood with all weight on ${text}`], i, (t) => ({ trace: trace.index, kind: "likelihood", step: t, position: i }),
      (t) => `likelihood of ${trace.target.tokens[t].text} with all weight on ${text}: ${exact(likelihood.at(t, i))}`);
  }

  function posteriorBar({ text }, i, at) {
    const bar = readBar(act, at, ["weight", `posterior of ${text}`], i, (t) => own.quantity(t, i),
      (t) => `${act.say(own, t, i)}; the weight is ${percent(own.prior.at(t, i))}`);
    const tick = element("span", { class: "was" });
    bar.bar.after(tick);
    return { ...bar, tick };
  }

  function draw(t, [likelihoods, posteriors]) {
    if (t < 0) return;
    likelihoods.forEach((bar, i) => {
      write(bar, likelihood.at(t, i), percent(likelihood.at(t, i)));
      bar.node.classList.toggle("masked", !trace.mask.at(t, i));
    });
    posteriors.forEach((bar, i) => {
      write(bar, own.weights.at(t, i), percent(own.weights.at(t, i)));
      bar.tick.style.left = percent(own.prior.at(t, i)).replace(" ", "");
      bar.node.classList.toggle("heaviest", i === own.lookedAt[t]);
    });
  }

  return barFrame(trace, own, {
    kind: "after", notes: [element("p", { class: "note" }, HOW_MADE_AFTER)], columns: [likelihoodBar, posteriorBar], draw,
    headings: [element("span"), heading("Likelihood", "all weight there"), heading("Posterior", "knowing the word")],
  });
}

// Bars of weights, or of the posterior if it is chosen and available.
export function rowBarsView(trace, act) {
  const weights = barsView(trace, act);
  const posterior = trace.posterior ? posteriorView(trace, act) : weights;
  const node = element("div", { class: "row-bars" });
  let drawn = weights;
  function arrange(reading) {
    drawn = reading.posterior ? posterior : weights;
    node.replaceChildren(drawn.node);
    drawn.arrange();
  }
  return {
    node, arrange, show: (step) => drawn.show(step), resize: () => drawn.resize(), redraw: () => drawn.redraw(),
  };
}

// The message while the server repeats every step for every source token.
export const sayAsking = (trace) => [
  `Asking each of the ${trace.sourceLength} source tokens how likely it alone would have made each of the ${trace.steps} tokens written …`,
];

// Weight rows: rows of weights to choose from, under the bars, and the temperature of the softmax.

const ONE_STEP = "There is no step before the first.";

// `weigher` holds the row of the current step: `open()`, `chosen()`, `set(row)`.
export function weightRowsView(trace, act, weigher) {
  const { marks } = trace;
  let t = -1;
  /** @type {Record<string, [string, () => number[] | string]>} */
  const rows = {
    equal: ["equal", () => weigher.open().map((is, _, all) => (is ? 1 / all.filter(Boolean).length : 0))],
    one: ["all on one", () => weigher.open().map((_, i) => (i === weigher.chosen() ? 1 : 0))],
    before: ["as the step before", () => (t > 0 ? Array.from(trace.weight.row(t - 1)) : ONE_STEP)],
    gold: ["gold link", () => (marks.gold[t]?.row.length ? marks.gold[t].row : marks.gold[t]?.why ?? "")],
  };
  const buttons = Object.entries(rows).map(([name, [text, row]]) => {
    const node = button({ class: "small", "data-testid": `weigh-${name}`, "data-handle": `weigh-${name}` }, () => {
      if (t >= 0 && typeof row() !== "string") weigher.set(inParts(row()));
    }, text);
    act.describe(node, () => t >= 0 && typeof row() === "string" && row());
    return { node, row };
  });
  const own = button({ class: "small", "data-testid": "weigh-own", "data-handle": "weigh-own" },
    () => t >= 0 && marks.weighed.has(t) && weigher.set([]), "the model's own");
  const heat = temperatureView(marks, act);
  const node = element("div", { class: "extras" },
    element("div", { class: "choices", role: "group", "aria-label": "Weights of this step" },
      element("span", { class: "legend" }, "Set weights"), ...buttons.map((one) => one.node), own),
    heat.node);

  function show(step) {
    t = step - 1;
    if (t < 0) return;
    for (const { node: snap, row } of buttons) snap.setAttribute("aria-disabled", String(typeof row() === "string"));
    own.setAttribute("aria-disabled", String(!marks.weighed.has(t)));
    choose();
  }
  function choose() {
    if (t < 0) return;
    buttons[1].node.textContent = `all on “${trace.source.tokens[weigher.chosen()].text}”`;
  }
  weigher.onChoice(choose);
  return { node, show };
}

// The temperature of the whole translation: below 1 the softmax looks at less, above 1 at more.
function temperatureView({ temperature, temperatures, off }, act) {
  const told = element("output", { class: "figure" });
  const slider = element("input", {
    type: "range", class: "temperature", min: 0, max: temperatures.length - 1, step: 1, "data-testid": "temperature",
    "data-handle": "temperature", "aria-label": "Softmax temperature of the whole translation",
  });
  const value = () => temperatures[Number(slider.value)];
  const tell = () => {
    told.textContent = String(value());
    slider.setAttribute("aria-valuetext", String(value()));
  };
  const sending = paused(() => act.edit?.({ kind: "temperature", value: value() }));
  slider.value = String(temperatures.indexOf(temperature));
  slider.addEventListener("input", tell);
  slider.addEventListener("change", sending.soon);
  tell();
  const node = element("label", { class: "temperature-field" },
    element("span", { class: "legend" }, off === undefined ? "Softmax temperature" : "Softmax temperature, all cross-attention"), slider, told);
  return { node };
}
