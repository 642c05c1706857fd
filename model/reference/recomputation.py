"""Recomputation: every number of one forward pass, as computed by `recompute`."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from regard.model.reference.formulas import NumpySteering


class RecomputedRun(NamedTuple):
    """The states of a recurrent cell after each item of a sequence."""

    states: Float[ndarray, "N H"]
    cells: Float[ndarray, "N C"]
    gates: Float[ndarray, "N G H"]


@dataclass(frozen=True, eq=False)
class Recomputation:
    """Every number of one forward pass, named as in `regard.model.trace.Trace`, and those a trace omits."""

    source_ids: Int[ndarray, " S"]
    target_ids: Int[ndarray, " T"]
    fed_ids: Int[ndarray, " T"]  # `<s>`, then every target token but the last
    embeddings: Float[ndarray, "S D"]  # of the source tokens
    fed_embeddings: Float[ndarray, "T D"]  # of the tokens fed in
    steering: NumpySteering  # a row for every step
    forwards: RecomputedRun  # the encoder reading from the left; row i belongs to source position i
    backwards: RecomputedRun  # the encoder reading from the right; row i is its state after position i
    annotations: Float[ndarray, "S E"]
    keys: Float[ndarray, "S Q"]
    initial_state: Float[ndarray, " H"]
    initial_cell: Float[ndarray, " C"]
    gates: Float[ndarray, "T G H"]
    states: Float[ndarray, "T H"]
    cells: Float[ndarray, "T C"]
    own_scores: Float[ndarray, "T S"]
    scores: Float[ndarray, "T S"]
    mask: Bool[ndarray, "T S"]
    weights: Float[ndarray, "T S"]
    contexts: Float[ndarray, "T E"]
    attentional: Float[ndarray, "T A"]
    logits: Float[ndarray, "T V"]
    log_normaliser: Float[ndarray, " T"]

    @property
    def initial_attentional(self) -> Float[ndarray, " A"]:
        """Return the zeros that input feeding gives the first step (Luong et al. 2015, section 3.3)."""
        return np.zeros_like(self.attentional[0])
