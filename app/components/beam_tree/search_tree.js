// Search tree: a search from payload.py, with the relations of its nodes. A node is its index; 0 is the root. The
// browser only adds who descends from whom, never a number of the model.

import { decode, twoDecimals } from "../shared/numbers.js";

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

// Words: the fate of a node and of a step, in sentences with their numbers.

const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
export const quoted = (tree, node) => `“${tree.label(node).text}”`;
const tellRank = (tree, node) => {
  const round = tree.rounds[tree.step[node] - 1];
  return `number ${tree.rank[node]} of ${round.candidates} at step ${tree.step[node]}, `
    + `where ${counted(round.places, "place was", "places were")} free`;
};

// Explains why a node is where it is.
export function sayFate(tree, node) {
  if (node === 0) return "The start of the sentence: every translation begins here.";
  switch (tree.fate[node]) {
    case "pruned": {
      const { bar } = tree.rounds[tree.step[node] - 1];
      const total = tree.total[node];
      return `Pruned: ${tellRank(tree, node)}. Up to here the log-probability is ${twoDecimals(total)}, `
        + `${twoDecimals(bar - total)} below the last one kept (${twoDecimals(bar)}).`
        + (tree.greedy(node) ? " Greedy decoding continues from it." : "");
    }
    case "kept": return `Kept: ${tellRank(tree, node)}. ${sayAhead(tree, node)} ${sayAfter(tree, node)}`.trim();
    case "ended": {
      const place = tree.hypotheses.indexOf(node) + 1;
      return `Ended: ${tellRank(tree, node)}. The translation is set aside with a score of `
        + `${twoDecimals(tree.score[node])}: number ${place} of ${tree.hypotheses.length}.`;
    }
    case "cut": return `Cut: ${tellRank(tree, node)}, and the search stops at ${tree.limit} tokens.`;
    case "greedy": return "Not in the beam, which had dropped what comes before. Greedy decoding takes it, the "
      + "likeliest token here.";
    default: {
      const place = tree.children[tree.parent[node]].indexOf(node) + 1;
      return `Not in the beam: added by hand, number ${place} of those that follow ${quoted(tree, tree.parent[node])}.`;
    }
  }
}

function sayAhead(tree, node) {
  const { next, candidates } = tree.rounds[tree.step[node] - 1];
  if (next === null) return `The ${candidates} likeliest got a place; every less likely token was dropped.`;
  return `Up to here the log-probability is ${twoDecimals(tree.total[node])}, ${twoDecimals(tree.total[node] - next)} `
    + `above the likeliest one pruned (${twoDecimals(next)}).`;
}

function sayAfter(tree, node) {
  if (tree.last[node] === Infinity) return "";
  if (tree.last[node] === tree.step[node]) return "None of its continuations was kept.";
  return `Its continuations were in the beam until step ${tree.last[node]}.`;
}

const AND_MORE = 5; // prefixes named for a step

// Names a prefix by its last two words, because many end with the same one; the last may be incomplete.
function quotedEnd(tree, node) {
  const words = [];
  for (const label of tree.path(node).map(tree.label)) {
    if (label.kind === "piece" && words.length) words.push(words.pop() + label.text);
    else words.push(label.text);
  }
  return `“${words.slice(-2).join(" ")}”`;
}

// The search at a step in words: which prefixes it kept, which translations ended and what it dropped.
export function sayStep(tree, step) {
  if (step === 0) return "The search begins with the start of the sentence. Each step continues every prefix it keeps.";
  const { places, candidates, bar } = tree.rounds[step - 1];
  const here = tree.competitors[step];
  const name = (i) => (tree.fate[i] === "ended"
    ? `translation ${tree.hypotheses.indexOf(i) + 1} (${twoDecimals(tree.total[i])})`
    : `${quotedEnd(tree, i)} (${twoDecimals(tree.total[i])})`);
  const list = (some) => some.slice(0, AND_MORE).map(name).join(", ")
    + (some.length > AND_MORE ? ` and ${some.length - AND_MORE} more` : "");
  const [kept, ended, dropped] = [["kept", "cut"], ["ended"], ["pruned"]].map(
    (fates) => here.filter((i) => fates.includes(tree.fate[i])));
  return [
    `Step ${step} of ${tree.steps}: ${counted(candidates, "continuation")} for ${counted(places, "place")}.`,
    ...(kept.length ? [`Kept: ${list(kept)}.`] : []),
    ...(ended.length ? [`Ended: ${list(ended)}.`] : []),
    ...(dropped.length ? [`Dropped: ${dropped.length}. The best of them, ${name(dropped[0])}, `
      + `came within ${twoDecimals(bar - tree.total[dropped[0]])} of being kept.`] : ["Dropped: none."]),
  ].join(" ");
}

// A node's label for screen readers and tooltips.
export function sayNode(tree, node) {
  if (node === 0) return sayFate(tree, node);
  const marks = [
    ...(tree.best(node) ? ["on the best path of the beam"] : []),
    ...(tree.greedy(node) ? ["on the greedy path"] : []),
  ].join(" and ");
  return `${quoted(tree, node)}, log-probability ${twoDecimals(tree.logProbability[node])}${marks && `, ${marks}`}. `
    + sayFate(tree, node);
}

// The result of the latest addition by hand.
export function sayAdded(tree) {
  const { node, text } = tree.added.at(-1);
  if (text.endsWith("g")) return `Greedy decoding went on from ${quoted(tree, node)}.`;
  const [first] = tree.children[node];
  return `Expanded ${quoted(tree, node)}: the likeliest of ${counted(tree.children[node].length, "continuation")} is `
    + `${quoted(tree, first)} (${twoDecimals(tree.logProbability[first])}).`;
}
