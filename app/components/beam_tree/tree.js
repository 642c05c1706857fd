// Tree of a beam search: the whole search on one sheet that scrolls in its own box. Growing it step by step only shows
// and hides parts; a fold, or an addition by hand, draws it anew.

import { layOut, nodeOf, quoted, sayNode } from "./search_tree.js";
import { element, tabStop } from "../shared/elements.js";
import { twoDecimals } from "../shared/numbers.js";

const LANE = 28; // pixels from one lane to the next, as in search.css
const AROUND = 40; // pixels kept visible around a node

// An item is `{node}`, or `{fold}` with the node whose continuations are counted.
/** @type {(item: any) => string} */
const nameOf = ({ node, fold }) => (fold === undefined ? `node ${node}` : `fold ${fold}`);

export function treeView(tree, act) {
  const sheet = element("div", { class: "sheet", role: "tree", "aria-label": "Beam search, a level for each step" });
  const box = element("div", { class: "tree-box", "data-testid": "tree" }, sheet);
  const unfolded = new Set(); // keys of nodes
  let items = /** @type {Map<string, any>} */ (new Map()); // by name: `{node, fold, column, lane, shape}`
  let heads = [];
  let step = tree.steps;
  let chosen = 0;
  let stop = null; // the tab stop

  function there({ node, fold }) {
    return tree.appears[node ?? tree.children[fold].at(-1)] <= step;
  }

  function itemOf(node) {
    return items.get(nameOf({ node }));
  }

  function build() {
    const { lanes, folds } = layOut(tree, unfolded);
    items = new Map();
    const put = (item, column, lane, shape) => {
      shape.style.gridArea = `${lane + 2} / ${column + 1}`;
      items.set(nameOf(item), { ...item, column, lane, shape });
    };
    lanes.forEach((lane, node) => {
      if (lane < 0) return;
      const from = node ? lane - lanes[tree.parent[node]] : 0;
      const leads = tree.children[node].some((child) => lanes[child] >= 0);
      put({ node }, tree.step[node], lane, nodeShape(tree, node, from, leads));
    });
    for (const [fold, { lane, ...count }] of folds) {
      put({ fold }, tree.step[fold] + 1, lane, foldShape(tree, fold, count, lane - lanes[fold]));
    }
    heads = Array.from({ length: tree.columns }, (_, column) => headShape(column));
    sheet.replaceChildren(...heads, ...Array.from(items.values(), ({ shape }) => shape));
    for (const [name, { node, shape }] of items) {
      const text = node === undefined ? () => items.get(name).shape.getAttribute("aria-label") : () => sayNode(tree, node);
      act.describe(shape, (event) => (event.type === "focusin" ? "" : text())); // the panel describes a chosen one
    }
    stop = null;
    show(step);
  }

  function show(newStep) {
    step = newStep;
    for (const item of items.values()) {
      const { node, shape } = item;
      shape.classList.toggle("future", !there(item));
      shape.classList.toggle("lost", tree.fate[node] === "kept" && tree.last[node] < step);
    }
    heads.forEach((head, column) => head.classList.toggle("now", column === step));
    choose(chosen);
  }

  // Chooses a node, or its nearest ancestor that is shown, and marks the path to it.
  function choose(node) {
    chosen = node;
    while (!itemOf(chosen) || !there(itemOf(chosen))) chosen = tree.parent[chosen];
    const path = new Set(tree.path(chosen));
    for (const { node: each, shape } of items.values()) {
      shape.classList.toggle("on-path", path.has(each));
      shape.classList.toggle("chosen", each === chosen);
      shape.setAttribute("aria-selected", String(each === chosen));
    }
    rest(itemOf(chosen).shape);
    act.chosen(chosen);
  }

  function rest(shape) {
    tabStop(stop, shape);
    stop = shape;
  }

  // Scrolls the box, never the page, until an item is visible.
  function reveal({ shape: { offsetLeft: x, offsetTop: y, offsetWidth: width } }) {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = box;
    box.scrollLeft = Math.max(0, x + width + AROUND - clientWidth, Math.min(scrollLeft, x - AROUND));
    box.scrollTop = Math.max(0, y + 2 * LANE - clientHeight, Math.min(scrollTop, y - 2 * LANE));
  }

  function focus(item) {
    if (!item) return;
    rest(item.shape);
    item.shape.focus({ preventScroll: true });
    reveal(item);
  }

  function fold(parent) {
    const key = tree.key(parent);
    if (!unfolded.delete(key)) unfolded.add(key);
    build();
    focus(items.get(nameOf({ fold: parent })));
  }

  // Chooses a node, out of its fold if it is in one, and makes it visible.
  function open(node) {
    if (!itemOf(node)) unfolded.add(tree.key(tree.parent[node]));
    if (!itemOf(node)) build();
    choose(node);
    reveal(itemOf(chosen));
  }

  // The item to which an arrow key leads from another one.
  function moved(item, key) {
    const { node, fold: parent, column } = item;
    if (key === "Home") return itemOf(0);
    if (key === "ArrowLeft") return itemOf(parent ?? Math.max(0, tree.parent[node]));
    if (key === "ArrowRight") return inOrder((other) => other.node !== undefined && tree.parent[other.node] === node)[0];
    const all = inOrder((other) => other.column === column);
    return all[all.indexOf(item) + (key === "ArrowUp" ? -1 : 1)];
  }

  function inOrder(holds) {
    return Array.from(items.values()).filter((other) => there(other) && holds(other)).sort((one, other) => one.lane - other.lane);
  }

  function itemAt(event) {
    return Array.from(items.values()).find(({ shape }) => event.composedPath().includes(shape));
  }

  function pressed(event) {
    const item = itemAt(event);
    const enters = event.key === "Enter" || event.key === " ";
    if (!item || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(enters || /^(Arrow|Home$)/.test(event.key))) return;
    event.preventDefault();
    event.stopPropagation();
    if (!enters) focus(moved(item, event.key));
    else if (item.node === undefined) fold(item.fold);
    else act.grow(item.node, false);
  }

  function clicked(event) {
    const item = itemAt(event);
    if (!item) return;
    focus(item);
    if (item.node === undefined) fold(item.fold);
    else choose(item.node);
  }

  function focused(event) {
    const item = itemAt(event);
    if (item?.node !== undefined && item.node !== chosen) choose(item.node);
  }
  for (const [name, hear] of Object.entries({ keydown: pressed, focusin: focused, click: clicked })) sheet.addEventListener(name, hear);

  // Shows the same search with other additions by hand.
  function update(newTree) {
    const key = tree.key(chosen);
    const hadFocus = sheet.contains(box.getRootNode().activeElement);
    [tree, chosen] = [newTree, nodeOf(newTree, key)];
    build();
    if (hadFocus) focus(itemOf(chosen));
  }

  // Scrolls the box until the column of a step is visible.
  function follow() {
    const first = inOrder(({ column }) => column === step)[0];
    if (first) reveal({ shape: { offsetLeft: first.shape.offsetLeft, offsetWidth: first.shape.offsetWidth, offsetTop: box.scrollTop + 2 * LANE } });
  }
  return { node: box, build, update, show, follow, open };
}

