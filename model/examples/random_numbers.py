"""Long vectors made short by chance, so that worked examples fit on a page and begin with a model's own numbers."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from model.examples.example import Array, Example


def drawn(seed: int, *shapes: tuple[int, ...], greatest: float) -> tuple[Array, ...]:
    """An array of each shape, of numbers between −greatest and greatest, all equally likely, with one digit."""
    generator = np.random.default_rng(seed)
    return tuple(np.round(generator.uniform(-greatest, greatest, shape), 1) + 0.0 for shape in shapes)  # no −0


NUMBERS = 4  # that are left of each vector
Words = tuple[str, ...]


def projected(vectors: Float[ndarray, "N D"], seed: int) -> Float[ndarray, "N 4"]:
    """Each vector times one random matrix, with two digits after the point.

    The matrix has normal entries of variance 1/4, so that squared lengths stay what they were on average. What two
    vectors have in common stays visible, roughly; nothing about it was learned.
    """
    generator = np.random.default_rng(seed)
    matrix = generator.normal(size=(vectors.shape[1], NUMBERS)) / np.sqrt(NUMBERS)
    return np.round(vectors.astype(np.float64) @ matrix, 2) + 0.0  # no −0


def retold(example: Example, matrices: Mapping[str, Array], words: Mapping[Words, Words], source: str) -> Example:
    """The same example on these matrices; `words` says which labels stand in place of which, `source` whence all is."""
    return replace(
        example,
        source=source,
        givens=tuple(
            replace(
                given,
                values=matrices.get(given.name, given.values),
                rows=words.get(given.rows, given.rows),
                columns=words.get(given.columns, given.columns),
            )
            for given in example.givens
        ),
        steps=tuple(
            replace(step, rows=words.get(step.rows, step.rows), columns=words.get(step.columns, step.columns))
            for step in example.steps
        ),
    )
