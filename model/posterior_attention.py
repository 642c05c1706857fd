"""Posterior attention, its values: where the decoder looked, asked after the word is known.  It loads without torch.

    p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)

After Shankar and Sarawagi (2019). `regard.model.word_alignment.posterior` reads it off a model,
`regard.model.reference.posterior` once more in NumPy. It is what the weights would be if they were asked after the
fact, never the attention itself.
"""

from dataclasses import dataclass, replace

from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import ROWS, Alignment
from regard.model.read_only import freeze

AFTER = "posterior"
READ_AS = (*ROWS, AFTER)  # a row of weights, whosever it is, or the posterior of the token produced


@dataclass(frozen=True, eq=False)
class Posterior:
    """A row for each target token, a column for each source token; every row of `prior` and `posterior` sums to 1."""

    prior: Float[ndarray, "T S"]  # the attention weights of the trace
    likelihood: Float[ndarray, "T S"]  # of the token written, all weight on one position
    posterior: Float[ndarray, "T S"]

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def product(self) -> Float[ndarray, "T S"]:
        """Prior times likelihood."""
        return self.prior * self.likelihood

    @property
    def evidence(self) -> Float[ndarray, " T"]:
        """The sum of the products of a row, which divides them: the token's probability if one position were drawn."""
        return self.product.sum(1)

    def over(self, alignment: Alignment) -> Alignment:
        """The same words with the posterior in place of the weights; its rows are those of what was produced."""
        return replace(alignment, weights=self.posterior)
