// Legend: a sample of each kind of node and path, drawn with the tree's own shapes.

import { drawing, element } from "../shared/elements.js";

const KINDS = [
  ["kept", "in the beam"],
  ["kept lost", "kept, lost later"],
  ["pruned", "pruned"],
  ["ended", "ended"],
  ["by-hand", "by hand"],
];

export function legendView() {
  const sample = (shape) => drawing("svg", { class: "sample", width: 34, height: 18, "aria-hidden": "true" }, shape);
  const box = (kind) => drawing("g", { class: `node ${kind}` },
    drawing("rect", { class: "body", x: 2, y: 2, width: 30, height: 14, rx: kind === "by-hand" ? 7 : 4 }),
    ...(kind === "ended" ? [drawing("rect", { class: "stop", x: 28, y: 2, width: 4, height: 14 })] : []),
    drawing("text", { class: "word", x: 9, y: 13 }, "ab"));
  const best = drawing("g", { class: "branch best" }, drawing("path", { d: "M0 9H34" }));
  const greedy = drawing("g", { class: "branch" }, drawing("path", { class: "dashes", d: "M0 9H34" }),
    drawing("path", { class: "diamond", d: "M17 4l5 5 -5 5 -5 -5z" }));
  const entry = (shape, text) => element("li", {}, sample(shape), text);
  return element("ul", { class: "kinds", "aria-label": "Legend" },
    entry(best, "best"), entry(greedy, "greedy"),
    ...KINDS.map(([kind, text]) => entry(box(kind), text)));
}
