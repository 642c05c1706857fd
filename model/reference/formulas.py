"""Formulas of the network as NumPy functions: reading a model, recurrent cells, softmax and steering.

They are those of `regard.model.cells` and `regard.model.attention`, for one sentence without a
batch. A cell takes the two halves of its sums, from the input (W x + b) and from the state (U h + d), so that the first
can be computed for a whole sentence at once.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray
from safetensors import SafetensorError
from safetensors.numpy import load_file


def read_files(folder: Path, dtype: type[np.floating]) -> tuple[dict[str, Any], dict[str, Float[ndarray, "..."]]]:
    """Read `config.json` and `model.safetensors`, whose arrays become `dtype`."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return config, {name: array.astype(dtype) for name, array in load_file(folder / "model.safetensors").items()}


UNREADABLE = (OSError, ValueError, KeyError, TypeError, SafetensorError)  # errors of a folder that is no model
START = 1  # the id of `<s>`, fed in at the first step


class NumpyRecurrent(NamedTuple):
    """The values a cell carries from step to step; a GRU's cell state has no components."""

    state: Float[ndarray, " H"]
    cell: Float[ndarray, " C"]


def sigmoid(sums: Float[ndarray, "*N"]) -> Float[ndarray, "*N"]:
    """Return 1 / (1 + e^−x), without overflow on either side."""
    small = np.exp(-np.abs(sums))
    return np.where(sums >= 0, 1, small) / (1 + small)


