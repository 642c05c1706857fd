"""Length normalisation and coverage penalty: which translation is best? Wu et al. (2016), section 7, equation 14.

    s(Y, X) = log P(Y | X) / lp(Y) + cp(X; Y)
    lp(Y)   = (5 + |Y|)^α / (5 + 1)^α              length penalty: α = 0 compares plain log-probabilities
    cp(X; Y) = β Σ_i log(min(Σ_t α_ti, 1))         coverage penalty: β = 0 leaves it out

|Y| counts `</s>`. Position i runs over the source tokens that the model may attend to, `</s>` included: a masked one
can never be covered. A source token's total weight counts as `LEAST` at the minimum, because log 0 would exclude the
translation whatever its other terms.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.model.input_error import InputError

ALPHA = 0.6  # default length normalisation
WIDEST = 100
STRONGEST = 2.0  # for either penalty; Wu et al. try 0 to 1
LEAST = 1e-6  # least attention counted for a source token


@dataclass(frozen=True)
class BeamSettings:
    """The settings of a beam search. Raises InputError naming the one that is out of range."""

    width: int = 5
    alpha: float = ALPHA  # α, length normalisation
    coverage: float = 0.0  # β, coverage penalty

    def __post_init__(self) -> None:
        if not 1 <= self.width <= WIDEST:
            raise InputError(f"the width of the beam is {self.width}; it must be from 1 to {WIDEST}")
        if not 0 <= self.alpha <= STRONGEST:
            raise InputError(f"alpha, the length normalisation, is {self.alpha}; it must be from 0 to {STRONGEST:g}")
        if not 0 <= self.coverage <= STRONGEST:
            raise InputError(f"the coverage penalty is {self.coverage}; it must be from 0 to {STRONGEST:g}")

    def score(
        self, log_probability: Float[ndarray, "*#N"] | float, length: int, covering: Float[ndarray, "*#N"] | float
    ) -> Float[ndarray, "*#N"]:
        """Return s(Y, X) for translations of one length; `covering` is each one's `coverage_penalty`, without β."""
        normalised = np.asarray(log_probability) / length_penalty(length, self.alpha)
        return np.asarray(normalised + self.coverage * np.asarray(covering))


def length_penalty(length: int, alpha: float = ALPHA) -> float:
    return ((5 + length) / 6) ** alpha


def coverage_penalty(covered: Float[ndarray, "*N S"], reach: Bool[ndarray, " S"]) -> Float[ndarray, "*N"]:
    """Return cp(X; Y) for β = 1; `covered` is Σ_t α_ti for each source token, `reach` where the model may attend."""
    return np.asarray(np.log(np.clip(covered[..., reach].astype(np.float64), LEAST, 1)).sum(-1))
