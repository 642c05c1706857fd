// Tree of a beam search: where its nodes stand, how they are drawn, and how a visitor moves in it.

import { nodeOf, quoted, sayNode } from "./search_tree.js";
import { drawing, element, tabStop } from "../shared/elements.js";
import { twoDecimals } from "../shared/numbers.js";

// Tree: the whole search on one sheet that scrolls in its own box. It is laid out once; growing it step by step only
// shows and hides parts.

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

// Sheet: the whole tree drawn at once, its nodes, branches and counts, with a band and a heading for each step.

export const MARGIN = 10;

export const nameOf = (tree, item) =>
  (item.fold === undefined ? `node ${tree.key(item.node)}` : `fold ${tree.key(item.fold)}`);

// Nodes and counts are items, `{ node }`, or `{ fold }` with the node whose continuations are folded. `shapes` has the
// drawings of each node, itself first, then its branch; `items` the shape of each item by its name; `columns` the
// items of each step from the top; `places` the place of each node.
function sheetOf(tree, unfolded, family) {
  const layout = layOut(tree, unfolded);
  const measured = measurer(family);
  const inscribed = new Map([...layout.shown.keys()].map((i) => [i, inscribe(tree, i, measured)]));
  const { lefts, widths } = columnsOf(tree, layout, inscribed);
  const places = new Map([...inscribed].map(([i, { width }]) => {
    const x = lefts[tree.step[i]];
    return [i, { x, y: MARGIN + layout.lanes[i] * LANE, right: x + width }];
  }));
  const size = {
    width: lefts.at(-1) + widths.at(-1) + MARGIN,
    height: layout.height * LANE + 2 * MARGIN - (LANE - TALL),
  };
  const nodes = new Map([...places].map(([i, place]) => [i, nodeShape(tree, i, place, inscribed.get(i))]));
  const branches = new Map([...places].filter(([i]) => i)
    .map(([i, place]) => [i, branchShape(tree, i, places.get(tree.parent[i]), place)]));
  const folds = new Map([...layout.folds]
    .map(([parent, fold]) => [parent, foldShape(tree, parent, fold, places.get(fold.after))]));
  const shapes = new Map([...nodes].map(([i, node]) => [i, [node, ...(i ? [branches.get(i)] : [])]]));
  for (const [parent, shape] of folds) shapes.get(layout.folds.get(parent).after)?.push(shape);
  const bands = lefts.map((x, column) => drawing("rect",
    { class: "band", x: x - BETWEEN / 2, width: widths[column] + BETWEEN, height: size.height }));
  const heads = lefts.map((x, column) => {
    const head = element("span", {}, column ? `step ${column}` : "start");
    head.style.left = `${x}px`;
    return head;
  });
  const layer = (hidden, some) => drawing("g", { role: "none", ...(hidden && { "aria-hidden": "true" }) }, ...some);
  return {
    layout,
    places,
    shapes,
    folds,
    size,
    bands,
    heads,
    layers: [layer(true, [...bands, ...branches.values()]), layer(false, [...nodes.values(), ...folds.values()])],
    items: new Map(/** @type {[string, any][]} */ ([...[...nodes].map(([i, shape]) => [nameOf(tree, { node: i }), shape]),
      ...[...folds].map(([parent, shape]) => [nameOf(tree, { fold: parent }), shape])])),
    columns: itemsByColumn(tree, layout, places),
  };
}

// A column is as wide as its widest node, with the count beside it.
function columnsOf(tree, layout, inscribed) {
  const widths = new Array(tree.columns).fill(TALL);
  const widen = (i, width) => { widths[tree.step[i]] = Math.max(widths[tree.step[i]], width); };
  for (const [i, { width }] of inscribed) widen(i, width);
  for (const { after } of layout.folds.values()) widen(after, inscribed.get(after).width + BESIDE + FOLD);
  const lefts = [MARGIN];
  for (const width of widths.slice(0, -1)) lefts.push(lefts.at(-1) + width + BETWEEN);
  return { lefts, widths };
}

function itemsByColumn(tree, layout, places) {
  const found = Array.from({ length: tree.columns }, () => /** @type {object[]} */ ([]));
  const counts = new Map([...layout.folds].map(([parent, { after }]) => [after, parent]));
  for (const i of [...places.keys()].sort((one, other) => layout.lanes[one] - layout.lanes[other])) {
    found[tree.step[i]].push({ node: i }, ...(counts.has(i) ? [{ fold: counts.get(i), beside: i }] : []));
  }
  return found;
}

// Layout: a place for every node shown, in lanes. Columns are steps. A chain follows the most prominent continuation
// from step to step on one lane; another chain takes the nearest lanes below it that are free for its whole length.
// Continuations without successors, pruned or added by hand, go right below their chain.


