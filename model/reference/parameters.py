"""Parameters of a model as NumPy arrays, by their names in the file, and its configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Float
from numpy import ndarray


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of a model, all of one type, by their names in the file, and its configuration."""

    arrays: Mapping[str, Float[ndarray, "..."]]
    score: str
    wiring: str
    cell: str
    input_feeding: bool
    initial_state: str

    def __getitem__(self, name: str) -> Float[ndarray, "..."]:
        return self.arrays[name]


class Sums(NamedTuple):
    """The parameters of a recurrent cell: its input gives W x + b, its state U h + d."""

    W: Float[ndarray, "N X"]
    U: Float[ndarray, "N H"]
    b: Float[ndarray, " N"]
    d: Float[ndarray, " N"]

    @staticmethod
    def of(parameters: Parameters, name: str) -> "Sums":
        """Return the parameters of `encoder.forwards`, `encoder.backwards` or `decoder.cell`."""
        return Sums(*(parameters[f"{name}.rnn.{part}_l0"] for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")))
