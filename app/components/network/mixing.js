// Mixing: from each annotation its share, α times its coordinates, runs in a ribbon as wide as α into the context. Cell
// by cell the shares add up to the context, because weights sum to 1 and coordinates are affine. In a Transformer's
// head values are mixed, drawn with all components.

import { drawing } from "../shared/elements.js";
import { percent } from "../shared/numbers.js";
import { betweenOf } from "../stepper/heads.js";
import { kindsOf, rowsOf } from "./vectors.js";
import { drawRibbon, FAINTEST, formula, part, symbol, text } from "./wires.js";

const TERMS = {
  context: { letter: "c", name: "context", whole: "the context", sum: "c = Σ α_i h_i" },
  mixed: { letter: "z", name: "mixed", whole: "what is mixed", sum: "z = Σ α_i v_i" },
};

export function mixingView(trace, places, encoder, make, { describe, inspect }) {
  const { context } = places;
  const { from: of, into } = kindsOf(trace);
  const terms = TERMS[into];
  const rows = rowsOf(trace, of);
  const shares = encoder.tiles.map((_, i) => make(
    { x: places.x(i), y: places.share, width: places.tile.width, height: places.tile.share }, rows.width,
    "share", () => ({ position: i })));
  const ribbons = encoder.tiles.map(() => drawing("path", { class: "ribbon" }));
  const blend = make(context, rows.width, into, () => ({ step: t }));
  const like = text(blend.right + 10, blend.middle + 22, "", { class: "aside", "data-testid": "like" });
  const name = symbol(blend.left - 18, blend.middle + 2, terms.letter);
  const called = text(blend.left - 6, blend.middle + 18, terms.name, { class: "aside", "text-anchor": "end" });
  const sum = formula(blend.x, blend.bottom + 15, terms.sum, { class: "aside", "text-anchor": "middle" });
  const node = drawing("g", {},
    part("mix", ...shares.map((one) => one.node), drawing("g", { class: "ribbons" }, ...ribbons)),
    part("mix write", blend.node, name.node, called, sum, like));
  let t = -1;
  let weights = [];
  ribbons.forEach((ribbon, i) => {
    ribbon.dataset.position = String(i);
    ribbon.addEventListener("click", () => inspect(betweenOf(trace, "weight", t, i)));
    describe(ribbon, () => `${percent(weights[i])} of ${terms.whole} is ${trace.source.tokens[i].text}`);
  });

  // `coordinates` are the context's, or the blend's while weights are held by the pointer.
  function show(now, newWeights, coordinates, held) {
    [t, weights] = [now, newWeights];
    node.classList.toggle("absent", t < 0);
    if (t < 0) return blend.paint(null);
    name.show(trace.attends ? t + 1 : "");
    blend.paint(coordinates);
    if (trace.attends && !trace.look) {
      const whole = held ? blended(weights, trace.annotation) : trace.context.row(t);
      like.textContent = `nearest annotation: ${trace.source.tokens[nearest(whole, trace.annotation)].text}`;
    }
    let from = blend.left;
    const [top, bottom] = places.ribbons;
    weights.forEach((weight, i) => {
      const width = weight * context.width;
      shares[i].paint(rows.row(i), weight);
      shares[i].node.classList.toggle("faint", weight < FAINTEST);
      drawRibbon(ribbons[i], weight, "y", { x: places.x(i), y: top, width: weight * places.tile.width },
        { x: from + width / 2, y: bottom, width });
      from += width;
    });
  }
  return { node, show, blend, ribbons };
}

// The row that is nearest to a vector, by all components.
export function nearest(vector, { rows, width, at }) {
  const distances = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: width }, (_, k) => (at(i, k) - vector[k]) ** 2).reduce((sum, square) => sum + square, 0));
  return distances.indexOf(Math.min(...distances));
}

// The context that these weights make, in coordinates or components.
export function blended(weights, annotations) {
  return Array.from({ length: annotations.width }, (_, k) =>
    weights.reduce((sum, weight, i) => sum + weight * annotations.at(i, k), 0));
}
