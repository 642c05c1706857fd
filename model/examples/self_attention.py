"""A sentence asks itself: queries, keys and values of the same words, and why their products are divided by √d.

Vaswani et al. (2017), Attention Is All You Need, section 3.2.1, equation 1:
Attention(Q, K, V) = softmax(Q Kᵀ / √d) V
Section 3.2.3: a hidden score is −∞, and e to the power of that is 0.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Masked, Product, Softmax, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.luong_general import X as EMBEDDINGS
from regard.model.examples.random_numbers import drawn
from regard.model.reference.formulas import softmax

SEED = 2  # of the three matrices
GREATEST = 1.0


def asks_itself(
    X: Float[ndarray, "S D"], W_Q: Float[ndarray, "D K"], W_K: Float[ndarray, "D K"], W_V: Float[ndarray, "D V"]
) -> Values:
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    scores = Q @ K.T
    weights = softmax(scores)
    contexts = weights @ V
    return locals()


def scaled(
    X: Float[ndarray, "S D"],
    W_Q: Float[ndarray, "D K"],
    W_K: Float[ndarray, "D K"],
    W_V: Float[ndarray, "D V"],
    divisor: Float[ndarray, ""],
) -> Values:
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    products = Q @ K.T
    sharp = softmax(products)
    scores = Q @ K.T / divisor
    weights = softmax(scores)
    contexts = weights @ V
    return locals()


WORDS = EMBEDDINGS.rows
SOURCE = (
    "Vaswani et al. (2017), Attention Is All You Need, section 3.2; X is that of the tutorial on “I love you”, and "
    f"W_Q, W_K and W_V are drawn at random with seed {SEED}"
)
SIZES = {
    "S": "words",
    "D": "numbers in a word's vector",
    "K": "numbers in a query and in a key",
    "V": "numbers in a value",
}
DRAWN = drawn(SEED, (4, 4), (4, 4), (4, 4), greatest=GREATEST)
X = Given("X", "X", "The words' vectors, a row for each.", EMBEDDINGS.values, ("S", "D"), WORDS)
MATRICES = (
    Given("W_Q", "W_Q", "Makes queries of the words' vectors.", DRAWN[0], ("D", "K")),
    Given("W_K", "W_K", "Makes keys of the same vectors.", DRAWN[1], ("D", "K")),
    Given("W_V", "W_V", "Makes values of the same vectors.", DRAWN[2], ("D", "V")),
)
DIVISOR = Given(
    "divisor", "r", "What the products are divided by: r = √4 for queries of 4 numbers; 1 changes nothing.",
    np.array(np.sqrt(4.0)), least=1e-3,
)  # fmt: skip
PROJECTIONS = (
    Step("Q", "Q", "X W_Q", "Every word's vector becomes a query: what it asks for.", Product("X", "W_Q"), rows=WORDS),
    Step("K", "K", "X W_K", "The same vector becomes a key: what it can be found by.", Product("X", "W_K"), rows=WORDS),
    Step("V", "V", "X W_V", "And a value: what it gives when it is found.", Product("X", "W_V"), rows=WORDS),
)
CONTEXTS = Step(
    "contexts", "C", r"\alpha V", "The values added up, each as much as its weight says: a new vector for every word.",
    Product("weights", "V"), rows=WORDS,
)  # fmt: skip

SELF_ATTENTION = Example(
    name="self-attention",
    title="A sentence asks itself",
    text="Every word asks every word of its own sentence. There is no decoder and no state, and no step waits for "
    "another.",
    source=SOURCE,
    function=asks_itself,
    sizes=SIZES,
    givens=(X, *MATRICES),
    steps=(
        *PROJECTIONS,
        Step("scores", "e", r"Q K^\top", "Every query is compared with every key, that of its own word too.",
             Product("Q", "K", transposed=True), rows=WORDS, columns=WORDS),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e)", "The softmax of every row: what one word gives to all.",
             Softmax("scores"), rows=WORDS, columns=WORDS),
        CONTEXTS,
    ),
    notes=(
        "Exchange two rows of X, and the same rows of the result are exchanged: nothing here knows the order of the "
        "words. A Transformer adds a vector for each position to X.",
    ),
)  # fmt: skip

SCALED = Example(
    name="scaled",
    title="Divided by √d",
    text="The same products with their softmax, and divided before the softmax.",
    source=SOURCE,
    function=scaled,
    sizes=SIZES,
    givens=(X, *MATRICES, DIVISOR),
    steps=(
        *PROJECTIONS,
        Step("products", r"Q K^\top", r"Q K^\top", "Every query times every key, as they come.",
             Product("Q", "K", transposed=True), rows=WORDS, columns=WORDS),
        Step("sharp", r"\alpha_{\text{unscaled}}", r"\mathrm{softmax}(Q K^\top)", "What the softmax makes of them.",
             Softmax("products"), rows=WORDS, columns=WORDS),
        Step("scores", "e", r"Q K^\top / r", "The same products, divided.",
             Product("Q", "K", transposed=True, over="divisor"), rows=WORDS, columns=WORDS),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e)",
             "Their softmax. An r above 1 brings the shares closer together, one below 1 sets them further apart.",
             Softmax("scores"), rows=WORDS, columns=WORDS),
        CONTEXTS,
    ),
)  # fmt: skip


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
    """Return a mask in which no position sees those after it."""
    return np.tril(np.ones((count, count)))


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
