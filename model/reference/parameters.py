"""Parameters of a model as NumPy sees them, by their names in the file, and what its config chose."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Float
from numpy import ndarray


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of a model, all of one type, by their names in the file, and the choices of its config."""

    arrays: Mapping[str, Float[ndarray, "..."]]
    score: str
    wiring: str
    cell: str
    input_feeding: bool
    initial_state: str

    def __getitem__(self, name: str) -> Float[ndarray, "..."]:
        return self.arrays[name]


class Sums(NamedTuple):
    """The parameters of a recurrent cell: W x + b is given by its input, U h + d is kept from its state."""

    W: Float[ndarray, "N X"]
    U: Float[ndarray, "N H"]
    b: Float[ndarray, " N"]
    d: Float[ndarray, " N"]

    @staticmethod
    def of(parameters: Parameters, name: str) -> "Sums":
        """Those of `encoder.forwards`, `encoder.backwards` or `decoder.cell`."""
        return Sums(*(parameters[f"{name}.rnn.{part}_l0"] for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")))