// `unfolded` has the keys of the nodes whose pruned continuations are all shown. Returns the lane of each node, −1 if
// it is hidden, its continuations in display order, and the place of each count of folded ones.
export function layOut(tree, unfolded) {
  const lanes = new Int32Array(tree.count).fill(-1);
  const shown = new Map();
  const folds = new Map();
  const first = byProminence(tree);
  const chains = [];

  function follow(head) {
    const nodes = [];
    const branches = [];
    for (let i = head; i !== undefined; i = shown.get(i).next) {
      const all = tree.children[i];
      const plain = all.filter(tree.plain);
      const loose = all.filter((child) => tree.fate[child] === "by hand" && tree.children[child].length === 0);
      const [next, ...others] = all.filter((child) => !plain.includes(child) && !loose.includes(child))
        .sort(first.siblings);
      const open = unfolded.has(tree.key(i));
      const few = open ? plain : plain.slice(0, tree.few);
      if (plain.length > tree.few) folds.set(i, { after: few.at(-1), hidden: plain.length - tree.few, open });
      shown.set(i, { next, ends: [...loose, ...few], others });
      nodes.push(i);
      branches.push(...others);
    }
    chains.push(nodes);
    branches.forEach(follow);
  }
  follow(0);
  chains.sort(first.chains); // a chain's parent comes before it

  const taken = []; // by lane, the columns in use
  const free = (lane, from, to) => !taken[lane]?.some((used, column) => used && column >= from && column <= to);
  function take(lane, from, to) {
    taken[lane] ??= new Array(tree.columns + 1).fill(false);
    taken[lane].fill(true, from, to + 1);
  }
  for (const nodes of chains) {
    const end = nodes.at(-1);
    const rows = Math.max(...nodes.map((i) => shown.get(i).ends.length + (i === end ? 0 : 1)), 1);
    const [from, to] = [tree.step[nodes[0]], tree.step[end] + (shown.get(end).ends.length ? 1 : 0)];
    let lane = nodes[0] ? lanes[tree.parent[nodes[0]]] + 1 : 0;
    while (!Array.from({ length: rows }, (_, row) => lane + row).every((each) => free(each, from, to))) lane += 1;
    for (let row = 0; row < rows; row += 1) take(lane + row, from, to);
    for (const i of nodes) {
      lanes[i] = lane;
      shown.get(i).ends.forEach((child, row) => {
        lanes[child] = lane + row + (i === end ? 0 : 1);
        shown.set(child, { ends: [], others: [] });
      });
    }
  }
  return { lanes, shown, folds, height: taken.length };
}

// The more prominent node first: it leads to the better translation, stayed in the beam longer, is taken by greedy
// decoding, or is likelier. The greedy chain and chains a visitor has added to precede those that the search lost. A
// node is never less prominent than its successors.
function byProminence(tree) {
  const place = new Array(tree.count).fill(Infinity);
  const asked = new Array(tree.count).fill(1); // 0 if it leads to a node that a visitor is pointed at, or requested
  tree.hypotheses.forEach((end, k) => [0, ...tree.path(end)].forEach((i) => { place[i] = Math.min(place[i], k); }));
  for (const node of [...tree.added.map((entry) => entry.node), tree.greedyEnd]) {
    for (const i of [0, ...tree.path(node)]) asked[i] = 0;
  }
  const lower = (one, other) => {
    const k = one.findIndex((value, at) => value !== other[at]);
    return k < 0 ? 0 : one[k] < other[k] ? -1 : 1;
  };
  const order = (i) => [place[i], -tree.last[i], tree.greedy(i) ? 0 : 1];
  return {
    siblings: (one, other) => lower(order(one), order(other)) || tree.logProbability[other] - tree.logProbability[one],
    chains: ([one], [other]) => lower([place[one], asked[one]], [place[other], asked[other]])
      || lower(order(one), order(other)) || one - other,
  };
}

// Shapes: how a node, a branch and a count of folded branches are drawn, and their widths.

const LANE = 28; // from one lane to the next
const TALL = 24; // a node
export const BETWEEN = 40; // columns, where the branches turn
const ROOM = 7; // inside a node, left and right
const FOLD = 32; // the width of a count
export const BESIDE = 4; // between a node and a count
const TOKEN_WIDTH = 116; // of a token that is written in full

// Widths of text in the page's own font.
function measurer(family) {
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
function inscribe(tree, node, measured) {
  const label = tree.label(node);
  const text = measured.fitted(`${label.kind === "piece" ? "·" : ""}${label.text}`, 13);
  const figure = node === 0 ? "" : twoDecimals(tree.logProbability[node]);
  const wide = measured.width(text, 13, 600);
  const after = figure ? 6 + measured.width(figure, 11) : 0;
  const bar = tree.ends.has(node) ? 4 : 0;
  return { text, figure, at: ROOM + wide + 6, width: Math.ceil(2 * ROOM + wide + after + bar) };
}

function nodeShape(tree, node, place, inscribed) {
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
function branchShape(tree, node, from, to) {
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
function foldShape(tree, parent, fold, place) {
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
