// Search tree: a search from payload.py, with the relations of its nodes, its layout and its words. A node is its
// index; 0 is the root. The browser only adds who descends from whom, never a number of the model.

import { goesOn, label, labelled } from "../shared/alignment.js";
import { decode, twoDecimals } from "../shared/numbers.js";

const ROWS = ["word_weights", "covered", "coverage_penalty", "top_probability", "rest"]; // with one for each decoder step

export function openTree(raw) {
  const { nodes, rows } = raw;
  const tokens = raw.tokens.map((token) => label(token, goesOn(token)));
  const { parent, step, rank, row, token_id: tokenId } = nodes;
  const count = parent.length;
  const steps = raw.rounds.length;
  const [logProbability, total, score] = ["log_probability", "total", "score"].map((name) => decode(nodes[name]).values);
  const fate = nodes.fate.map((index) => nodes.fates[index]);
  const [ends, best, greedy] = [nodes.ends, [0, ...raw.best], [0, ...raw.greedy]].map((some) => new Set(some));
  const children = parent.map(() => /** @type {number[]} */ ([]));
  const competitors = Array.from({ length: steps + 1 }, () => /** @type {number[]} */ ([])); // of each step, best first
  // The step of the search from which a node is drawn; additions by hand appear with their parents.
  const appears = step.map((each) => Math.min(each, steps));
  for (let i = 1; i < count; i += 1) {
    children[parent[i]].push(i);
    if (rank[i]) competitors[step[i]][rank[i] - 1] = i;
    if (fate[i] === "by hand") appears[i] = appears[parent[i]];
  }
  for (const some of children) some.sort((one, other) => logProbability[other] - logProbability[one]);

  function path(node) {
    const found = [];
    for (let i = node; i > 0; i = parent[i]) found.unshift(i);
    return found;
  }

  return {
    ...raw, source: labelled(raw.source), tokens, count, steps, parent, step, rank, row, tokenId, fate, ends, children, competitors, appears, path,
    logProbability, total, score,
    last: lastSteps(nodes, fate),
    columns: Math.max(...step) + 1,
    best: (node) => best.has(node),
    greedy: (node) => greedy.has(node),
    label: (node) => tokens[nodes.token[node]],
    key: (node) => path(node).map((i) => tokenId[i]).join("."),
    // True if a node can be continued by hand: it is not in the beam, and the same request was not made before.
    growable: (node, text) => ["pruned", "greedy", "by hand"].includes(fate[node]) && !ends.has(node)
      && step[node] < raw.limit && !raw.added.some((entry) => entry.text === text),
    ...Object.fromEntries(ROWS.map((name) => [name, decode(rows[name])])),
  };
}

