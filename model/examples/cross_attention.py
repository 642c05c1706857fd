"""Luong's general score written with queries and keys: the decoder asks, the annotations answer.

e_ti = s_t · W h_i            one matrix between state and annotation: Luong et al. (2015), section 3.1
e_ti = (s_t W_Q) · (h_i W_K)  each side has its own: Vaswani et al. (2017), Attention Is All You Need, section 3.2

Vectors are rows, so the two are the same where W = W_Q W_Kᵀ. The values are new: Luong sums the annotations themselves.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Product, Softmax, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.random_numbers import drawn
from regard.model.reference.formulas import softmax

SEED = 1  # of the three matrices
GREATEST = 1.0
WORDS = ("I", "love", "you")
FRENCH = ("Je", "t'aime", ".")


def decoder_asks(
    states: Float[ndarray, "T D"],
    H: Float[ndarray, "S D"],
    W_Q: Float[ndarray, "D K"],
    W_K: Float[ndarray, "D K"],
    W_V: Float[ndarray, "D V"],
) -> Values:
    W = W_Q @ W_K.T
    folded = states @ W
    general_scores = folded @ H.T
    Q = states @ W_Q
    K = H @ W_K
    scores = Q @ K.T
    weights = softmax(scores)
    V = H @ W_V
    contexts = weights @ V
    return locals()


W_Q, W_K, W_V = drawn(SEED, (4, 2), (4, 2), (4, 3), greatest=GREATEST)
CROSS_ATTENTION = Example(
    name="cross-attention",
    title="The decoder asks the sentence",
    text="Luong's general score first, then the same scores as queries times keys.",
    source="Luong et al. (2015); Vaswani et al. (2017), Attention Is All You Need; W_Q, W_K and W_V are drawn at "
    f"random with seed {SEED}",
    function=decoder_asks,
    sizes={
        "T": "steps of the decoder",
        "S": "source words",
        "D": "numbers in a state and in an annotation",
        "K": "numbers in a query and in a key",
        "V": "numbers in a value",
    },
    givens=(
        Given(
            "states", "S", "The decoder's states, a row for each step.",
            np.array([[0.6, -0.4, 0.5, 0.1], [0.2, 0.7, -0.3, 0.4], [-0.5, 0.3, 0.1, 0.8]]), ("T", "D"), FRENCH,
        ),
        Given(
            "H", "H", "The annotations, a row for each source word.",
            np.array([[0.3, 0.7, -0.2, 0.4], [0.5, 0.4, 0.6, -0.1], [0.2, -0.3, 0.8, 0.5]]), ("S", "D"), WORDS,
        ),
        Given("W_Q", "W_Q", "Makes queries of the states.", W_Q, ("D", "K")),
        Given("W_K", "W_K", "Makes keys of the annotations.", W_K, ("D", "K")),
        Given("W_V", "W_V", "Makes values of the annotations.", W_V, ("D", "V")),
    ),
    steps=(
        Step("W", "W", r"W_Q W_K^\top", "Both matrices folded into one: the W of a general score.",
             Product("W_Q", "W_K", transposed=True)),
        Step("folded", "S W", "S W", "Luong: every state times this W.", Product("states", "W"), rows=FRENCH),
        Step("general_scores", r"e_{\text{general}}", r"S W H^\top", "Luong: that, compared with every annotation.",
             Product("folded", "H", transposed=True), rows=FRENCH, columns=WORDS),
        Step("Q", "Q", "S W_Q", "Transformer: every state becomes a query, what it asks for.",
             Product("states", "W_Q"), rows=FRENCH),
        Step("K", "K", "H W_K", "Transformer: every annotation becomes a key, what it can be found by.",
             Product("H", "W_K"), rows=WORDS),
        Step("scores", "e", r"Q K^\top", "Transformer: every query times every key. They are Luong's scores.",
             Product("Q", "K", transposed=True), rows=FRENCH, columns=WORDS),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e)", "The softmax of every row, as before.", Softmax("scores"),
             rows=FRENCH, columns=WORDS),
        Step("V", "V", "H W_V", "Every annotation becomes a value, what it gives when it is found.",
             Product("H", "W_V"), rows=WORDS),
        Step("contexts", "C", r"\alpha V", "The values added up, each as much as its weight says.",
             Product("weights", "V"), rows=FRENCH),
    ),
    notes=(
        "As stated, W is 4 × 4 and folded from two matrices of 4 × 2, so it cannot be every W: its rank is 2 at most. "
        "That is what queries and keys of few numbers give up for being cheap.",
        "Luong has no W_V: there the annotations themselves are added up.",
    ),
)  # fmt: skip
