"""Posterior attention with jumps: a hidden Markov model over source words.  Vogel, Ney and Tillmann (1996).

    p(a | y) ∝ Π_r p(a_r | a_{r-1}) e_r(a_r)            e_r(w) = Π_{t in word r} √α_tw p(y_t | w)
    p(a_r = w | a_{r-1} = v) = (1 − p₀) exp(−λ min(|w − v − 1|, 6)) / Σ_w' exp(...)        p(a_r = ∅ | v) = p₀

Target word r comes from source word a_r, and the next one most likely from the word after it: each word by which a jump
misses it costs λ, up to six words. `</s>` is the null state ∅; a jump from there is counted from the last word before
it, following Och and Ney (2003), as does p₀ = 0.2. λ is the value that makes Tatoeba's validation pairs likeliest,
which have no hand-made links (`regard.model.word_alignment.jump_penalty`).

The evidence of a step is prior times likelihood as in `regard.model.word_alignment.posterior`, for a word in place of a
token,

    α_tw = Σ_{i in w} α_ti                p(y_t | w) = Σ_{i in w} α_ti p(y_t | i) / α_tw

but with the square root of the weight, because weights carry some knowledge of word order, which jumps already express.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment, Posterior, WordWeights
from regard.model.input_error import InputError

FARTHEST = 6  # words beyond which a longer jump costs no more
GREATEST_PENALTY = 50.0  # beyond it e^−6λ underflows
LEAST = float(np.finfo(np.float64).tiny)  # replaces 0, so that every sentence has an explanation


@dataclass(frozen=True)
class Jumps:
    """The probabilities of jumps between source words. InputError names a number that is not accepted."""

    penalty: float = 1.75  # λ
    null: float = 0.2  # p₀

    def __post_init__(self) -> None:
        if not 0 <= self.penalty <= GREATEST_PENALTY:
            raise InputError(f"penalty is {self.penalty}; accepted is a number from 0 to {GREATEST_PENALTY:g}")
        if not 0 < self.null < 1:
            raise InputError(f"null is {self.null}; accepted is a number between 0 and 1")

    def probabilities(self, words: int) -> Float[ndarray, "V W"]:
        """Return jump probabilities; row v starts at word v − 1, row 0 before the first; rows sum to 1 − p₀."""
        before, after = np.arange(-1, words)[:, None], np.arange(words)[None]
        powers = np.exp(-self.penalty * np.minimum(abs(after - before - 1), FARTHEST))
        return (1 - self.null) * powers / powers.sum(1, keepdims=True)


JUMPS = Jumps()


@dataclass(frozen=True, eq=False)
class Smoothed:
    """The result of a forward and a backward pass."""

    posterior: Float[ndarray, "R C"]  # p(a_r = w | y), a row per target word; the last column is the null state
    log_evidence: float  # log Σ_a Π_r p(a_r | a_{r-1}) e_r(a_r)


def by_words(alignment: Alignment, attention: Posterior) -> WordWeights:
    """Return the posterior between the words of a trace, `</s>` included; a row is the word produced."""
    source, target = alignment.source, alignment.target
    posterior = smooth(own_emissions(alignment, attention)).posterior
    return WordWeights(target.words, source.words, posterior, target.word_of)


def own_emissions(alignment: Alignment, posterior: Posterior) -> Float[ndarray, "R C"]:
    """Return log e between the words of a trace."""
    steps, columns = (np.eye(len(side.words))[list(side.word_of)] for side in (alignment.target, alignment.source))
    return log_emissions(posterior, steps, columns)


def log_emissions(
    posterior: Posterior, steps: Float[ndarray, "T R"], columns: Float[ndarray, "S C"]
) -> Float[ndarray, "R C"]:
    """Return log e. `steps` and `columns` give each token's share in each word; the last column is `</s>`. A target
    word without a token has zeros, which carry no evidence."""
    product, weight = (np.maximum(values @ columns, LEAST) for values in (posterior.product, posterior.prior))
    return steps.T @ (np.log(product) - np.log(weight) / 2)


def smooth(log_emissions: Float[ndarray, "R C"], jumps: Jumps = JUMPS) -> Smoothed:
    """Run forward-backward, scaling each row to 1. The chain has two states for each place v: at word v, or at the null
    state since word v."""
    greatest = log_emissions.max(1, keepdims=True)
    emissions = np.exp(log_emissions - greatest)
    moves = jumps.probabilities(emissions.shape[1] - 1)
    at_word, at_null, scales = _forward(emissions, moves, jumps.null)
    ahead = _backward(emissions, moves, jumps.null, scales)
    posterior = np.column_stack([(at_word * ahead)[:, 1:], (at_null * ahead).sum(1)])
    return Smoothed(posterior, float(np.log(scales).sum() + greatest.sum()))


def _forward(
    emissions: Float[ndarray, "R C"], moves: Float[ndarray, "V W"], null: float
) -> tuple[Float[ndarray, "R V"], Float[ndarray, "R V"], Float[ndarray, " R"]]:
    """Return p(place, at the word) and p(place, at the null state), given the rows so far, and p(row | rows before)."""
    rows, places = len(emissions), len(moves)
    at_word, at_null, scales = np.zeros((rows, places)), np.zeros((rows, places)), np.zeros(rows)
    place = np.eye(places)[0]  # before the first word
    for row, emission in enumerate(emissions):
        reached, stayed = (place @ moves) * emission[:-1], null * place * emission[-1]
        scales[row] = reached.sum() + stayed.sum()
        at_word[row, 1:], at_null[row] = reached / scales[row], stayed / scales[row]
        place = at_word[row] + at_null[row]
    return at_word, at_null, scales


def _backward(
    emissions: Float[ndarray, "R C"], moves: Float[ndarray, "V W"], null: float, scales: Float[ndarray, " R"]
) -> Float[ndarray, "R V"]:
    """Return p(rows after | place), divided by the same scales; 1 after the last row."""
    ahead = np.ones((len(emissions), len(moves)))
    for row in reversed(range(1, len(emissions))):
        emission, later = emissions[row], ahead[row]
        ahead[row - 1] = (moves @ (emission[:-1] * later[1:]) + null * emission[-1] * later) / scales[row]
    return ahead
