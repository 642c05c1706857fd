// Wires: lines with an arrow, ribbons, and small texts of the drawing, and the parts that they belong to.

import { drawing } from "../shared/elements.js";

// A part of the drawing, which is dimmed where none of its phases is lit.
export const part = (phases, ...nodes) =>
  drawing("g", { class: "part", "data-phases": phases }, ...nodes.filter(Boolean));

export function text(x, y, words, attributes = {}) {
  const node = drawing("text", { x, y, ...attributes });
  node.append(words);
  return node;
}

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

// A letter with its index below, such as s₉.
export function symbol(x, y, letter, attributes = {}) {
  const index = drawing("tspan", { class: "index", dy: 3 });
  const node = drawing("text", { x, y, class: "symbol", "text-anchor": "middle", ...attributes }, letter, index);
  return { node, show: (words) => { index.textContent = words; } };
}

// A line through the points with an arrow at its end.
export function wire(...points) {
  const [from, to] = points.slice(-2);
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const wing = (turn) => [to[0] - 6 * Math.cos(angle + turn), to[1] - 6 * Math.sin(angle + turn)];
  const head = [wing(0.45), to, wing(-0.45)];
  const line = (path) => path.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return drawing("path", { class: "wire", d: line(points) + line(head) });
}

export const FAINTEST = 0.002; // of a weight; a narrower ribbon would be invisible

// Draws the ribbon of a weight between two edges, each {x, y, width} with its middle; `along` is the axis from one to
// the other.
export function drawRibbon(ribbon, weight, along, from, to) {
  ribbon.toggleAttribute("hidden", weight < FAINTEST);
  ribbon.dataset.width = String(to.width);
  ribbon.setAttribute("d", band(from, to, along, along === "x" ? "y" : "x"));
  ribbon.style.opacity = String(0.3 + 0.5 * weight);
}

function band(from, to, along, across) {
  const bend = ((from[along] + to[along]) / 2).toFixed(2);
  const at = (edge, side) => ({ [along]: edge[along].toFixed(2), [across]: (edge[across] + (side * edge.width) / 2).toFixed(2) });
  const write = (/** @type {any} */ { x, y }) => `${x} ${y}`;
  const curve = (a, b) => `C${write({ ...a, [along]: bend })} ${write({ ...b, [along]: bend })} ${write(b)}`;
  const [[left, right], [start, end]] = [from, to].map((edge) => [at(edge, -1), at(edge, 1)]);
  return `M${write(left)}${curve(left, start)}L${write(end)}${curve(end, right)}Z`;
}

// As much of a text as fits, at about 7 units per character.
export function cut(words, room, character = 7.4) {
  const most = Math.max(1, Math.floor(room / character));
  return words.length > most ? `${words.slice(0, Math.max(1, most - 1))}…` : words;
}

export const plain = (label) => (label.kind === "piece" ? `·${label.text}` : label.text);
