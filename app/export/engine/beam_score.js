// Beam score: which of several translations is the best? Wu et al. (2016), section 7, equation 14.
//
//     s(Y, X) = log P(Y | X) / lp(Y) + cp(X; Y)
//     lp(Y)   = (5 + |Y|)^α / (5 + 1)^α              length penalty: α = 0 compares plain log-probabilities
//     cp(X; Y) = β Σ_i log(min(Σ_t α_ti, 1))         coverage penalty: β = 0 leaves it out
//
// The twin of model/decoding/beam_tree.py.

export const ALPHA = 0.6; // default length normalisation
const LEAST = 1e-6; // attention to a source token, at least, because log 0 would rule a translation out

const lengthPenalty = (length, alpha) => ((5 + length) / 6) ** alpha;

export const coveragePenalty = (covered, reach) => covered.reduce((sum, weight, i) =>
  (reach[i] ? sum + Math.log(Math.min(1, Math.max(LEAST, weight))) : sum), 0);

export const scoreOf = ({ alpha, coverage }, logProbability, length, covering) =>
  logProbability / lengthPenalty(length, alpha) + coverage * covering;
