// Tree: the whole search on one sheet that scrolls in its own box. It is laid out once; growing it step by step only
// shows and hides parts.

import { drawing, element, tabStop } from "../shared/elements.js";
import { nodeOf } from "./search_tree.js";
import { BETWEEN, LANE } from "./shapes.js";
import { MARGIN, nameOf, sheetOf } from "./sheet.js";
import { sayNode } from "./words.js";

const HEADER = 26;

// The node or fold under an event, if any.
function itemAt(event) {
  const { node, fold } = event.composedPath()[0].closest?.("[role=treeitem]")?.dataset ?? {};
  if (fold !== undefined) return { fold: Number(fold) };
  return node === undefined ? null : { node: Number(node) };
}

// The visible part of the box's content, known without reading the layout; `opens` is called once the box has a size.
function sightOf(box, opens) {
  const sight = { left: 0, top: 0, width: 0, height: 0 };
  box.addEventListener("scroll", () => Object.assign(sight, { left: box.scrollLeft, top: box.scrollTop }));
  new ResizeObserver(() => {
    const before = sight.width;
    Object.assign(sight, { width: box.clientWidth, height: box.clientHeight });
    if (!before) opens();
  }).observe(box);
  return sight;
}

export function treeView(tree, act) {
  const header = element("div", { class: "columns", "aria-hidden": "true" });
  const svg = drawing("svg", { role: "tree", "aria-label": "Beam search, a level for each step" });
  const page = element("div", { class: "sheet" }, header, svg);
  const box = element("div", { class: "tree-box", "data-testid": "tree" }, page);
  const unfolded = new Set(); // keys of nodes
  let sheet, shownStep = -1, chosen = 0, lit = [], stop = null; // `stop` is the tab stop
  const sight = sightOf(box, () => reveal(sheet.places.get(chosen))); // details beside the tree are visible in it

  const there = (node) => sheet.layout.lanes[node] >= 0 && tree.appears[node] <= shownStep;

  function build() {
    sheet = sheetOf(tree, unfolded, getComputedStyle(box).fontFamily);
    const { width, height } = sheet.size;
    page.style.width = `${width}px`;
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
      svg.setAttribute(name, value);
    }
    header.replaceChildren(...sheet.heads);
    svg.replaceChildren(...sheet.layers);
    const pointedAt = (text) => (event) => (event.type === "focusin" ? "" : text()); // the panel describes a chosen one
    for (const [i, [shape]] of sheet.shapes) act.describe(shape, pointedAt(() => sayNode(tree, i)));
    for (const shape of sheet.folds.values()) act.describe(shape, pointedAt(() => shape.getAttribute("aria-label")));
    const step = shownStep < 0 ? tree.steps : shownStep;
    shownStep = -1;
    lit = [];
    stop = null;
    show(step);
    choose(chosen);
  }

  function show(step) {
    if (step === shownStep) return;
    const lostAt = (i, at) => tree.fate[i] === "kept" && tree.last[i] < at;
    const stateAt = (i, at) => (at < 0 ? "" : tree.appears[i] > at ? "future" : lostAt(i, at) ? "lost" : "");
    for (const [i, shapes] of sheet.shapes) {
      const [before, after] = [stateAt(i, shownStep), stateAt(i, step)];
      if (before === after) continue;
      for (const shape of shapes) {
        if (before) shape.classList.remove(before);
        if (after) shape.classList.add(after);
      }
    }
    for (const some of [sheet.bands, sheet.heads]) {
      some[shownStep]?.classList.remove("now");
      some[step]?.classList.add("now");
    }
    shownStep = step;
  }

  // Marks the chosen node and the path to it.
  function mark() {
    for (const shape of lit) shape.classList.remove("lit", "chosen");
    lit.at(-1)?.setAttribute("aria-selected", "false");
    const [shape] = sheet.shapes.get(chosen);
    lit = [...tree.path(chosen).flatMap((i) => sheet.shapes.get(i).slice(0, 2)), shape]; // branches, and no counts
    lit.forEach((each) => each.classList.add("lit"));
    shape.classList.add("chosen");
    shape.setAttribute("aria-selected", "true");
    rest(shape);
  }

  function rest(shape) {
    tabStop(stop, shape);
    stop = shape;
  }

  function choose(node) {
    chosen = node;
    while (!sheet.shapes.has(chosen) || !there(chosen)) chosen = tree.parent[chosen];
    mark();
    act.chosen(chosen);
  }

  // Scrolls the box, never the page, until a place is visible. Visibility is known without reading the layout.
  function reveal({ x, y, right }) {
    const down = y + HEADER;
    const { left, top, width, height } = sight;
    sight.left = Math.max(right + BETWEEN - width, Math.min(left, x - BETWEEN), 0);
    sight.top = Math.max(down + LANE - height, Math.min(top, down - HEADER - MARGIN), 0);
    if (sight.left === left && sight.top === top) return;
    requestAnimationFrame(() => box.scrollTo(sight.left, sight.top));
  }

  function focus(item) {
    const shape = sheet.items.get(nameOf(tree, item));
    if (!shape) return;
    rest(shape);
    shape.focus({ preventScroll: true });
    reveal(sheet.places.get(item.node ?? sheet.layout.folds.get(item.fold).after));
  }

  // Redraws, keeping the item `name` in its place on the screen.
  function redraw(name, change) {
    const focused = svg.contains(box.getRootNode().activeElement);
    const before = sheet?.items.get(name)?.getBoundingClientRect();
    change();
    build();
    const shape = sheet.items.get(name);
    if (shape && before) {
      const after = shape.getBoundingClientRect();
      box.scrollBy(after.left - before.left, after.top - before.top);
    }
    if (focused) (shape ?? stop)?.focus({ preventScroll: true });
  }

  function fold(parent) {
    const key = tree.key(parent);
    redraw(`fold ${key}`, () => (unfolded.has(key) ? unfolded.delete(key) : unfolded.add(key)));
  }

  // Chooses a node, out of its fold if it is in one.
  function open(node) {
    if (!sheet.shapes.has(node)) fold(tree.parent[node]);
    choose(node);
  }

  function neighbour(item, move) {
    const node = item.node ?? item.fold;
    const column = sheet.columns[tree.step[item.node ?? sheet.layout.folds.get(item.fold).after]]
      .filter((other) => there(other.node ?? other.beside));
    const at = column.findIndex((other) => nameOf(tree, other) === nameOf(tree, item));
    const { next, others, ends } = sheet.layout.shown.get(node);
    const on = [next, ...others, ...ends].find((child) => child !== undefined && there(child));
    switch (move) {
      case "ArrowUp": return column[at - 1];
      case "ArrowDown": return column[at + 1];
      case "ArrowLeft": return { node: item.fold ?? Math.max(0, tree.parent[item.node]) };
      case "ArrowRight": return item.node === undefined || on === undefined ? null : { node: on };
      case "Home": return { node: 0 };
      default: return null;
    }
  }

  function pressed(event) {
    const item = itemAt(event);
    if (!item || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const enters = event.key === "Enter" || event.key === " ";
    if (!enters && !/^(Arrow|Home$)/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!enters) {
      const next = neighbour(item, event.key);
      if (next) focus(next);
    } else if (item.node === undefined) fold(item.fold);
    else act.grow(item.node, false);
  }

  function focused(event) {
    const item = itemAt(event);
    if (item?.node !== undefined && item.node !== chosen) choose(item.node);
  }

  function clicked(event) {
    const item = itemAt(event);
    if (!item) return;
    focus(item);
    if (item.node === undefined) fold(item.fold);
    else choose(item.node);
  }
  for (const [name, hear] of Object.entries({ keydown: pressed, focusin: focused, click: clicked })) svg.addEventListener(name, hear);

  function update(newTree) {
    const name = chosen ? `node ${tree.key(chosen)}` : "";
    const key = tree.key(chosen);
    if (sheet) redraw(name, () => { tree = newTree; chosen = nodeOf(newTree, key); });
    else build();
  }

  // Scrolls the box until the column of a step is visible.
  function follow(step) {
    const [first] = sheet.columns[step] ?? [];
    const place = first && sheet.places.get(first.node);
    if (place) reveal({ x: place.x, right: place.right, y: sight.top + MARGIN });
  }

  return {
    node: box, update, follow, choose, open,
    show(step) {
      show(step);
      choose(chosen);
    },
    focus: (node) => focus({ node }),
    get chosen() { return chosen; },
  };
}
