// Vectors of a picture as tiles.

import { COLUMNS } from "./wires.js";
import { drawing } from "../shared/elements.js";
import { decode } from "../shared/numbers.js";
import { componentOf } from "../stepper/trace_reading.js";

// Vectors of a picture: their source, the layout and strength of their cells, and the number that a cell opens.
//
// A recurrent network's are coordinates along principal axes, a Transformer head's are all components: a mixed vector
// is, cell by cell, the weighted sum of the values.

// The asking vector, those it is compared with, those that the weights mix, and the result.
const KINDS = {
  recurrent: { asks: "state", compared: "annotation", from: "annotation", into: "context" },
  head: { asks: "query", compared: "key", from: "value", into: "mixed" },
};
export const kindsOf = (trace) => (trace.look ? KINDS.head : KINDS.recurrent);
export const rowsOf = (trace, kind) => (trace.look ? trace[kind] : decode(trace.network.coordinates[kind]));

// False for imported heads, and for axes measured before embeddings had theirs.
export const hasEmbeddings = (trace) => Boolean(trace.look ? trace.embedded : trace.network.coordinates.embedding);

// A tile under each source token for its vector of a kind, in a row at this height.
export function tileRow(trace, places, kind, { y, height }, make) {
  const rows = rowsOf(trace, kind);
  return trace.source.tokens.map((_, i) => {
    const one = make({ x: places.x(i), y, width: places.tile.width, height }, rows.width, kind, () => ({ position: i }));
    one.paint(rows.row(i));
    return one;
  });
}

// The row of embeddings, which in a Transformer hold the position too.
export const embeddingTiles = (trace, places, make) => (hasEmbeddings(trace)
  ? tileRow(trace, places, trace.look ? "embedded" : "embedding", { y: places.embedding, height: places.tile.low }, make) : []);

const ARRAYS = { share: "value", other: "mixed" }; // of vectors drawn under another name
const WIDE = ["embedded", "normalised", "joined", "stream", "stream_after"];

// The weighted sum of each head's own values.
export const mixedByHeads = ({ heads, look }) => heads[look.attention].layers[look.layer - 1].heads.map((head) => decode(head.arrays.mixed));

// Makes tiles; vectors of one length have their components in the same places. `flat` is for low tiles.
export function tileMaker(trace, hues, flat = false) {
  if (!trace.look) return (at, count, kind) => tile(at, count, hues, kind);
  const reach = reachOf(trace);
  const columns = (count, kind) => 2 ** Math.ceil(Math.log2(Math.sqrt(count)) + Number(flat || WIDE.includes(kind)));
  return (at, count, kind) => tile(at, count, hues, kind, { reach: reach(kind), columns: columns(count, kind) });
}

// The number at which a cell has full colour: the largest of its kind; values and their mixtures share one.
function reachOf(trace) {
  const most = (...all) => all.reduce((far, { values }) => values.reduce((one, value) => Math.max(one, Math.abs(value)), far), 0) || 1;
  const mixing = most(trace.value, ...mixedByHeads(trace));
  const known = { value: mixing, share: mixing, mixed: mixing, other: mixing };
  return (kind) => (known[kind] ??= most(trace[kind]));
}

// The name of a component of a head's or its layer's vectors; `place` is {position} of the token looked at, or {step}.
export function componentAt(trace, kind, { position, step, ...head }, component) {
  return { ...componentOf(trace, ARRAYS[kind] ?? kind, position ?? step, component), ...head };
}

// Tile: a vector's coordinates along principal axes, or its components, as cells: blue below 0, orange above.
//
// A cell's colour is stronger farther from 0, and full at `reach`: 2 standard deviations for coordinates. All cells are one
// image: as elements they would be styled and laid out at every step.

const REACH = 2;

// `at` is {x, y, width, height}, x being the middle; `count` cells.
export function tile(at, count, hues, name, { reach = REACH, columns = COLUMNS } = {}) {
  const rows = Math.ceil(count / columns);
  const [left, top] = [at.x - at.width / 2, at.y];
  const image = drawing("image", { x: left, y: top, width: at.width, height: at.height, preserveAspectRatio: "none" });
  const node = drawing("g", { class: "tile", "data-tile": name },
    drawing("rect", { class: "ground", x: left, y: top, width: at.width, height: at.height, rx: 2 }), image,
    drawing("rect", { class: "edge", x: left - 0.5, y: top - 0.5, width: at.width + 1, height: at.height + 1, rx: 2.5 }));
  let cells = /** @type {any[]} */ ([]);
  let painted = "";
  let shown = /** @type {any} */ (null);

  // `share` is the part of each number to draw. It fades the image, unless a cell would be stronger than full without it.
  function paint(values, share = 1) {
    shown = values;
    node.classList.toggle("empty", !values);
    if (!values) return;
    const full = Math.max(...values) > reach || Math.min(...values) < -reach;
    image.setAttribute("opacity", full ? "1" : String(share));
    cells = Array.from(values, (value, k) => ({
      x: k % columns, y: Math.floor(k / columns), fill: hues[value < 0 ? 0 : 1],
      opacity: Math.min(1, (Math.abs(value) * (full ? share : 1)) / reach).toFixed(3),
    }));
    const drawn = cells.map(({ x, y, fill, opacity }) => `<path d="M${x} ${y}h1v1h-1z" fill="${fill}" fill-opacity="${opacity}"/>`).join("");
    if (drawn === painted) return; // as of most from step to step
    painted = drawn;
    image.setAttribute("href", `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns} ${rows}" `
      + `width="${columns}" height="${rows}" preserveAspectRatio="none" shape-rendering="crispEdges">${drawn}</svg>`)}`);
  }

  const values = () => shown;
  function cellUnder({ clientX, clientY }) {
    const box = image.getBoundingClientRect();
    const [column, row] = [((clientX - box.left) / box.width) * columns, ((clientY - box.top) / box.height) * rows].map(Math.floor);
    const cell = row * columns + column;
    return Math.min(column, row) >= 0 && column < columns && cell < count ? cell : -1;
  }

  // A rectangle for each cell in place of the image, for a file that is looked at elsewhere.
  function inRectangles() {
    const [wide, high] = [at.width / columns, at.height / rows];
    image.replaceWith(...(shown ? cells : []).map(({ x, y, fill, opacity }, k) => drawing("rect", {
      x: left + x * wide, y: top + y * high, width: wide, height: high, "data-cell": k, fill, "fill-opacity": (opacity * Number(image.getAttribute("opacity"))).toFixed(3),
    })));
  }
  return { node, paint, values, cellUnder, inRectangles, left, right: left + at.width, top, bottom: top + at.height, x: at.x, middle: top + at.height / 2 };
}
