// Sheet: the whole tree drawn at once, its nodes, branches and counts, with a band and a heading for each step.

import { drawing, element } from "../shared/elements.js";
import { layOut } from "./layout.js";
import { BESIDE, BETWEEN, branchShape, FOLD, foldShape, inscribe, LANE, measurer, nodeShape, TALL } from "./shapes.js";

export const MARGIN = 10;

export const nameOf = (tree, item) =>
  (item.fold === undefined ? `node ${tree.key(item.node)}` : `fold ${tree.key(item.fold)}`);

// Nodes and counts are items, `{ node }`, or `{ fold }` with the node whose continuations are folded. `shapes` has the
// drawings of each node, itself first, then its branch; `items` the shape of each item by its name; `columns` the
// items of each step from the top; `places` the place of each node.
export function sheetOf(tree, unfolded, family) {
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