def softmax(scores: Float[ndarray, "*N S"], mask: Bool[ndarray, "*N S"] | bool = True) -> Float[ndarray, "*N S"]:
    """Return the softmax over the positions of each row that the mask allows; exactly 0 elsewhere."""
    allowed = np.where(mask, scores, -np.inf)
    powers = np.exp(allowed - allowed.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def surprisal(weights: Float[ndarray, " N"]) -> Float[ndarray, " N"]:
    """Return −log₂ α of weights above 0, in bits; their mean, weighed by the weights themselves, is the entropy."""
    return 0 - np.log(weights) / np.log(2)  # never −0.0


def log_sum_exp(logits: Float[ndarray, "T V"]) -> Float[ndarray, " T"]:
    """Return log Σ exp(logit) of each row."""
    highest = logits.max(axis=1)
    return highest + np.log(np.exp(logits - highest[:, None]).sum(axis=1))


def lstm(
    given: Float[ndarray, " N"], kept: Float[ndarray, " N"], before: NumpyRecurrent
) -> tuple[NumpyRecurrent, Float[ndarray, "4 H"]]:
    """Take one LSTM step; gates are in the order input, forget, candidate, output."""
    sums = (given + kept).reshape(4, -1)
    gates = sigmoid(sums)
    gates[2] = np.tanh(sums[2])
    enter, forget, candidate, output = gates
    cell = forget * before.cell + enter * candidate
    return NumpyRecurrent(output * np.tanh(cell), cell), gates


def gru(
    given: Float[ndarray, " N"], kept: Float[ndarray, " N"], before: NumpyRecurrent
) -> tuple[NumpyRecurrent, Float[ndarray, "3 H"]]:
    """Take one GRU step; gates are in the order reset, update, candidate."""
    given, kept = given.reshape(3, -1), kept.reshape(3, -1)
    reset, update = sigmoid(given[:2] + kept[:2])
    candidate = np.tanh(given[2] + reset * kept[2])
    state = (1 - update) * candidate + update * before.state
    return NumpyRecurrent(state, before.cell), np.stack([reset, update, candidate])


class CellFormula(NamedTuple):
    step: Callable[..., tuple[NumpyRecurrent, Float[ndarray, "G H"]]]
    remembers: bool  # true if it has a cell state beside its state

    def rest(self, state: Float[ndarray, " H"]) -> NumpyRecurrent:
        """Return this state with an empty or zero cell state."""
        return NumpyRecurrent(state, np.zeros_like(state if self.remembers else state[:0]))


CELLS = {"lstm": CellFormula(lstm, remembers=True), "gru": CellFormula(gru, remembers=False)}


@dataclass(frozen=True, eq=False)
class NumpySteering:
    """A person's changes to attention, as in `regard.model.attention`; a row per decoder step, or one for all steps."""

    bonus: Float[ndarray, "#T #S"]  # added to the scores
    temperature: Float[ndarray, "#T 1"]  # divides the scores; above 0
    hidden: Bool[ndarray, "#T #S"]  # positions masked
    weights: Float[ndarray, "#T #S"]  # replace the softmax...
    replaced: Bool[ndarray, "#T 1"]  # ...where this is true
    vectors: Mapping[tuple[str, int], Float[ndarray, " N"]] = field(default_factory=dict)  # by name and place

    def vector(self, name: str, step: int, own: Float[ndarray, " N"]) -> Float[ndarray, " N"]:
        """Return the replacement of a step's vector, if there is one."""
        return self.vectors.get((name, step), own).astype(own.dtype)

    def annotations(self, own: Float[ndarray, "S E"]) -> Float[ndarray, "S E"]:
        """Return the annotations that the decoder gets."""
        return np.stack([self.vector("annotation", position, row) for position, row in enumerate(own)])

    @staticmethod
    def none() -> "NumpySteering":
        no, zero = np.zeros((1, 1), dtype=bool), np.zeros((1, 1))
        return NumpySteering(zero, np.ones((1, 1)), no, zero, no)

    def rows(self, steps: int, positions: int, dtype: np.dtype) -> "NumpySteering":
        """Return the steering with a row for every step. Raises InputError for other shapes."""
        full = {}
        for name in ("bonus", "temperature", "hidden", "weights", "replaced"):
            array = getattr(self, name)
            shape = (steps, 1 if name in ("temperature", "replaced") else positions)
            full[name] = np.broadcast_to(array if array.dtype == bool else array.astype(dtype), shape)
        return NumpySteering(**full, vectors=self.vectors)


NO_STEERING = NumpySteering.none()


class NumpyHeadChange(NamedTuple):
    """Weights that a person sets for one head of a Transformer, as in `regard.model.attention`; zeros switch it off.
    `mixed` replaces the head's output z in one row."""

    attention: str  # "encoder", "decoder" or "cross"
    layer: int
    head: int
    weights: Float[ndarray, "#T #S"]  # replace the softmax...
    replaced: Bool[ndarray, "#T 1"]  # ...where this is true
    mixed: tuple[int, Float[ndarray, " Q"]] | None = None

    @staticmethod
    def mixing(attention: str, layer: int, head: int, row: int, values: Sequence[float]) -> "NumpyHeadChange":
        """Return the change of one row of a head's output, with its weights unchanged."""
        no = np.zeros((1, 1))
        return NumpyHeadChange(attention, layer, head, no, no.astype(bool), (row, np.array(values)))


class NumpyAttended(NamedTuple):
    """The result of attending to the source once."""

    own_scores: Float[ndarray, " S"]
    scores: Float[ndarray, " S"]
    mask: Bool[ndarray, " S"]
    weights: Float[ndarray, " S"]
    contexts: Float[ndarray, " E"]


def look(
    own: Float[ndarray, " S"],
    reach: Bool[ndarray, " S"],
    annotations: Float[ndarray, "S E"],
    changes: NumpySteering,
    at: int,
) -> NumpyAttended:
    """Turn scores into weights and weights into a context; `changes` has a row per step, of which `at` is used."""
    scores, mask = (own + changes.bonus[at]) / changes.temperature[at], reach & ~changes.hidden[at]
    weights = changes.weights[at] if changes.replaced[at].all() else softmax(scores, mask)
    return NumpyAttended(own, scores, mask, weights, changes.vector("context", at, weights @ annotations))
