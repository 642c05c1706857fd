// Strip: a vector as colours, blue below 0 and orange above, its components in rows of at most `across`.

import { element } from "../shared/elements.js";
import { about, twoDecimals } from "../shared/numbers.js";
import { BY_HAND, pen } from "./trace_reading.js";

const STRIP_WIDTH = 256;

// `quantity(component)` names a component's number; `name` is the vector's name.
export function strip(size, reach, pixels, act, across = STRIP_WIDTH) {
  const lines = Math.ceil(size / across);
  const columns = Math.ceil(size / lines);
  const canvas = element("canvas", { width: columns, height: lines });
  const cursor = element("span", { class: "cursor" });
  const node = element("div", {
    class: "strip", role: "slider", tabindex: "-1", "aria-valuemin": "1", "aria-valuemax": String(size),
  }, canvas, cursor);
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, lines);
  const paint = new Uint32Array(image.data.buffer);
  let values = null;
  let name = "";
  let quantity;
  let chosen = 0;

  function show(newName, newValues, newQuantity) {
    [name, values, quantity] = [newName, newValues, newQuantity];
    node.classList.toggle("blank", !values);
    node.setAttribute("aria-label", name);
    if (values) {
      for (let i = 0; i < size; i += 1) paint[i] = pixels[Math.round((values[i] / (reach || 1) + 1) * 127.5)];
      context.putImageData(image, 0, 0);
    }
    speak();
  }

  const say = () => (values ? `${name}, component ${chosen + 1} of ${size}: ${about(values[chosen])}` : "");
  function speak() {
    const text = values ? `component ${chosen + 1}: ${about(values[chosen])}` : "not computed yet";
    node.setAttribute("aria-valuetext", text);
  }

  function choose(component) {
    chosen = Math.min(size - 1, Math.max(0, component));
    node.setAttribute("aria-valuenow", String(chosen + 1));
    cursor.style.left = `${(100 * (chosen % columns)) / columns}%`;
    cursor.style.top = `${(100 * Math.floor(chosen / columns)) / lines}%`;
    cursor.style.width = `${100 / columns}%`;
    cursor.style.height = `${100 / lines}%`;
    speak();
  }

  function under(event) {
    const area = node.getBoundingClientRect();
    const column = Math.min(columns - 1, Math.max(0, Math.floor(((event.clientX - area.left) / area.width) * columns)));
    const line = Math.min(lines - 1, Math.max(0, Math.floor(((event.clientY - area.top) / area.height) * lines)));
    return line * columns + column;
  }

  const inspect = () => values && act.inspect(quantity(chosen));
  act.describe(node, (event) => {
    if (event.type !== "focusin") choose(under(event));
    return say();
  });
  node.addEventListener("click", (event) => { choose(under(event)); inspect(); });
  node.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: -1, ArrowRight: 1, PageUp: -16, PageDown: 16, Home: -size, End: size };
    const move = moves[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!move && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (!move) return inspect();
    choose(chosen + move);
    node.dispatchEvent(new FocusEvent("focusin", { bubbles: true, composed: true }));
  });
  choose(0);
  return { node, show };
}

// The vectors of a decoder step: the name and symbol of each.
export const VECTORS = {
  state: ["State", "s"],
  cell: ["Cell state", "m"],
  context: ["Context", "c"],
  attentional: ["Attentional vector", "h̃"],
};

export function stripName(title, symbol, index, high, mark) {
  return element("div", { class: "strip-name" }, vectorName(title, symbol, index, mark), element("small", {}, `± ${twoDecimals(high)}`));
}

// If both do not fit, the name is cut, not the symbol.
export const vectorName = (title, symbol, ...index) => element("span", { class: "vector-name" },
  element("span", { class: "called", title }, title), " ", element("span", { class: "symbol" }, element("i", {}, symbol), ...index));

// A strip with its name and the ends of its scale, ±`reach`, above it.
export function namedStrip(kind, [title, symbol], { width, reach }, pixels, act) {
  const [index, mark] = [element("sub"), element("span")];
  const bar = strip(width, reach, pixels, act);
  bar.node.dataset.kind = kind;
  bar.node.tabIndex = 0;
  const heading = stripName(title, symbol, index, reach, mark);
  const node = element("div", { class: "named-strip" }, heading, bar.node);

  // `at` is the vector's index, `set` says that a person set it, and `of` whose vector it is.
  function show(at, values, quantity, set, of = "") {
    index.textContent = values ? String(at) : "";
    mark.replaceChildren(...pen(set ? [BY_HAND] : []));
    bar.show(values ? `${title} ${symbol}${at}${of}` : title, values, quantity);
  }
  return { node, heading, show };
}