function headShape(column) {
  const head = element("span", { class: "step", "aria-hidden": "true" }, column ? `step ${column}` : "start");
  head.style.gridArea = `1 / ${column + 1}`;
  return head;
}

// The line from a parent, `rise` lanes above, to an item.
function branch(rise) {
  const line = element("span", { class: rise ? "branch" : "branch straight" });
  line.style.height = `${rise * LANE}px`;
  return line;
}

function nodeShape(tree, node, rise, leads) {
  const { kind, text } = tree.label(node);
  const kinds = [tree.fate[node].replace(" ", "-"), ...(tree.best(node) ? ["best"] : []), ...(tree.greedy(node) ? ["on-greedy"] : []),
    ...(tree.ends.has(node) ? ["stops"] : []), ...(leads ? ["leads"] : [])];
  const lang = ["word", "piece"].includes(kind) ? tree.language : "";
  return element("div", {
    class: `node ${kinds.join(" ")}`, role: "treeitem", tabindex: "-1", "aria-level": String(tree.step[node] + 1), "aria-selected": "false",
    "aria-label": sayNode(tree, node), "data-testid": "beam-node", "data-fate": tree.fate[node],
  }, ...(node ? [branch(rise)] : []),
  element("span", { class: "body" }, element("bdi", { class: "word", lang }, `${kind === "piece" ? "·" : ""}${text}`),
    ...(node ? [element("small", {}, twoDecimals(tree.logProbability[node]))] : [])));
}

// The number of folded continuations, or the button that folds them again.
function foldShape(tree, parent, { hidden, open }, rise) {
  const about = open ? `Show only the likeliest pruned continuation of ${quoted(tree, parent)}`
    : `More pruned continuations of ${quoted(tree, parent)}: ${hidden}. Enter shows them`;
  return element("div", {
    class: "node fold", role: "treeitem", tabindex: "-1", "aria-level": String(tree.step[parent] + 2), "aria-selected": "false",
    "aria-expanded": String(open), "aria-label": about, "data-testid": "beam-fold",
  }, branch(rise), element("span", { class: "body" }, `${open ? "−" : "+"}${hidden} pruned`));
}
