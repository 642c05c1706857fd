"""Weight trace: the weights and log-probabilities of a translation, without the vectors behind them."""

from dataclasses import dataclass, replace

from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import AlignedTokens, Alignment
from regard.model.read_only import ReadOnly
from regard.model.trace import AnyTrace, Maker


@dataclass(frozen=True, eq=False, repr=False)
class WeightTrace(ReadOnly, AlignedTokens):
    """The part of a trace that is kept when there are many. Arrays are read-only; logarithms are natural."""

    maker: Maker
    alignment: Alignment
    stop: str  # "end", "limit" or "forced", as in a trace
    log_probabilities: Float[ndarray, " T"]  # of the target tokens, each given those before it

    @classmethod
    def of(cls, trace: AnyTrace) -> "WeightTrace":
        """Extract the weight trace from a whole trace; its maker has no axes, which are of vectors."""
        return cls(replace(trace.maker, axes={}), trace.alignment, trace.stop, trace.log_probabilities)

    def __repr__(self) -> str:
        return f"<WeightTrace {self.alignment.source.text!r} → {self.text!r}, model: {self.maker.name}>"

    @property
    def weights(self) -> Float[ndarray, "T S"]:
        """A row for each target token, a column for each source token; rows sum to 1, or to 0 if every head is off."""
        return self.alignment.weights
