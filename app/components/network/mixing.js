// Mixing: from each annotation its share, α times its coordinates, runs in a ribbon as wide as α into the context. Cell by
// cell the shares add up to the context, because weights sum to 1 and coordinates are affine.

import { drawing } from "../shared/elements.js";
import { percent } from "../shared/numbers.js";
import { betweenOf } from "../stepper/heads.js";
import { formula, ribbonPath, symbol, text } from "./wires.js";

const FAINTEST = 0.002; // of a weight; a narrower ribbon could not be seen

export function mixingView(trace, places, encoder, make, { describe, inspect }) {
  const { context } = places;
  const [letter, whole, part] = trace.look ? ["z", "mixed", "value"] : ["c", "context", "annotation"];
  const shares = encoder.tiles.map((_, i) => make(
    { x: places.x(i), y: places.share, width: places.tile.width, height: places.tile.share }, encoder.annotations.width,
    "share", () => ({ position: i })));
  const ribbons = encoder.tiles.map(() => drawing("path", { class: "ribbon" }));
  const blend = make(context, encoder.annotations.width, "context", () => ({ step: t }));
  const like = text(blend.right + 10, blend.middle + 22, "", { class: "aside", "data-testid": "like" });
  const name = symbol(blend.left - 18, blend.middle + 2, letter);
  const called = text(blend.left - 6, blend.middle + 18, whole, { class: "aside", "text-anchor": "end" });
  const sum = formula(blend.x, blend.bottom + 15, `${letter} = Σ α_i ${part === "value" ? "v" : "h"}_i`, { class: "aside", "text-anchor": "middle" });
  const node = drawing("g", {},
    drawing("g", { class: "part", "data-phases": "mix" }, ...shares.map((one) => one.node), drawing("g", { class: "ribbons" }, ...ribbons)),
    drawing("g", { class: "part", "data-phases": "mix write" }, blend.node, name.node, called, sum, like));
  let t = -1;
  let weights = [];
  ribbons.forEach((ribbon, i) => {
    ribbon.dataset.position = String(i);
    ribbon.addEventListener("click", () => inspect(betweenOf(trace, "weight", t, i)));
    describe(ribbon, () => `${percent(weights[i])} of ${trace.look ? "what is mixed" : "the context"} is ${trace.source.tokens[i].text}`);
  });

  // `coordinates` are those of the context itself, or of the blend while weights are dragged.
  function show(now, newWeights, coordinates) {
    [t, weights] = [now, newWeights];
    node.classList.toggle("absent", t < 0);
    if (t < 0) return blend.paint(null);
    name.show(trace.attends ? t + 1 : "");
    blend.paint(coordinates);
    if (trace.attends) like.textContent = `nearest ${part}: ${trace.source.tokens[nearest(coordinates, encoder.annotations)].text}`;
    let from = blend.left;
    const [top, bottom] = places.ribbons;
    weights.forEach((weight, i) => {
      const width = weight * context.width;
      shares[i].paint(encoder.annotations.row(i), weight);
      shares[i].node.classList.toggle("faint", weight < FAINTEST);
      ribbons[i].toggleAttribute("hidden", weight < FAINTEST);
      ribbons[i].dataset.width = String(width);
      ribbons[i].setAttribute("d", ribbonPath(
        { x: places.x(i), y: top, width: weight * places.tile.width }, { x: from + width / 2, y: bottom, width }));
      ribbons[i].style.opacity = String(0.3 + 0.5 * weight);
      from += width;
    });
  }
  return { node, show, blend, ribbons };
}

// The row that is nearest to these coordinates.
function nearest(coordinates, { rows, width, at }) {
  const distances = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: width }, (_, k) => (at(i, k) - coordinates[k]) ** 2).reduce((sum, square) => sum + square, 0));
  return distances.indexOf(Math.min(...distances));
}

// The coordinates of a context of these weights.
export function blended(weights, annotations) {
  return Array.from({ length: annotations.width }, (_, k) =>
    weights.reduce((sum, weight, i) => sum + weight * annotations.at(i, k), 0));
}
