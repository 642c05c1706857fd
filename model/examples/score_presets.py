"""Changes of what is given: all scores equal, one huge, all negative, a query of zeros, or scores divided by √d.

If a score is a product, e_i = h_i · u, the annotations are moved as little as possible to give the wanted scores: h_i'
= h_i + (wanted_i − e_i) u / (u · u).
"""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.example import Array, Example
from regard.model.examples.operations import Product, Softmax, grid
from regard.model.input_error import InputError

ANNOTATIONS = "H"  # the examples' name of the matrix attended to
QUERIES = ("q", "s", "previous")  # and of the asking vector
DIVISOR = "divisor"  # and of the scores' divisor
DIGITS = 6  # decimals of a number that was moved
SMALL = 1e-9  # squared length below which u counts as 0
HUGE = 20.0  # of a score above the next one
BELOW = 5.0  # 0, of the highest of the negative scores

Matrices = Mapping[str, Array]
Scores = Float[ndarray, " S"]


@dataclass(frozen=True, eq=False)
class ScorePreset:
    """A preset; `text` describes its effect and what to look at. `wanted` returns the scores that it makes; without it,
    the scores are divided by √d, or the query is set to zeros."""

    name: str
    title: str
    text: str
    wanted: Callable[[Scores], Scores] | None = None

    def change(self, example: Example, matrices: Matrices) -> dict[str, Array]:
        """Return the matrices with this preset. Raises InputError if it is impossible with them."""
        before = scores(example, matrices)
        if self.name == "scaled":
            return {**matrices, DIVISOR: np.array(scaling(example, matrices))}
        if self.wanted:
            direction = _direction(example, matrices)
            moved = np.outer(self.wanted(before) - before, direction) / (direction @ direction)
            return {**matrices, ANNOTATIONS: np.round(matrices[ANNOTATIONS] + moved, DIGITS)}
        query = next((name for name in QUERIES if name in matrices), "")
        if not query:
            raise InputError(f"{example.name} has no query among what is given")
        changed = {**matrices, query: np.zeros_like(matrices[query])}
        if scores(example, changed).any():
            raise InputError("the scores do not depend on the query alone")
        return changed


def _huge(values: Scores) -> Scores:
    return np.where(np.arange(len(values)) == values.argmax(), np.sort(values)[-2:][0] + HUGE, values)


def presets(example: Example) -> tuple[ScorePreset, ...]:
    """Return the presets that this example allows, tried on its own matrices."""
    offered = []
    for preset in PRESETS.values():
        with suppress(InputError):
            preset.change(example, example.matrices())
            offered.append(preset)
    return tuple(offered)


def scores(example: Example, matrices: Matrices) -> Scores:
    """Return the input of the first softmax. Raises InputError unless it is a vector with a score per annotation."""
    name = next((step.operation.parts[0] for step in example.steps if isinstance(step.operation, Softmax)), "")
    annotations = matrices.get(ANNOTATIONS)
    values = example.run(matrices).get(name)
    if annotations is None or values is None or values.shape != annotations.shape[:1]:
        raise InputError(f"{example.name} has no vector of scores for {ANNOTATIONS}")
    return values


def scaling(example: Example, matrices: Matrices) -> float:
    """Return the Transformer's √d, where d numbers are multiplied and added per score. Raises InputError if nothing is
    divided."""
    products = (step.operation for step in example.steps if isinstance(step.operation, Product))
    for product in products:
        if product.over == DIVISOR:
            return round(math.sqrt(grid(example.run(matrices)[product.left]).shape[1]), DIGITS)
    raise InputError(f"{example.name} divides no scores")


def _direction(example: Example, matrices: Matrices) -> Float[ndarray, " E"]:
    """Return u of e_i = h_i · u. Raises InputError if the score is not such a product, or u is 0."""
    annotations = matrices[ANNOTATIONS]
    alike = [np.tile(unit, (len(annotations), 1)) for unit in np.eye(annotations.shape[1])]
    direction = np.array([scores(example, {**matrices, ANNOTATIONS: rows})[0] for rows in alike])
    if not np.allclose(annotations @ direction, scores(example, matrices)):
        raise InputError("the score is not a product")
    if direction @ direction < SMALL:
        raise InputError("the query comes to nothing, so no annotation can change a score")
    return direction


PRESETS = {
    preset.name: preset
    for preset in (
        ScorePreset(
            "equal",
            "Equal scores",
            "Every annotation was moved, as little as possible, until all scores that enter the first softmax were the "
            "same. Look at the weights: each word gets the same share, and their context is the plain mean.",
            lambda values: np.full_like(values, values.mean()),
        ),
        ScorePreset(
            "huge",
            "One huge score",
            f"One annotation was moved until its score stood {HUGE:.0f} above the next. Look at the weights of the "
            "first softmax: it is saturated. One is almost 1, the others almost 0; their context is that annotation.",
            _huge,
        ),
        ScorePreset(
            "negative",
            "Negative scores",
            f"The annotations were moved until the scores of the first softmax were at most −{BELOW:.0f}, each shifted "
            "by the same number. Look at the weights: they are what they were. Only how far apart scores are counts.",
            lambda values: values - values.max() - BELOW,
        ),
        ScorePreset(
            "zero",
            "Zero query",
            "The query is all zeros. Look at the scores: one that is a product is 0 now, whatever the annotation, so "
            "the weights are all the same and the context is the plain mean.",
        ),
        ScorePreset(
            "scaled",
            "Divided by √d",
            "The scores are divided by √d, where d numbers are multiplied and added in each: the Transformer's "
            "scaling. Look at the weights: the larger d, the closer they are.",
        ),
    )
}
