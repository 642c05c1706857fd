// Shapes: how a node, a branch and a count of folded branches are drawn, and their widths.

import { drawing } from "../shared/elements.js";
import { twoDecimals } from "../shared/numbers.js";
import { quoted, sayNode } from "./words.js";

export const LANE = 28; // from one lane to the next
export const TALL = 24; // a node
export const BETWEEN = 40; // columns, where the branches turn
const ROOM = 7; // inside a node, left and right
export const FOLD = 32; // the width of a count
export const BESIDE = 4; // between a node and a count
const TOKEN_WIDTH = 116; // of a token that is written in full

// Widths of text in the page's own font.
export function measurer(family) {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  const known = new Map();
  function width(text, size, weight = 400) {
    const key = `${weight} ${size} ${text}`;
    if (!known.has(key)) {
      context.font = `${weight} ${size}px ${family}`;
      known.set(key, context.measureText(text).width);
    }
    return known.get(key);
  }
  // As much of a text as fits.
  function fitted(text, size) {
    if (width(text, size, 600) <= TOKEN_WIDTH) return text;
    const characters = [...text];
    while (characters.length > 1 && width(`${characters.join("")}…`, size, 600) > TOKEN_WIDTH) characters.pop();
    return `${characters.join("")}…`;
  }
  return { width, fitted };
}

// The text of a node, and its width in bold, the wider form.
export function inscribe(tree, node, measured) {
  const label = tree.label(node);
  const text = measured.fitted(`${label.kind === "piece" ? "·" : ""}${label.text}`, 13);
  const figure = node === 0 ? "" : twoDecimals(tree.logProbability[node]);
  const wide = measured.width(text, 13, 600);
  const after = figure ? 6 + measured.width(figure, 11) : 0;
  const bar = tree.ends.has(node) ? 4 : 0;
  return { text, figure, at: ROOM + wide + 6, width: Math.ceil(2 * ROOM + wide + after + bar) };
}

export function nodeShape(tree, node, place, inscribed) {
  const kinds = ["node", tree.fate[node].replace(" ", "-"), ...(tree.best(node) ? ["best"] : []),
    ...(tree.greedy(node) ? ["greedy-path"] : [])];
  const { width } = inscribed;
  const lang = ["word", "piece"].includes(tree.label(node).kind) ? tree.language : "";
  const round = { "by hand": TALL / 2, ended: 2, cut: 2 }[tree.fate[node]] ?? 6;
  return drawing("g", {
    class: kinds.join(" "), transform: `translate(${place.x} ${place.y})`, role: "treeitem", tabindex: "-1",
    "aria-level": tree.step[node] + 1, "aria-selected": "false", "aria-label": sayNode(tree, node),
    "data-node": node, "data-testid": "beam-node", "data-fate": tree.fate[node],
  },
  drawing("rect", { class: "body", width, height: TALL, rx: round }),
  ...(tree.ends.has(node) ? [drawing("rect", { class: "stop", x: width - 4, width: 4, height: TALL })] : []),
  ...(tree.greedy(node) ? [drawing("path", { class: "diamond", d: "M0 -5l5 5 -5 5 -5 -5z" })] : []),
  drawing("text", { class: "word", x: ROOM, y: 17, ...(lang && { lang }) }, inscribed.text),
  drawing("text", { class: "figure", x: inscribed.at, y: 17 }, inscribed.figure));
}

// From the right edge of the parent to the left edge of the child; it turns between the columns.
export function branchShape(tree, node, from, to) {
  const [y0, y1] = [from.y + TALL / 2, to.y + TALL / 2];
  const turn = to.x - BETWEEN;
  const middle = to.x - BETWEEN / 2;
  const d = y0 === y1
    ? `M${from.right} ${y0}H${to.x}`
    : `M${from.right} ${y0}H${turn}C${middle} ${y0} ${middle} ${y1} ${to.x} ${y1}`;
  const kinds = ["branch", tree.fate[node].replace(" ", "-"), ...(tree.best(node) ? ["best"] : [])];
  return drawing("g", { class: kinds.join(" ") },
    drawing("path", { d }),
    ...(tree.greedy(node) ? [drawing("path", { class: "dashes", d })] : []),
    ...(tree.fate[node] === "pruned"
      ? [drawing("path", { class: "end", d: `M${to.x} ${to.y + 5}v${TALL - 10}` })] : []));
}

// A count of folded branches, or the button that folds them again.
export function foldShape(tree, parent, fold, place) {
  const text = fold.open ? "−" : `+${fold.hidden}`;
  const told = fold.open
    ? `Show fewer of the pruned continuations of ${quoted(tree, parent)}`
    : `${fold.hidden} more pruned ${fold.hidden === 1 ? "continuation" : "continuations"} of ${quoted(tree, parent)}. Enter shows ${fold.hidden === 1 ? "it" : "them"}`;
  return drawing("g", {
    class: "fold", transform: `translate(${place.right + BESIDE} ${place.y})`, role: "treeitem", tabindex: "-1",
    "aria-level": tree.step[parent] + 2, "aria-selected": "false", "aria-expanded": String(fold.open),
    "aria-label": told, "data-fold": parent, "data-testid": "beam-fold",
  },
  drawing("rect", { class: "body", width: FOLD, height: TALL, rx: TALL / 2 }),
  drawing("text", { class: "word", x: FOLD / 2, y: 16, "text-anchor": "middle" }, text));
}
