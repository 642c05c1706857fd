// Posterior: for the current step the likelihood of the token produced with all weight on one source token, beside the
// posterior that weights and likelihoods make. It is what the weights would be once the word is known. All bars are of
// tokens, however the rest is read.

import { element, heading, nothing, rove, scroller, upAndDown } from "../shared/elements.js";
import { exact, percent } from "../shared/numbers.js";
import { barsView, place, pressable } from "./bars.js";
import { AFTERWARDS, readAs } from "./trace_reading.js";

const HOW_MADE_AFTER = "Weight (the tick) times likelihood, divided by the sum of these products.";

function posteriorView(trace, act) {
  const grid = element("div", { class: "bars after" });
  const box = element("div", { class: "bars-box" }, grid);
  const note = element("p", { class: "note" }, HOW_MADE_AFTER);
  const head = element("div", { class: "bars-head" },
    element("span"), heading("Likelihood", "all weight there"), heading("Posterior", "knowing the word"));
  const node = element("section", {}, head, box, note);
  const sight = scroller(box);
  const { likelihood } = trace.posterior;
  const own = readAs(trace, { units: "tokens", rows: AFTERWARDS });
  let reading, names, likelihoods, posteriors;
  let t = -1;
  rove(grid, () => likelihoods.map((bar) => bar.press), upAndDown);
  rove(grid, () => posteriors.map((bar) => bar.press), upAndDown);

  function arrange(newReading) {
    reading = newReading;
    names = trace.source.tokens.map((label, i) => place(element("span", { class: "name" }, trace.sourceToken(label)), i, 1));
    likelihoods = names.map((_, i) => likelihoodBar(i));
    posteriors = own.columns.map(posteriorBar);
    grid.replaceChildren(...names, ...likelihoods.map((bar) => bar.node), ...posteriors.map((bar) => bar.node));
  }

  function likelihoodBar(i) {
    const { text } = trace.source.tokens[i];
    const inspect = () => t >= 0 && act.inspect({ trace: trace.index, kind: "likelihood", step: t, position: i });
    const bar = pressable("likelihood", `likelihood with all weight on ${text}`,
      { "data-testid": "likelihood-bar", "data-position": i }, inspect, i === 0);
    act.describe(bar.press, () => t >= 0 && `likelihood of ${trace.target.tokens[t].text} with all weight on ${text}: ${exact(likelihood.at(t, i))}`);
    return { ...bar, node: place(bar.node, i, 2) };
  }

  function posteriorBar(label, i) {
    const bar = pressable("weight", `posterior of ${label.text}`, { "data-testid": "posterior-bar", "data-position": i },
      () => t >= 0 && act.inspect(own.quantity(t, i)), i === 0);
    const tick = element("span", { class: "was" });
    bar.node.querySelector(".track").append(tick);
    act.describe(bar.press, () => t >= 0 && `${act.say(own, t, i)}; the weight is ${percent(own.prior.at(t, i))}`);
    return { ...bar, tick, node: place(bar.node, i, 3) };
  }

  function show(step, pinned) {
    t = step - 1;
    grid.classList.toggle("blank", t < 0);
    names.forEach((name, i) => name.classList.toggle("pinned", reading.columnOf[i] === pinned));
    if (t < 0) return;
    likelihoods.forEach((bar, i) => {
      write(bar, likelihood.at(t, i));
      bar.node.classList.toggle("masked", !trace.mask.at(t, i));
    });
    posteriors.forEach((bar, i) => {
      write(bar, own.weights.at(t, i));
      bar.tick.style.left = percent(own.prior.at(t, i)).replace(" ", "");
      bar.node.classList.toggle("heaviest", i === own.lookedAt[t]);
    });
    sight.follow([own.lookedAt[t], names.length]);
  }

  function write(bar, value) {
    bar.figure.textContent = percent(value);
    bar.node.dataset.value = String(value);
    bar.bar.style.transform = `scaleX(${value})`;
  }

  return { node, arrange, show, resize: () => sight.measure(), redraw: nothing };
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
    drawn.arrange(reading);
  }
  return {
    node, arrange, show: (step, pinned) => drawn.show(step, pinned), resize: () => drawn.resize(), redraw: () => drawn.redraw(),
  };
}

// The message while the server repeats every step for every source token.
export const sayAsking = (trace) => [
  `Asking each of the ${trace.sourceLength} source tokens how likely it alone would have made each of the ${trace.steps} tokens written …`,
];
