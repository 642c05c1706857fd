// What the picture is made of: texts, wires, ribbons, the layout, and vectors as tiles.

import { drawing } from "../shared/elements.js";
import { decode } from "../shared/numbers.js";
import { componentOf } from "../stepper/trace_reading.js";

// A part of the drawing, which is dimmed where none of its phases is lit.
export const part = (phases, ...nodes) =>
  drawing("g", { class: "part", "data-phases": phases }, ...nodes.filter(Boolean));

export const text = (x, y, words, attributes = {}) => drawing("text", { x, y, ...attributes }, words);

// A formula: a letter after `_` is a subscript, as in W_c.
export function formula(x, y, words, attributes = {}) {
  const parts = words.split(/_(\w)/).map((part, i) => [part, i % 2 === 1]).filter(([part]) => part);
  const spans = parts.map(([part, low], i) => {
    const span = drawing("tspan", { ...(low ? { class: "index", dy: 3 } : parts[i - 1]?.[1] ? { dy: -3 } : {}) });
    span.append(part);
    return span;
  });
  return drawing("text", { x, y, ...attributes }, ...spans);
}

// A letter with its index below, such as s₉, after its name; `index` may be a function.
export const symbol = (x, y, letter, index, attributes = {}, name = "") => drawing("text",
  { x, y, class: "symbol", "text-anchor": "middle", ...attributes },
  drawing("tspan", { class: "called" }, name && `${name} `), letter,
  drawing("tspan", { class: "index", dy: 3 }, index));

// The name of a half of the network and what it does, at the top of the drawing.
export const headingOf = (x, name, does) => drawing("text", { x, y: 13, class: "half" },
  drawing("tspan", { class: "half-name" }, `${name}: `), does);

export function wire(...points) {
  const [from, to] = points.slice(-2);
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const wing = (turn) => [to[0] - 6 * Math.cos(angle + turn), to[1] - 6 * Math.sin(angle + turn)];
  const head = [wing(0.45), to, wing(-0.45)];
  const line = (path) => path.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return drawing("path", { class: "wire", d: line(points) + line(head) });
}

export const FAINTEST = 0.002; // of a weight; a narrower ribbon would be invisible

// The outline of a ribbon between two edges, each {x, y, width} with its middle; `along` is the axis from one to the other.
export function band(from, to, along) {
  const across = along === "x" ? "y" : "x";
  const bend = ((from[along] + to[along]) / 2).toFixed(2);
  const at = (edge, side) => ({ [along]: edge[along].toFixed(2), [across]: (edge[across] + (side * edge.width) / 2).toFixed(2) });
  const write = (/** @type {any} */ { x, y }) => `${x} ${y}`;
  const curve = (a, b) => `C${write({ ...a, [along]: bend })} ${write({ ...b, [along]: bend })} ${write(b)}`;
  const [[left, right], [start, end]] = [from, to].map((edge) => [at(edge, -1), at(edge, 1)]);
  return `M${write(left)}${curve(left, start)}L${write(end)}${curve(end, right)}Z`;
}

const CHARACTER = 7.4; // units of one in a name

export function cut(words, room, character = CHARACTER) {
  const most = Math.max(1, Math.floor(room / character));
  return words.length > most ? `${words.slice(0, Math.max(1, most - 1))}…` : words;
}

export const plain = (label) => (label.kind === "piece" ? `·${label.text}` : label.text);

// Layout: the place of each part of the picture, in units that are pixels at a scale of 1.
//
// The encoder's tokens are side by side at the left, the decoder at the right; time runs from top to bottom.

const DECODER = 456; // units of the decoder's width
const COLUMN = { least: 40, roomy: [50, 62], most: 92 };
const HEIGHT = 440; // units that the picture needs
const SLANTED = { below: 46, room: 44 }; // units of a column in which names are slanted, and of the room above that they need
const FROM_AFAR = { least: 28, scale: 1.24 }; // in a presentation: labels of 13 units have 16 pixels
const RAIL = 46; // for the phases' labels
const MARGIN = RAIL + 92; // and for the names of rows
const [SMALLEST, LARGEST] = [0.8, 2.2]; // times the usual size
export const WRITTEN_OUT = 40; // units of a column, at least, in which a number has all of its digits

