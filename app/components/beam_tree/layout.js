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
