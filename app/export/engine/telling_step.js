// The step at which a translation opens. The twin of app/visitor/telling_step.py, with its tables.

import { spoken } from "./alignment.js";
import { heaviest } from "./labels.js";

const WHOLE = 3; // the rank of a whole word, at least

// `tables` are those of telling_step.toml.
export function tellingStep({ source, target, weights, topProbabilities }, tables) {
  const [sources, written] = [source, target].map((side) => ranksOf(side, tables.function_words[side.language] ?? ""));
  const looked = heaviest(weights);
  const worth = written.map((rank, t) => {
    const at = sources[looked[t]];
    return 100 * Number(rank >= WHOLE && at > 0) + 10 * Math.min(rank, at) + rank;
  });
  const steps = worth.flatMap((value, t) => (value === Math.max(...worth) ? [t] : []));
  const crossing = steps.filter((t) => steps.some((later) => later > t && looked[later] < looked[t]));
  const named = [...worth.keys()].filter((t) => target.tokens[t].trim() === tables.about[source.text]);
  const best = [named, crossing, steps].find((some) => some.length);
  const second = best.map((t) => topProbabilities.values[t * topProbabilities.width + 1]);
  return best[second.indexOf(Math.max(...second))] + 1;
}

// How telling each token is: 4 for a whole content word, 3 for another whole word, 2 for the first piece of a word, 1
// for a later one, 0 for a mark or the end of the sentence.
function ranksOf(side, functionWords) {
  const little = new Set(functionWords.split(/\s+/));
  const count = (word) => side.wordOf.filter((other) => other === word).length;
  return side.wordOf.map((word, position) => {
    const text = side.words[word];
    if (word >= spoken(side) || !/\p{L}/u.test(text)) return 0;
    if (count(word) > 1) return side.wordOf.indexOf(word) === position ? 2 : 1;
    return little.has(text.toLowerCase()) ? WHOLE : 4;
  });
}
