// Search: the tree, the chosen node beside it, what happens at each step, and the translations found. `mountSearch`
// draws it into `parent` and returns how to update and end it.
//
// `data` comes from payload.py. `onAdd(text)` receives all additions by hand, in the format of beam_edits.py;
// `onChoose(key)` the chosen node's key, ROOT for the root and empty for the node that a search opens with. `opening` is
// such a key.

import { transport } from "../shared/controls.js";
import { button, drawing, element, nothing, tooltip } from "../shared/elements.js";
import { listView } from "./list.js";
import { nodeOf, openTree } from "./search_tree.js";
import { panelView } from "./panel.js";
import { treeView } from "./tree.js";
import { sayAdded, sayStep } from "./words.js";

function hintView() {
  return element("p", { class: "hint" },
    element("span", { class: "by-keyboard" }, "Arrow keys move in the tree; Enter expands a pruned node. "),
    element("span", { class: "scrolls" }, "The tree scrolls sideways in its box."));
}

const ROOT = "0"; // no token of a translation has this id

export function mountSearch(parent, data, { onAdd = nothing, onChoose = nothing, opening = "" } = {}) {
  const root = element("section", { class: "stepper beam", "data-testid": "beam", "aria-label": "Beam search" });
  const says = element("output", { class: "says", "aria-live": "polite", "data-testid": "announce" });
  const { describe, hide } = tooltip(root);
  const [grown, below, besides, found] = ["grown", "below", "besides", "found"].map(
    (name) => element("div", { class: name }));
  let tree, view, panel, list, moves;
  let step = 0;
  root.prepend(says,
    element("div", { class: "search" }, element("div", {}, legendView(), grown, hintView(), below), besides), found);
  parent.append(root);

  const act = { describe, go, grow, growable, foldBack, madeBy, reveal, chosen };

  const entryOf = (node, greedily) => `${tree.key(node)}${greedily ? "g" : ""}`; // in the format of beam_edits.py

  function growable(node, greedily) {
    return tree.growable(node, entryOf(node, greedily));
  }

  function grow(node, greedily) {
    if (!growable(node, greedily)) return;
    onAdd([...tree.added.map((entry) => entry.text), entryOf(node, greedily)].join("~"));
    view.focus(node);
  }

  // The addition by hand that made a node, or that continues it.
  function madeBy(node) {
    const key = `${tree.key(node)}.`;
    return tree.added.filter(({ text }) => key.startsWith(`${text.replace("g", "")}.`)).at(-1);
  }

  function foldBack(node) {
    const made = madeBy(node);
    if (!made) return;
    const from = made.text.replace("g", "");
    const kept = tree.added.filter(({ text }) => text.replace("g", "") !== from && !text.startsWith(`${from}.`));
    view.choose(made.node);
    view.focus(made.node);
    onAdd(kept.map(({ text }) => text).join("~"));
  }

  function reveal(node) {
    go(tree.steps);
    view.choose(node);
    view.focus(node);
    grown.scrollIntoView({ block: "nearest" }); // the list is below it
  }

  function chosen(node = view.chosen) {
    panel?.show(node);
    list?.show(node);
    onChoose(node === tree.opening ? "" : tree.key(node) || ROOT);
    return node;
  }

  function go(newStep) {
    step = Math.min(tree.steps, Math.max(0, newStep));
    draw();
    view.follow(step);
  }

  function draw() {
    view.show(step);
    moves.show(step, `Step ${step} of ${tree.steps}`);
    says.replaceChildren(element("div", {}, sayStep(tree, step)));
  }

  function build() {
    hide();
    moves?.stop();
    panel = panelView(tree, { ...act, chosen: () => view.chosen });
    list = listView(tree, act);
    moves = transport({ first: 0, last: tree.steps }, { go });
    const reset = button({ class: "switch", "data-testid": "reset" }, () => onAdd(""), "Fold back all");
    reset.disabled = tree.added.length === 0;
    below.replaceChildren(moves.node, reset);
    besides.replaceChildren(panel.node);
    found.replaceChildren(list.node);
  }

  // Another search is redrawn; the same search with an addition stays in place.
  function update(data) {
    if (data.id === tree?.id) return;
    const before = tree;
    const focused = root.contains(root.getRootNode().activeElement);
    tree = openTree(data);
    const same = before?.search === tree.search;
    if (!same) {
      step = tree.steps;
      view = treeView(tree, act);
      grown.replaceChildren(view.node);
    }
    build();
    view.update(tree);
    draw();
    if (!same) view.open(opening && !before ? nodeOf(tree, opening) : tree.opening);
    else if (focused) view.focus(view.chosen);
    if (same && tree.added.length > before.added.length) says.firstChild.textContent = sayAdded(tree);
  }

  function destroy() {
    moves.stop();
    root.remove();
  }
  update(data);
  return { update, destroy };
}

// Legend: a sample of each kind of node and path, drawn with the tree's own shapes.
const KINDS = [
  ["kept", "in the beam"],
  ["kept lost", "kept, lost later"],
  ["pruned", "pruned"],
  ["ended", "ended"],
  ["by-hand", "by hand"],
];

function legendView() {
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
