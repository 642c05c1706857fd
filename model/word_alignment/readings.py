"""Readings: ways to read links off a forced translation.

They use the weights, the posterior, or the posterior with jumps. Each reading gives a row per target word and a column
per source word, the last one for `</s>`; a link is a row's greatest entry. A row belongs to the word produced, the only
one that a posterior knows.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment, Posterior
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.word_alignment.detokenize import Joined, between, shares
from regard.model.word_alignment.posterior import posterior
from regard.model.word_alignment.posterior_hmm import log_emissions, smooth


def posterior_between(
    alignment: Alignment, posterior: Posterior, source: Joined, target: Joined
) -> Float[ndarray, "R C"]:
    """Return each token's posterior, summed over a source word's tokens, averaged over a target word's."""
    return between(posterior.over(alignment), source, target)


def smoothed_between(
    alignment: Alignment, posterior: Posterior, source: Joined, target: Joined
) -> Float[ndarray, "R C"]:
    """Return the posterior with jumps between source words. A target word without a token has a row of zeros."""
    steps, columns = shares(alignment.target, target), shares(alignment.source, source)
    smoothed = smooth(log_emissions(posterior, steps, columns)).posterior
    return np.where(steps.sum(0)[:, None] > 0, smoothed, 0)[:-1]


READINGS: dict[str, Callable[[Pretrained, Trace, Joined, Joined], Float[ndarray, "R C"]]] = {
    "weights": lambda model, trace, *sides: between(trace.alignment, *sides),
    "posterior": lambda model, trace, *sides: posterior_between(trace.alignment, posterior(model, trace), *sides),
    "posterior-hmm": lambda model, trace, *sides: smoothed_between(trace.alignment, posterior(model, trace), *sides),
}