export const BESIDE = 20; // source tokens beside which a window of 1800 pixels has room for the heatmap
export const COLUMNS = 4; // cells of a fingerprint in a row
const TALLER = { most: 2.2, over: 190 }; // greatest factor of the tiles' height, and the units of room that double it

// The tops of rows, one below the other, with tiles of these heights.
function heightsOf({ low, high, share }, embedded, above) {
  const embedding = 40 + above;
  const forwards = embedding + (embedded ? low + 7 : 0);
  const backwards = forwards + low + 5;
  const annotation = backwards + low + 7;
  const score = annotation + high + 14;
  return { token: 32 + above, embedding, forwards, backwards, annotation, score, scoreText: score + 40, weight: score + 58, share: score + 65, shareEnd: score + 65 + share };
}

// `tokens` are those of the source, whose embeddings may be known; `room` is {width, height} in pixels, `large` in
// Present, and `longest` the characters of the longest token.
export function layoutOf(tokens, room, embedded) {
  const { least, scale: smallest } = room.large ? FROM_AFAR : { least: COLUMN.least, scale: SMALLEST };
  const narrowest = MARGIN + tokens * least + DECODER;
  const [fewer, more] = COLUMN.roomy;
  const wanted = Math.min(more, Math.max(fewer, room.longest * CHARACTER + 4));
  const roomy = Math.min(LARGEST, room.height / HEIGHT, room.width / (MARGIN + tokens * wanted + DECODER));
  const most = room.large ? roomy : 1;
  const scale = roomy > 1 && !room.large ? roomy : Math.max(smallest, Math.min(most, room.width / narrowest, room.height / HEIGHT)); // so that the decoder is in sight
  const width = Math.max(room.width / scale, narrowest);
  const height = Math.max(room.height / scale, HEIGHT);
  const column = Math.min(COLUMN.most, (width - DECODER - MARGIN) / tokens);
  const used = MARGIN + column * tokens + DECODER;
  const start = Math.max(0, (width - used) / 2);
  const left = start + MARGIN;
  const right = left + column * tokens;
  const taller = Math.min(TALLER.most, 1 + (height - HEIGHT) / TALLER.over);
  const tile = { width: Math.min(64, column - 6), low: 19 * taller, high: 38 * taller, share: 26 * taller };
  const slant = room.large && column < SLANTED.below && height > HEIGHT + SLANTED.room;
  const rows = heightsOf(tile, embedded, slant ? SLANTED.room : 0);
  const below = height - 60 - 54 * taller; // where the context begins
  return {
    scale, width, height, column, tile, slant, overflowing: width * scale > room.width + 1, ...rows,
    x: (i) => left + (i + 0.5) * column,
    rail: start, names: start + RAIL, left, right,
    ribbons: [rows.shareEnd + 2, below - 2],
    context: { x: (left + right) / 2, y: below, width: 104, height: 54 * taller },
    decoder: right + 24,
    written: height - 14,
  };
}

// The places of the decoder's parts, as it is wired: the middle of each upper edge, or the corner of the box.
export function decoderPlaces({ decoder, context, score, tile }, { wiring }) {
  const [one, two, three, four] = [decoder + 100, decoder + 190, decoder + 280, decoder + 366];
  const asks = wiring === "bahdanau";
  const joined = context.y + (context.height - tile.high) / 2;
  const above = asks ? score + 20 - tile.high / 2 : 42; // so that what is asked comes in at the level of the scores
  const gap = asks ? 14 : 15;
  const box = { x: decoder + 62, y: above + tile.high + gap, width: 366, height: 50 };
  const below = box.y + box.height + gap - 2;
  return {
    heading: decoder + 62,
    before: { x: one, y: above },
    cellBefore: { x: two, y: above },
    fedBack: asks ? null : { x: three, y: above },
    fed: { x: asks ? three : four, y: above },
    box,
    state: { x: one, y: below },
    cellAfter: { x: two, y: below },
    join: { x: one, y: joined + tile.high / 2 },
    attentional: { x: decoder + 188, y: joined },
    likely: { x: decoder + 254, y: joined + tile.high / 2 - 65 },
  };
}

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

