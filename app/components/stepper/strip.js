// Strip: a vector as colours, blue below 0 and orange above, its components in rows of at most `across`.

import { element } from "../shared/elements.js";
import { about } from "../shared/numbers.js";

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
