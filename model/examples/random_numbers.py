"""Random numbers: matrices of worked examples, a model's own vectors made short enough for a page, and why products are
divided by √d.

Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, footnote 4:
entries of mean 0 and variance 1 give products of variance d, and with longer vectors the softmax saturates.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from model.examples.example import Array, Example
from model.reference.formulas import softmax


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


KEYS = 8
DRAWS = 400
SEED = 0


@dataclass(frozen=True)
class Saturation:
    """What random queries do among `KEYS` random keys of this many numbers, on average over `DRAWS` of them."""

    numbers: int
    spread: float  # the standard deviation of the products
    greatest: float  # of the weights, where the products are taken as they are
    greatest_divided: float  # and where they are divided by √d


@cache
def saturation(numbers: int) -> Saturation:
    """Measured on queries and keys whose entries are normal, of variance 1."""
    generator = np.random.default_rng(SEED)
    queries = generator.normal(size=(DRAWS, 1, numbers))
    keys = generator.normal(size=(DRAWS, KEYS, numbers))
    products = (queries * keys).sum(axis=-1)
    taken, divided = softmax(products), softmax(products / np.sqrt(numbers))
    return Saturation(
        numbers, float(products.std()), float(taken.max(axis=-1).mean()), float(divided.max(axis=-1).mean())
    )
