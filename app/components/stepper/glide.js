// Gliding: while a sentence is typed, parts that one translation shares with the next move to their new places.
//
// A token is identified by its text and the number of equal tokens before it, a line of the step by its source. The cells
// of the heatmap stand where they are drawn: each part that moves is styled and drawn again in every frame.

const TIME = 120; // milliseconds
const MOST = 100; // parts that move; if there are more, all are drawn in their new places

// The current place of everything, by name.
export function placesOf(root) {
  return new Map(Array.from(named(root), ([name, node]) => [name, where(node)]));
}

// Moves the parts in `before` from there to their current places.
export function glide(root, before) {
  if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const moved = Array.from(named(root), ([name, node]) => ({ node, from: before.get(name), to: where(node) }));
  if (moved.length > MOST) return;
  for (const { node, from, to } of moved) {
    if (from && from.x !== undefined) slide(node, from.x - to.x, from.y - to.y);
    else if (from && from.d && to.d) node.animate([{ d: `path("${from.d}")` }, { d: `path("${to.d}")` }], ease);
  }
}

const ease = { duration: TIME, easing: "ease-out" };

function slide(node, x, y) {
  if (Math.abs(x) + Math.abs(y) < 1) return;
  node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], ease);
}

function where(node) {
  if (node.tagName === "path") return { d: node.hasAttribute("hidden") ? "" : node.getAttribute("d") };
  const { x, y } = node.getBoundingClientRect();
  return { x, y };
}

function* named(root) {
  for (const frame of root.querySelectorAll(".frame")) {
    const of = (selector) => Array.from(frame.querySelectorAll(selector));
    const [sources, targets] = [of(".sources > .chip"), of(".targets .chip")].map(counted);
    yield* sources.map(([name, node]) => [`source ${name}`, node]);
    yield* targets.map(([name, node]) => [`target ${name}`, node]);
    yield* of(".row-lines path").map((path, column) => [`line ${sources[column]?.[0]}`, path]);
  }
}

// Nodes with their texts as names, numbered if several are equal.
function counted(nodes) {
  const seen = new Map();
  return nodes.map((node) => {
    const text = node.textContent;
    seen.set(text, (seen.get(text) ?? 0) + 1);
    return [`${text} ${seen.get(text)}`, node];
  });
}
