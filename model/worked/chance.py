"""Numbers drawn by chance, where nobody states any and nothing was trained. Whoever uses them tells the seed."""

import numpy as np

from model.worked.example import Array


def drawn(seed: int, *shapes: tuple[int, ...], greatest: float) -> tuple[Array, ...]:
    """An array of each shape, of numbers between −greatest and greatest, all equally likely, with one digit."""
    generator = np.random.default_rng(seed)
    return tuple(np.round(generator.uniform(-greatest, greatest, shape), 1) + 0.0 for shape in shapes)  # no −0
