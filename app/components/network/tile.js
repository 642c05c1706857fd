// Tile: a vector's coordinates along principal axes, or its components, as cells: blue below 0, orange above.
//
// A cell's colour is stronger farther from 0, and full at `reach`: 2 standard deviations for coordinates.

import { drawing } from "../shared/elements.js";
import { COLUMNS } from "./layout.js";

const REACH = 2;

// Sets an attribute only if it changes; most stay the same from step to step.
function write(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// `at` is {x, y, width, height}, x being the middle; `count` cells.
export function tile(at, count, hues, name, { reach = REACH, columns = COLUMNS } = {}) {
  const rows = Math.ceil(count / columns);
  const [wide, high] = [at.width / columns, at.height / rows];
  const [left, top] = [at.x - at.width / 2, at.y];
  const cells = Array.from({ length: count }, (_, k) => drawing("rect", {
    x: left + (k % columns) * wide, y: top + Math.floor(k / columns) * high, width: wide, height: high, "data-cell": k,
  }));
  const node = drawing("g", { class: "tile", "data-tile": name },
    drawing("rect", { class: "ground", x: left, y: top, width: at.width, height: at.height, rx: 2 }), ...cells,
    drawing("rect", { class: "edge", x: left - 0.5, y: top - 0.5, width: at.width + 1, height: at.height + 1, rx: 2.5 }));
  let shown = null;

  // `share` is the part of each number to draw.
  function paint(values, share = 1) {
    shown = values;
    node.classList.toggle("empty", !values);
    cells.forEach((cell, k) => {
      const value = values ? values[k] * share : 0;
      write(cell, "fill", hues[value < 0 ? 0 : 1]);
      write(cell, "fill-opacity", Math.min(1, Math.abs(value) / reach).toFixed(3));
    });
  }
  const values = () => shown;
  const cellUnder = (event) => Number(event.composedPath()[0].dataset?.cell ?? -1);
  return { node, paint, values, cellUnder, left, right: left + at.width, top, bottom: top + at.height, x: at.x, middle: top + at.height / 2 };
}
