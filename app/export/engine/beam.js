// Beam search and the score that compares what it found.

// Beam score: which of several translations is the best? Wu et al. (2016), section 7, equation 14.
//
//     s(Y, X) = log P(Y | X) / lp(Y) + cp(X; Y)
//     lp(Y)   = (5 + |Y|)^α / (5 + 1)^α              length penalty: α = 0 compares plain log-probabilities
//     cp(X; Y) = β Σ_i log(min(Σ_t α_ti, 1))         coverage penalty: β = 0 leaves it out
//
// The twin of model/decoding/beam_tree.py.

import { START, STOP } from "./tokenizer.js";
import { likeliest, logSumExp } from "./trace.js";
import { limit, read } from "./translate.js";

export const ALPHA = 0.6; // default length normalisation
const LEAST = 1e-6; // attention to a source token, at least, because log 0 would rule a translation out

const lengthPenalty = (length, alpha) => ((5 + length) / 6) ** alpha;

export const coveragePenalty = (covered, reach) => covered.reduce((sum, weight, i) =>
  (reach[i] ? sum + Math.log(Math.min(1, Math.max(LEAST, weight))) : sum), 0);

export const scoreOf = ({ alpha, coverage }, logProbability, length, covering) =>
  logProbability / lengthPenalty(length, alpha) + coverage * covering;

// Beam search: the best of several translations that grow side by side. The twin of model/decoding/beam.py.
//
// The likeliest `width` continuations are kept at every step. One that ends with `</s>` is set aside and its place is
// not filled again, so a beam of width 1 is greedy decoding. At the end the translations that ended are compared by the
// score above; those cut at the limit only if none ended. During the search prefixes compete by
// their log-probability alone.

// At most `width` translations, best first, as `{ids, logProbability, score, stop}`.
export function search(model, sentence, { width = 5, alpha = ALPHA, coverage = 0 } = {}) {
  const { network } = model;
  const memory = network.encode([...read(model, sentence).ids, STOP]);
  const most = limit(memory.reach.length);
  const ended = [];
  let live = [{ ids: [], total: 0, carried: network.start(memory), covered: memory.reach.map(() => 0) }];
  let places = width;
  for (let length = 1; length <= most && places; length += 1) {
    const best = compete(network, memory, live, places);
    const [done, going] = [best.filter(isDone), best.filter((prefix) => !isDone(prefix))];
    ended.push(...done.map((prefix) => hypothesisOf(prefix, "end")));
    places -= done.length;
    live = going;
  }
  const found = ended.length ? ended : live.map((prefix) => hypothesisOf(prefix, "limit"));
  return found.sort((one, other) => other.score - one.score);

  function hypothesisOf({ ids, total, covered }, stop) {
    const score = scoreOf({ alpha, coverage }, total, ids.length, coveragePenalty(covered, memory.reach));
    return { ids, logProbability: total, score, stop };
  }
}

const isDone = ({ ids }) => ids.at(-1) === STOP;

// The likeliest continuations of all prefixes.
function compete(network, memory, live, places) {
  const grown = live.flatMap((prefix) => {
    const carried = network.step(prefix.ids.at(-1) ?? START, prefix.carried, memory);
    const logits = network.logits(carried.attentional);
    const normaliser = Math.fround(logSumExp(logits));
    const covered = prefix.covered.map((weight, i) => weight + carried.weights[i]);
    return likeliest(logits, places, STOP).map((id) =>
      ({ ids: [...prefix.ids, id], total: prefix.total + logits[id] - normaliser, carried, covered }));
  });
  return grown.sort((one, other) => other.total - one.total).slice(0, places);
}
