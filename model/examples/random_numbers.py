"""Random numbers: matrices of worked examples, and why products are divided by √d.

Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, footnote 4:
entries of mean 0 and variance 1 give products of variance d, and with longer vectors the softmax saturates.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from regard.model.examples.example import Array
from regard.model.reference.formulas import softmax


def drawn(seed: int, *shapes: tuple[int, ...], greatest: float) -> tuple[Array, ...]:
    """Return an array of each shape, of uniform numbers from −greatest to greatest, with one decimal."""
    generator = np.random.default_rng(seed)
    return tuple(np.round(generator.uniform(-greatest, greatest, shape), 1) + 0.0 for shape in shapes)  # no −0


KEYS = 8
DRAWS = 400
SEED = 0


@dataclass(frozen=True)
class Saturation:
    """The effect of random queries on `KEYS` random keys of this size, on average over `DRAWS` of them."""

    numbers: int
    spread: float  # the standard deviation of the products
    greatest: float  # mean greatest weight, with the products as they are
    greatest_divided: float  # and with the products divided by √d


@cache
def saturation(numbers: int) -> Saturation:
    """Measure queries and keys with normal entries of variance 1."""
    generator = np.random.default_rng(SEED)
    queries = generator.normal(size=(DRAWS, 1, numbers))
    keys = generator.normal(size=(DRAWS, KEYS, numbers))
    products = (queries * keys).sum(axis=-1)
    taken, divided = softmax(products), softmax(products / np.sqrt(numbers))
    return Saturation(
        numbers, float(products.std()), float(taken.max(axis=-1).mean()), float(divided.max(axis=-1).mean())
    )
