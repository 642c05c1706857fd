// Saved picture: the network at a step as an SVG that needs no style sheet, in light colours, to save as a file.

import { element, nothing } from "../shared/elements.js";
import { WHOLE } from "./phases.js";
import { kindsOf, rowsOf, tileMaker } from "./vectors.js";
import { lightPhase, wholeView } from "./whole.js";

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "opacity", "font-size", "font-weight", "font-style", "text-decoration", "text-anchor"];
const LIGHT = "--ink: #17202A; --page: #FFFFFF; color-scheme: light; position: absolute; left: -10000px; top: 0";

// `place` is {x, y, width, height} on the page that is saved; `root` is a stepper, whose styles it takes.
export function savedNetwork({ root, hues }, trace, { step, phase = WHOLE }, place) {
  const act = { inspect: nothing, describe: nothing, weighable: false };
  const maker = tileMaker(trace, hues);
  const tiles = /** @type {any[]} */ ([]);
  const make = (...given) => tiles[tiles.push(maker(...given)) - 1];
  const drawn = wholeView(trace, place, make, act);
  const t = step === 0 && !trace.attends ? 0 : step - 1;
  const weights = t < 0 ? [] : Array.from(trace.weight.row(t));
  drawn.show(step, weights, t < 0 ? null : rowsOf(trace, kindsOf(trace).into).row(t), null, false);
  for (const one of tiles) one.inRectangles();
  const [svg] = drawn.nodes;
  lightPhase(svg, step > 0 ? phase : WHOLE);
  const stand = element("div", { class: "stepper networked", style: LIGHT }, svg);
  root.append(stand);
  written(svg);
  stand.remove();
  for (const [name, value] of Object.entries(place)) svg.setAttribute(name, value);
  return new XMLSerializer().serializeToString(svg);
}

// Writes each element's style into its attributes and drops invisible elements.
function written(svg) {
  const seen = Array.from(svg.querySelectorAll("*"), (node) => [node, window.getComputedStyle(node)])
    .map(([node, style]) => [node, style.visibility !== "hidden" && style.display !== "none", KEPT.map((name) => [name, style.getPropertyValue(name)])]);
  for (const [node, shown, styles] of seen) {
    if (!shown && !node.children.length) node.remove();
    for (const [name, value] of styles) node.setAttribute(name, value);
    node.removeAttribute("class");
  }
}
