// Posterior: for the current step the likelihood of the token produced with all weight on one source token, beside the
// posterior that weights and likelihoods make. It is what the weights would be once the word is known.

import { element, heading, nothing } from "../shared/elements.js";
import { exact, percent } from "../shared/numbers.js";
import { barFrame, pressable, write } from "./bar_frame.js";
import { barsView } from "./bars.js";
import { AFTERWARDS, readAs } from "./trace_reading.js";

const HOW_MADE_AFTER = "Weight (the tick) times likelihood, divided by the sum of these products.";

function posteriorView(trace, act) {
  const frame = barFrame(trace, {
    kind: "after", notes: [element("p", { class: "note" }, HOW_MADE_AFTER)],
    headings: [element("span"), heading("Likelihood", "all weight there"), heading("Posterior", "knowing the word")],
  });
  const { likelihood } = trace.posterior;
  const own = readAs(trace, { units: "tokens", rows: AFTERWARDS });
  let likelihoods, posteriors;
  let t = -1;

  function arrange(reading) {
    likelihoods = own.columns.map(likelihoodBar);
    posteriors = own.columns.map(posteriorBar);
    frame.arrange(reading, likelihoods, posteriors);
  }

  function likelihoodBar({ text }, i) {
    const inspect = () => t >= 0 && act.inspect({ trace: trace.index, kind: "likelihood", step: t, position: i });
    const bar = pressable("likelihood", `likelihood with all weight on ${text}`,
      { "data-testid": "likelihood-bar", "data-position": i }, inspect, i === 0);
    act.describe(bar.press, () => t >= 0 && `likelihood of ${trace.target.tokens[t].text} with all weight on ${text}: ${exact(likelihood.at(t, i))}`);
    return bar;
  }

  function posteriorBar(label, i) {
    const bar = pressable("weight", `posterior of ${label.text}`, { "data-testid": "posterior-bar", "data-position": i },
      () => t >= 0 && act.inspect(own.quantity(t, i)), i === 0);
    const tick = element("span", { class: "was" });
    bar.node.querySelector(".track").append(tick);
    act.describe(bar.press, () => t >= 0 && `${act.say(own, t, i)}; the weight is ${percent(own.prior.at(t, i))}`);
    return { ...bar, tick };
  }

  function show(step, pinned) {
    t = step - 1;
    frame.show(t, pinned);
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
    frame.follow(own.lookedAt[t]);
  }

  return { node: frame.node, arrange, show, resize: frame.resize, redraw: nothing };
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
