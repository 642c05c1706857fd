"""Scores that are hidden before the softmax: what comes later, and what is only padding.

Vaswani et al. (2017), Attention Is All You Need, section 3.2.3: a hidden score is −∞, and e to the power of that is 0.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from model.examples.entries import Masked, Product, Softmax, Values
from model.examples.example import Example, Given, Step
from model.examples.self_attention import CONTEXTS, DIVISOR, MATRICES, PROJECTIONS, SIZES, SOURCE, WORDS, X
from model.reference.formulas import softmax


def masked_attention(
    X: Float[ndarray, "S D"],
    W_Q: Float[ndarray, "D K"],
    W_K: Float[ndarray, "D K"],
    W_V: Float[ndarray, "D V"],
    divisor: Float[ndarray, ""],
    mask: Float[ndarray, "S S"],
) -> Values:
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    scores = Q @ K.T / divisor
    masked = np.where(mask, scores, -np.inf)
    weights = softmax(masked)
    contexts = weights @ V
    return locals()


def causal(count: int) -> Float[ndarray, "S S"]:
    """No position sees what comes after it."""
    return np.tril(np.ones((count, count)))


def padding(real: Sequence[bool]) -> Float[ndarray, "S S"]:
    """No position sees one that is not real."""
    return np.tile(np.array(real, dtype=np.float64), (len(real), 1))


MASKED = Example(
    name="masked",
    title="What may not be seen",
    text="Self-attention in which some scores are hidden before the softmax.",
    source=SOURCE,
    function=masked_attention,
    sizes=SIZES,
    givens=(
        X,
        *MATRICES,
        DIVISOR,
        Given(
            "mask", "M", "1 where a row may look, 0 where it may not. A row needs something to look at.",
            causal(len(WORDS)), ("S", "S"), WORDS, WORDS, mask=True,
        ),
    ),
    steps=(
        *PROJECTIONS,
        Step("scores", "e", r"Q K^\top / r", "Every query is compared with every key, as if nothing were hidden.",
             Product("Q", "K", transposed=True, over="divisor"), rows=WORDS, columns=WORDS),
        Step("masked", "e'", r"e \text{ where } M = 1", "A score that may not be seen becomes −∞.",
             Masked("scores", "mask"), rows=WORDS, columns=WORDS),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e')",
             "e to the power of −∞ is 0: what is hidden gets exactly nothing, and the rest still adds up to 1.",
             Softmax("masked"), rows=WORDS, columns=WORDS),
        CONTEXTS,
    ),
)  # fmt: skip
