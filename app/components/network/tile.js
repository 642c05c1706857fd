// Tile: a vector's coordinates along principal axes, or its components, as cells: blue below 0, orange above.
//
// A cell's colour is stronger farther from 0, and full at `reach`: 2 standard deviations for coordinates. All cells are one
// image with a pixel each: as elements they would be styled and laid out at every step.

import { drawing } from "../shared/elements.js";
import { pngOf } from "../shared/png.js";
import { COLUMNS } from "./layout.js";

const REACH = 2;

// `at` is {x, y, width, height}, x being the middle; `count` cells.
export function tile(at, count, hues, name, { reach = REACH, columns = COLUMNS } = {}) {
  const rows = Math.ceil(count / columns);
  const [left, top] = [at.x - at.width / 2, at.y];
  const image = drawing("image", { x: left, y: top, width: at.width, height: at.height, preserveAspectRatio: "none" });
  const node = drawing("g", { class: "tile", "data-tile": name },
    drawing("rect", { class: "ground", x: left, y: top, width: at.width, height: at.height, rx: 2 }), image,
    drawing("rect", { class: "edge", x: left - 0.5, y: top - 0.5, width: at.width + 1, height: at.height + 1, rx: 2.5 }));
  const colours = hues.map((hue) => [1, 3, 5].map((from) => parseInt(hue.slice(from, from + 2), 16)));
  let pixels = new Uint8Array();
  let shown = /** @type {any} */ (null);
  let fade = 1;

  // `share` is the part of each number to draw. It fades the image, unless a cell would be stronger than full without it.
  function paint(values, share = 1) {
    shown = values;
    node.classList.toggle("empty", !values);
    if (!values) return;
    const full = Math.max(...values) > reach || Math.min(...values) < -reach;
    fade = full ? 1 : share;
    const painted = new Uint8Array(4 * columns * rows);
    for (let k = 0; k < count; k += 1) {
      painted.set(colours[values[k] < 0 ? 0 : 1], 4 * k);
      painted[4 * k + 3] = Math.round(255 * Math.min(1, (Math.abs(values[k]) * (full ? share : 1)) / reach));
    }
    image.setAttribute("opacity", String(fade));
    if (painted.every((byte, i) => byte === pixels[i])) return; // as of most from step to step
    pixels = painted;
    image.setAttribute("href", pngOf(pixels, columns));
  }

  const values = () => shown;
  function cellUnder({ clientX, clientY }) {
    const box = image.getBoundingClientRect();
    const [column, row] = [((clientX - box.left) / box.width) * columns, ((clientY - box.top) / box.height) * rows].map(Math.floor);
    const cell = row * columns + column;
    return Math.min(column, row) >= 0 && column < columns && cell < count ? cell : -1;
  }

  // A rectangle for each cell in place of the image, for a file that is looked at elsewhere, at any size.
  function inRectangles() {
    const [wide, high] = [at.width / columns, at.height / rows];
    image.replaceWith(...Array.from({ length: shown ? count : 0 }, (_, k) => drawing("rect", {
      x: left + (k % columns) * wide, y: top + Math.floor(k / columns) * high, width: wide, height: high, "data-cell": k,
      fill: hues[shown[k] < 0 ? 0 : 1], "fill-opacity": ((pixels[4 * k + 3] * fade) / 255).toFixed(3),
    })));
  }
  return { node, paint, values, cellUnder, inRectangles, left, right: left + at.width, top, bottom: top + at.height, x: at.x, middle: top + at.height / 2 };
}
