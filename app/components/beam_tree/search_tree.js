// Search tree: a search from payload.py, with the relations of its nodes. A node is its index; 0 is the root. The
// browser only adds who descends from whom, never a number of the model.

import { decode } from "../shared/numbers.js";

const ROWS = ["word_weights", "covered", "coverage_penalty", "top_probability", "rest"]; // with one for each decoder step

export function openTree(raw) {
  const { nodes, rows } = raw;
  const count = nodes.parent.length;
  const rounds = raw.rounds.length;
  const [logProbability, total, score] = ["log_probability", "total", "score"].map(
    (name) => decode(nodes[name]).values);
  const fate = nodes.fate.map((index) => nodes.fates[index]);
  const ends = new Set(nodes.ends);
  const best = new Set(raw.best);
  const greedy = new Set(raw.greedy);
  const children = childrenOf(nodes.parent, logProbability);
  const last = lastSteps(nodes, fate);
  // The step of the search from which a node is drawn; additions by hand appear with their parents.
  const appears = nodes.step.map((step) => Math.min(step, rounds));
  for (let i = 1; i < count; i += 1) if (fate[i] === "by hand") appears[i] = appears[nodes.parent[i]];

  // The candidates of each step, best first.
  const competitors = raw.rounds.reduce((steps) => [...steps, []], [[]]);
  for (let i = 1; i < count; i += 1) if (nodes.rank[i]) competitors[nodes.step[i]][nodes.rank[i] - 1] = i;

  function path(node) {
    const found = [];
    for (let i = node; i > 0; i = nodes.parent[i]) found.unshift(i);
    return found;
  }

  return {
    ...raw, count, fate, ends, children, competitors, last, appears, logProbability, total, score, path,
    parent: nodes.parent, step: nodes.step, rank: nodes.rank, row: nodes.row, tokenId: nodes.token_id,
    steps: rounds,
    columns: Math.max(...nodes.step) + 1,
    best: (node) => node === 0 || best.has(node),
    greedyEnd: raw.greedy.at(-1),
    greedy: (node) => node === 0 || greedy.has(node),
    label: (node) => raw.tokens[nodes.token[node]],
    key: (node) => path(node).map((i) => nodes.token_id[i]).join("."),
    // A pruned branch that shows nothing else.
    plain: (node) => fate[node] === "pruned" && children[node].length === 0 && !greedy.has(node),
    // True if a node can be continued by hand: it is not in the beam, and the same request was not made before.
    growable: (node, text) => ["pruned", "greedy", "by hand"].includes(fate[node]) && !ends.has(node)
      && nodes.step[node] < raw.limit && !raw.added.some((entry) => entry.text === text),
    ...Object.fromEntries(ROWS.map((name) => [name, decode(rows[name])])),
  };
}

// The nodes after each node, likeliest first.
function childrenOf(parent, logProbability) {
  const children = parent.map(() => /** @type {number[]} */ ([]));
  for (let i = 1; i < parent.length; i += 1) children[parent[i]].push(i);
  for (const some of children) some.sort((one, other) => logProbability[other] - logProbability[one]);
  return children;
}

// The last step at which a prefix beginning like this one was in the beam; 0 if never.
function lastSteps(nodes, fate) {
  const last = new Array(fate.length).fill(0);
  for (let i = fate.length - 1; i >= 0; i -= 1) {
    const own = { kept: nodes.step[i], ended: Infinity, cut: Infinity }[fate[i]] ?? 0;
    last[i] = Math.max(own, last[i]);
    if (i && own) last[nodes.parent[i]] = Math.max(last[nodes.parent[i]], last[i]);
  }
  return last;
}

// The node of a key, or its nearest existing ancestor.
export function nodeOf(tree, key) {
  let node = 0;
  for (const id of key.split(".").map(Number)) {
    const next = tree.children[node].find((child) => tree.tokenId[child] === id);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}