// The last step at which a prefix beginning like this one was in the beam; 0 if never.
function lastSteps({ parent, step }, fate) {
  const last = fate.map((one, i) => ({ kept: step[i], ended: Infinity, cut: Infinity }[one] ?? 0));
  for (let i = fate.length - 1; i > 0; i -= 1) last[parent[i]] = Math.max(last[parent[i]], last[i]);
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

// Layout: a lane for every node shown, in columns that are steps. A chain follows the most prominent continuation from
// step to step on one lane; another chain takes the nearest lanes below its parent that are free for its whole length.
// Continuations without successors, pruned or added by hand, go right below their chain; of the pruned ones only the
// likeliest is shown and the others are counted, unless `unfolded` has the parent's key.
//
// Returns the lane of each node, −1 if it is hidden, the lane and the number of each count by its parent, and the height.
export function layOut(tree, unfolded) {
  const lanes = new Int32Array(tree.count).fill(-1);
  const folds = new Map();
  const taken = []; // by lane, the columns in use
  const isEnd = (i) => ["pruned", "by hand"].includes(tree.fate[i]) && !tree.children[i].length && !tree.greedy(i);
  const order = prominence(tree);

  // What stands below a node, in the next column.
  function endsOf(i) {
    const [loose, pruned] = ["by hand", "pruned"].map((fate) => tree.children[i].filter((child) => isEnd(child) && tree.fate[child] === fate));
    const open = unfolded.has(tree.key(i));
    const hidden = pruned.length - 1;
    return { nodes: [...loose, ...(open ? pruned : pruned.slice(0, 1))], fold: hidden > 0 ? { hidden, open } : null };
  }

  function place(head) {
    const nodes = [];
    const others = [];
    for (let i = head; i !== undefined;) {
      const [next, ...more] = tree.children[i].filter((child) => !isEnd(child)).sort(order);
      nodes.push({ i, next, ends: endsOf(i) });
      others.unshift(...more);
      i = next;
    }
    const tall = ({ next, ends: { nodes: some, fold } }) => some.length + (fold ? 1 : 0) + (next === undefined ? 0 : 1);
    const rows = Math.max(1, ...nodes.map(tall));
    const [from, to] = [tree.step[head], tree.step[nodes.at(-1).i] + 1];
    const isFree = (lane) => !taken.slice(lane, lane + rows).some((columns) => columns.slice(from, to + 1).includes(true));
    let lane = head ? lanes[tree.parent[head]] + 1 : 0;
    while (!isFree(lane)) lane += 1;
    for (let row = lane; row < lane + rows; row += 1) (taken[row] ??= new Array(tree.columns + 1).fill(false)).fill(true, from, to + 1);
    for (const { i, next, ends } of nodes) {
      lanes[i] = lane;
      const below = lane + (next === undefined ? 0 : 1);
      ends.nodes.forEach((child, row) => { lanes[child] = below + row; });
      if (ends.fold) folds.set(i, { ...ends.fold, lane: below + ends.nodes.length });
    }
    others.forEach(place);
  }
  place(0);
  return { lanes, folds, height: taken.length };
}

// The more prominent of two nodes first: it leads to the better translation, stayed in the beam longer, or is likelier.
function prominence(tree) {
  const place = new Array(tree.count).fill(Infinity);
  tree.hypotheses.forEach((end, k) => tree.path(end).forEach((i) => { place[i] = Math.min(place[i], k); }));
  const difference = (one, other) => (one === other ? 0 : one - other); // both may be infinite
  return (one, other) => difference(place[one], place[other]) || difference(tree.last[other], tree.last[one])
    || tree.logProbability[other] - tree.logProbability[one];
}

// Words: the fate of a node and of a step, in sentences with their numbers.

export const quoted = (tree, node) => `“${tree.label(node).text}”`;

// Explains why a node is where it is.
export function sayFate(tree, node) {
  if (node === 0) return "The start of the sentence: every translation begins here.";
  const { candidates, places, bar } = tree.rounds[tree.step[node] - 1] ?? {};
  const ranked = `number ${tree.rank[node]} of ${candidates} at step ${tree.step[node]}, for ${places} free places`;
  const total = tree.total[node];
  return {
    pruned: () => `Pruned: ${ranked}. Up to here the log-probability is ${twoDecimals(total)}, `
      + `${twoDecimals(bar - total)} below the last one kept (${twoDecimals(bar)}).`,
    kept: () => `Kept: ${ranked}. It or its continuations were in the beam until `
      + `${tree.last[node] === Infinity ? "the end" : `step ${tree.last[node]}`}.`,
    ended: () => `Ended: ${ranked}. The translation is set aside with a score of ${twoDecimals(tree.score[node])}: `
      + `number ${tree.hypotheses.indexOf(node) + 1} of ${tree.hypotheses.length}.`,
    cut: () => `Cut: ${ranked}, and the search stops at ${tree.limit} tokens.`,
    greedy: () => "Not in the beam, which had dropped what comes before. Greedy decoding takes it, the likeliest token here.",
    "by hand": () => `Not in the beam: added by hand, number ${tree.children[tree.parent[node]].indexOf(node) + 1} of those `
      + `that follow ${quoted(tree, tree.parent[node])}.`,
  }[tree.fate[node]]();
}

const NAMED = 5; // prefixes named for a step

// The search at a step: which prefixes it kept, which translations ended and what it dropped. A prefix is named by its
// last two words, because many end with the same one.
export function sayStep(tree, step) {
  if (step === 0) return "The search begins with the start of the sentence. Each step continues every prefix it keeps.";
  const { places, candidates, bar } = tree.rounds[step - 1];
  const written = (i) => tree.path(i).map(tree.label).map(({ kind, text }) => (kind === "piece" ? text : ` ${text}`)).join("");
  const name = (i) => `“${written(i).trim().split(" ").slice(-2).join(" ")}” (${twoDecimals(tree.total[i])})`;
  const some = (...fates) => tree.competitors[step].filter((i) => fates.includes(tree.fate[i]));
  const list = (found) => found.slice(0, NAMED).map(name).join(", ") + (found.length > NAMED ? ` and ${found.length - NAMED} more` : "");
  const [kept, ended, dropped] = [some("kept", "cut"), some("ended"), some("pruned")];
  return [
    `Step ${step} of ${tree.steps}: ${candidates} continuations compete for ${places} place${places === 1 ? "" : "s"}.`,
    ...(kept.length ? [`Kept: ${list(kept)}.`] : []),
    ...(ended.length ? [`Ended: ${list(ended)}.`] : []),
    ...(dropped.length ? [`Dropped: ${dropped.length}. The best of them, ${name(dropped[0])}, came within `
      + `${twoDecimals(bar - tree.total[dropped[0]])} of being kept.`] : []),
  ].join(" ");
}

// A node's label for screen readers and tooltips.
export const sayNode = (tree, node) => (node === 0 ? sayFate(tree, node)
  : [`${quoted(tree, node)}, log-probability ${twoDecimals(tree.logProbability[node])}`, ...(tree.best(node) ? ["on the best path of the beam"] : []),
    ...(tree.greedy(node) ? ["on the greedy path"] : [])].join(", ") + `. ${sayFate(tree, node)}`);