const ARRAYS = { share: "value", other: "mixed" }; // of vectors drawn under another name
const WIDE = ["embedded", "normalised", "joined", "stream", "stream_after"];

export const mixedByHeads = ({ heads, look }) => heads[look.attention].layers[look.layer - 1].heads.map((head) => decode(head.mixed));

// Makes tiles; vectors of one length have their components in the same places. `flat` is for low tiles.
export function tileMaker(trace, hues, flat = false) {
  if (!trace.look) return (at, count, kind, values, more) => tile(at, count, hues, kind, values, more);
  const reach = reachOf(trace);
  const columns = (count, kind) => 2 ** Math.ceil(Math.log2(Math.sqrt(count)) + Number(flat || WIDE.includes(kind)));
  return (at, count, kind, values, more) =>
    tile(at, count, hues, kind, values, { reach: reach(kind), columns: columns(count, kind), ...more });
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

// `at` is {x, y, width, height}, x being the middle; `count` cells. `values()` is the vector, null if there is none;
// `share()` is the part of each number to draw. It fades the image, unless a cell would be stronger than full without it.
export function tile(at, count, hues, name, values,
  { reach = REACH, columns = COLUMNS, share = () => 1, classes = {}, ...listeners } = {}) {
  const rows = Math.ceil(count / columns);
  const [left, top] = [at.x - at.width / 2, at.y];
  const image = drawing("image",
    { x: left, y: top, width: at.width, height: at.height, preserveAspectRatio: "none", draws: paint });
  const node = drawing("g", { class: "tile", "data-tile": name, classes: { empty: () => !values(), ...classes },
    ...listeners },
    drawing("rect", { class: "ground", x: left, y: top, width: at.width, height: at.height, rx: 2 }), image,
    drawing("rect", { class: "edge", x: left - 0.5, y: top - 0.5, width: at.width + 1, height: at.height + 1, rx: 2.5 }));
  let cells = /** @type {any[]} */ ([]);
  let [last, faded, painted] = /** @type {any[]} */ ([null, 0, ""]); // most stay from step to step

  function paint() {
    const shown = values();
    if (!shown || (last === shown && faded === share())) return;
    [last, faded] = [shown, share()];
    const full = Math.max(...shown) > reach || Math.min(...shown) < -reach;
    image.setAttribute("opacity", full ? "1" : String(faded));
    cells = Array.from(shown, (value, k) => ({
      x: k % columns, y: Math.floor(k / columns), fill: hues[value < 0 ? 0 : 1],
      opacity: Math.min(1, (Math.abs(value) * (full ? faded : 1)) / reach).toFixed(3),
    }));
    const drawn = cells.map(({ x, y, fill, opacity }) => `<path d="M${x} ${y}h1v1h-1z" fill="${fill}" fill-opacity="${opacity}"/>`).join("");
    if (drawn === painted) return;
    painted = drawn;
    image.setAttribute("href", `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${columns} ${rows}" `
      + `width="${columns}" height="${rows}" preserveAspectRatio="none" shape-rendering="crispEdges">${drawn}</svg>`)}`);
  }

  function cellUnder({ clientX, clientY }) {
    const box = image.getBoundingClientRect();
    const [column, row] = [((clientX - box.left) / box.width) * columns, ((clientY - box.top) / box.height) * rows].map(Math.floor);
    const cell = row * columns + column;
    return Math.min(column, row) >= 0 && column < columns && cell < count ? cell : -1;
  }

  // A rectangle for each cell in place of the image, for a file that is looked at elsewhere.
  function inRectangles() {
    const [wide, high] = [at.width / columns, at.height / rows];
    image.replaceWith(...(values() ? cells : []).map(({ x, y, fill, opacity }, k) => drawing("rect", {
      x: left + x * wide, y: top + y * high, width: wide, height: high, "data-cell": k, fill,
      "fill-opacity": (opacity * Number(image.getAttribute("opacity"))).toFixed(3),
    })));
  }
  return {
    node, values, cellUnder, inRectangles, left, right: left + at.width, top, bottom: top + at.height, x: at.x,
    middle: top + at.height / 2,
  };
}
