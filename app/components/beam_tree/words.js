// Words: the fate of a node and of a step, in sentences with their numbers.

import { twoDecimals } from "../shared/numbers.js";

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
  const { next } = tree.rounds[tree.step[node] - 1];
  if (next === null) return "Nothing was pruned at this step.";
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
    ...(dropped.length ? [`Dropped: ${dropped.length}, the likeliest of them ${name(dropped[0])}, `
      + `${twoDecimals(bar - tree.total[dropped[0]])} short.`] : ["Dropped: none."]),
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
