"""Posterior attention as a value: where the decoder looked, inferred once the output word is known. Loads without
torch.

    p(i | y_t) = α_ti p(y_t | i) / Σ_j α_tj p(y_t | j)

After Shankar and Sarawagi (2019). `regard.model.word_alignment.posterior` computes it from a model,
`regard.model.reference.posterior` again in NumPy. It shows what the weights would be given the word produced; it is
never the attention itself.
"""

from dataclasses import dataclass, replace

from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import ROWS, Alignment
from regard.model.read_only import ReadOnly

AFTER = "posterior"
READ_AS = (*ROWS, AFTER)  # by the word that a row of weights belongs to, or by the posterior of the token produced


@dataclass(frozen=True, eq=False)
class Posterior(ReadOnly):
    """A row per target token, a column per source token; every row of `prior` and `posterior` sums to 1."""

    prior: Float[ndarray, "T S"]  # the attention weights of the trace
    likelihood: Float[ndarray, "T S"]  # of the token written, with all weight on one position
    posterior: Float[ndarray, "T S"]

    @property
    def product(self) -> Float[ndarray, "T S"]:
        """The prior times the likelihood."""
        return self.prior * self.likelihood

    @property
    def evidence(self) -> Float[ndarray, " T"]:
        """The sum of a row's products, its normaliser: the token's probability if one position were sampled."""
        return self.product.sum(1)

    def over(self, alignment: Alignment) -> Alignment:
        """Return the alignment with the posterior in place of the weights; its rows belong to the tokens produced."""
        return replace(alignment, weights=self.posterior)
