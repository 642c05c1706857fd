// Posterior: for the current step the likelihood of the token produced with all weight on one source token, beside the
// posterior that weights and likelihoods make. It is what the weights would be once the word is known.

import { element, heading, nothing, rove, scroller, upAndDown } from "../shared/elements.js";
import { exact, percent } from "../shared/numbers.js";
import { barsView, pressable } from "./bars.js";
import { positionsOf } from "./marks.js";

const HOW_MADE_AFTER = "Weight (the tick) times likelihood, divided by the sum of these products.";
const HOW_MERGED_AFTER = `${HOW_MADE_AFTER} Posteriors merge into words as weights do; likelihoods do not merge.`;

function posteriorView(trace, act) {
  const grid = element("div", { class: "bars after" });
  const box = element("div", { class: "bars-box" }, grid);
  const note = element("p", { class: "note" });
  const head = element("div", { class: "bars-head" },
    element("span"), heading("Likelihood", "all weight there"), heading("Posterior", "knowing the word"));
  const node = element("section", {}, head, box, note);
  const sight = scroller(box);
  const { likelihood } = trace.posterior;
  let reading, names, likelihoods, posteriors;
  let row = -1;
  let t = -1;
  rove(grid, () => likelihoods.map((bar) => bar.press), upAndDown);
  rove(grid, () => posteriors.map((bar) => bar.press), upAndDown);

  function arrange(newReading) {
    reading = newReading;
    names = trace.source.tokens.map((label, i) => place(element("span", { class: "name" }, trace.sourceToken(label)), i, 1, 1));
    likelihoods = names.map((_, i) => likelihoodBar(i));
    posteriors = reading.columns.map((label, column) => posteriorBar(label, column));
    grid.replaceChildren(...names, ...likelihoods.map((bar) => bar.node), ...posteriors.map((bar) => bar.node));
    note.textContent = reading.words ? HOW_MERGED_AFTER : HOW_MADE_AFTER;
  }

  function likelihoodBar(i) {
    const { text } = trace.source.tokens[i];
    const inspect = () => t >= 0 && act.inspect({ trace: trace.index, kind: "likelihood", step: t, position: i });
    const bar = pressable("likelihood", `likelihood with all weight on ${text}`,
      { "data-testid": "likelihood-bar", "data-position": i }, inspect, i === 0);
    act.describe(bar.press, () => t >= 0 && `likelihood of ${trace.target.tokens[t].text} with all weight on ${text}: ${exact(likelihood.at(t, i))}`);
    return { ...bar, node: place(bar.node, i, 2, 1) };
  }

  function posteriorBar(label, column) {
    const first = reading.columnOf.indexOf(column);
    const bar = pressable("weight", `posterior of ${label.text}`, { "data-testid": "posterior-bar", "data-column": column },
      () => t >= 0 && act.inspect(reading.quantity(row, column)), first === 0);
    const tick = element("span", { class: "was" });
    bar.node.querySelector(".track").append(tick);
    act.describe(bar.press, () => t >= 0 && `${act.say(reading, row, column)}; the weight is ${percent(reading.prior.at(row, column))}`);
    return { ...bar, tick, node: place(bar.node, first, 3, positionsOf(reading, column).length) };
  }

  function place(node, start, column, length) {
    node.style.gridArea = `${start + 1} / ${column} / span ${length}`;
    if (length > 1) node.classList.add("merged");
    return node;
  }

  function show(step, pinned) {
    t = step - 1;
    row = t >= 0 ? reading.rowOf[t] : -1;
    grid.classList.toggle("blank", t < 0);
    names.forEach((name, i) => name.classList.toggle("pinned", reading.columnOf[i] === pinned));
    if (t < 0) return;
    likelihoods.forEach((bar, i) => {
      write(bar, likelihood.at(t, i));
      bar.node.classList.toggle("masked", !trace.mask.at(t, i));
    });
    posteriors.forEach((bar, column) => {
      write(bar, reading.weights.at(row, column));
      bar.tick.style.left = percent(reading.prior.at(row, column)).replace(" ", "");
      bar.node.classList.toggle("heaviest", column === reading.lookedAt[row]);
    });
    sight.follow([reading.columnOf.indexOf(reading.lookedAt[row]), names.length]);
  }

  function write(bar, value) {
    bar.figure.textContent = percent(value);
    bar.node.dataset.value = String(value);
    bar.bar.style.transform = `scaleX(${value})`;
  }

  return { node, arrange, show, resize: () => sight.measure(), redraw: nothing };
}

// Bars of weights, or of the posterior where that is read and there.
export function rowBarsView(trace, act) {
  const weights = barsView(trace, act);
  const posterior = trace.posterior ? posteriorView(trace, act) : weights;
  const node = element("div", { class: "row-bars" });
  let drawn = weights;
  function arrange(reading) {
    drawn = reading.posterior ? posterior : weights;
    node.replaceChildren(drawn.node);
    drawn.arrange(reading);
  }
  return {
    node, arrange, show: (step, pinned) => drawn.show(step, pinned), resize: () => drawn.resize(), redraw: () => drawn.redraw(),
  };
}

// What is said while the server takes every step again for every source token.
export const sayAsking = (trace) => [
  `Asking each of the ${trace.sourceLength} source tokens what it alone would have made of each of the ${trace.steps} tokens written …`,
];
