// Asking: under each annotation the score that the asking state gives it, as a bar and a number, then its weight.

import { drawing } from "../shared/elements.js";
import { exact, percent, twoDecimals } from "../shared/numbers.js";
import { betweenOf } from "../stepper/heads.js";
import { part, text } from "./wires.js";

const BAR = { width: 12, height: 26 };

export function askingView(trace, places, { inspect, describe }) {
  const [low, high] = trace.ranges.score;
  const unit = BAR.height / (high - low || 1);
  const zero = places.score + high * unit;
  const columns = trace.source.tokens.map((label, i) => columnOf(trace, places, { label, i, zero, unit, inspect, describe }));
  const line = drawing("path", { class: "wire level", d: `M${places.left} ${zero}H${places.right}` });
  const sum = text(places.right + 8, places.weight, "", { class: "aside" });
  const asked = part("ask weigh", ...(trace.attends ? [line, ...columns.map((column) => column.score)] : []));
  const weighed = part("weigh mix", ...columns.map((column) => column.weight), sum);
  const silent = text((places.left + places.right) / 2, places.score + 26, trace.attends ? ""
    : "Without attention the model's own context is the same at every step.", { class: "silent", "text-anchor": "middle" });
  const node = drawing("g", {}, asked, weighed, part("ask weigh", silent));

  function show(t, weights) {
    node.classList.toggle("absent", t < 0);
    if (t < 0) return;
    const most = Math.max(...weights);
    columns.forEach((column, i) => column.show(t, weights[i], weights[i] === most));
    const total = weights.reduce((whole, weight) => whole + weight, 0);
    sum.textContent = `sum ${percent(total)}`;
  }
  return { node, show };
}

function columnOf(trace, places, { label, i, zero, unit, inspect, describe }) {
  const x = places.x(i);
  const bar = drawing("rect", { class: "score-fill", x: x - BAR.width / 2, width: BAR.width });
  const written = text(x, places.scoreText, "", { class: "figure number", "text-anchor": "middle", "data-net-score": i });
  const share = text(x, places.weight, "", { class: "figure number weight", "text-anchor": "middle", "data-net-weight": i });
  let t = -1;
  let weight = 0;
  written.addEventListener("click", () => (!trace.look || trace.mask.at(t, i)) && inspect(betweenOf(trace, "score", t, i)));
  share.addEventListener("click", () => inspect(betweenOf(trace, "weight", t, i)));
  if (trace.attends) describe(written, () => `score of ${label.text}: ${exact(trace.score.at(t, i))}`);
  describe(share, () => `weight of ${label.text}: ${exact(weight)} = ${percent(weight)}`);
  function show(now, newWeight, heaviest) {
    [t, weight] = [now, newWeight];
    const score = trace.score.at(t, i);
    const open = Boolean(trace.mask.at(t, i));
    bar.setAttribute("y", zero - Math.max(0, score) * unit);
    bar.setAttribute("height", Math.max(0.5, Math.abs(score) * unit));
    bar.classList.toggle("masked", !open);
    for (const one of [written, share]) one.classList.toggle("absent", !open && trace.look?.attention === "decoder"); // hidden for a later token
    written.textContent = open ? twoDecimals(score) : "masked";
    share.textContent = percent(weight);
    share.classList.toggle("heaviest", heaviest && weight > 0);
  }
  return { score: drawing("g", {}, bar, written), weight: share, show };
}
