// Wires: lines with an arrow, ribbons, and small texts of the drawing.

import { drawing } from "../shared/elements.js";

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

// A band between two level edges, each {x, y, width} with x in its middle.
export function ribbonPath(from, to) {
  const bend = ((from.y + to.y) / 2).toFixed(2);
  const at = ({ x, y, width }, side) => [(x + (side * width) / 2).toFixed(2), y.toFixed(2)];
  const down = (a, b) => `C${a[0]} ${bend} ${b[0]} ${bend} ${b.join(" ")}`;
  const [start, end] = [at(from, 1), at(to, -1)];
  return `M${at(from, -1).join(" ")}${down(at(from, -1), end)}L${at(to, 1).join(" ")}${down(at(to, 1), start)}Z`;
}

// Joins two vertical edges; x is theirs and y their middle.
export function ribbonAcross(from, to) {
  const bend = ((from.x + to.x) / 2).toFixed(2);
  const at = ({ x, y, width }, side) => [x.toFixed(2), (y + (side * width) / 2).toFixed(2)];
  const along = (a, b) => `C${bend} ${a[1]} ${bend} ${b[1]} ${b.join(" ")}`;
  const [start, end] = [at(from, 1), at(to, -1)];
  return `M${at(from, -1).join(" ")}${along(at(from, -1), end)}L${at(to, 1).join(" ")}${along(at(to, 1), start)}Z`;
}

// As much of a text as fits, at about 7 units per character.
export function cut(words, room, character = 7.4) {
  const most = Math.max(1, Math.floor(room / character));
  return words.length > most ? `${words.slice(0, Math.max(1, most - 1))}…` : words;
}

export const plain = (label) => (label.kind === "piece" ? `·${label.text}` : label.text);
