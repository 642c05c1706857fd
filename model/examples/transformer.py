"""Queries, keys and values on matrices for paper: the decoder's, a sentence's own, scaled, masked, and in two heads.

Vaswani et al. (2017), Attention Is All You Need, section 3.2.1:   Attention(Q, K, V) = softmax(Q Kᵀ / √d) V
Section 3.2.2:   MultiHead(X) = [head_1 ; head_2] W_O. Section 3.2.3: a masked score is −∞, and e to its power is 0.

Luong's general score (2015, section 3.1), s_t · W h_i, is a query times a key, (s_t W_Q) · (h_i W_K), where W = W_Q
W_Kᵀ. The values are new: Luong sums the annotations themselves.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.example import Example, Given, Step, drawn
from regard.model.examples.operations import Concat, Masked, Product, Softmax
from regard.model.examples.tutorials import EMBEDDINGS, WORDS

# fmt: off
SEED = 2  # of the three matrices
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
DRAWN = drawn(SEED, (4, 4), (4, 4), (4, 4), greatest=1.0)
X = Given("X", "X", "The words' vectors, a row for each.", EMBEDDINGS.values, ("S", "D"), WORDS)
MATRICES = (
    Given("W_Q", "W_Q", "Makes queries of the words' vectors.", DRAWN[0], ("D", "K")),
    Given("W_K", "W_K", "Makes keys of the same vectors.", DRAWN[1], ("D", "K")),
    Given("W_V", "W_V", "Makes values of the same vectors.", DRAWN[2], ("D", "V")),
)
DIVISOR = Given("divisor", "r", "What the products are divided by: r = √4 for queries of 4 numbers; 1 changes "
                "nothing.", np.array(np.sqrt(4.0)), least=1e-3)
PROJECTIONS = (
    Step("Q", "Q", Product("X", "W_Q"), "Every word's vector becomes a query: what it asks for."),
    Step("K", "K", Product("X", "W_K"), "The same vector becomes a key: what it can be found by."),
    Step("V", "V", Product("X", "W_V"), "And a value: what it gives when it is found."),
)
CONTEXTS = Step("contexts", "C", Product("weights", "V"), "The values added up, each multiplied by its weight: a "
                "new vector for every word.")

SELF_ATTENTION = Example(
    name="self-attention",
    title="A sentence asks itself",
    text="Every word asks every word of its own sentence. There is no decoder and no state, and no step waits for "
    "another.",
    source=SOURCE,
    sizes=SIZES,
    givens=(X, *MATRICES),
    steps=(
        *PROJECTIONS,
        Step("scores", "e", Product("Q", "K", transposed=True), "Every query is compared with every key, that of its "
             "own word too."),
        Step("weights", r"\alpha", Softmax("scores"), "The softmax of every row: what one word gives to all."),
        CONTEXTS,
    ),
    notes=(
        "Exchange two rows of X, and the same rows of the result are exchanged: nothing here knows the order of the "
        "words. A Transformer adds a vector for each position to X.",
    ),
    one_call=("contexts", "F.scaled_dot_product_attention(Q, K, V, scale=1.0)"),
)

SCALED = Example(
    name="scaled",
    title="Divided by √d",
    text="The same products with their softmax, and divided before the softmax.",
    source=SOURCE,
    sizes=SIZES,
    givens=(X, *MATRICES, DIVISOR),
    steps=(
        *PROJECTIONS,
        Step("products", r"Q K^\top", Product("Q", "K", transposed=True), "Every query times every key, as they come."),
        Step("sharp", r"\alpha_{\text{unscaled}}", Softmax("products"), "What the softmax makes of them."),
        Step("scores", "e", Product("Q", "K", transposed=True, over="divisor"), "The same products, divided."),
        Step("weights", r"\alpha", Softmax("scores"), "Their softmax. An r above 1 brings the shares closer "
             "together, one below 1 sets them further apart."),
        CONTEXTS,
    ),
    one_call=("contexts", "F.scaled_dot_product_attention(Q, K, V, scale=1 / divisor.item())"),
)


def causal(count: int) -> Float[ndarray, "S S"]:
    """Return a mask in which no position sees those after it."""
    return np.tril(np.ones((count, count)))


MASKED = Example(
    name="masked",
    title="What may not be seen",
    text="Self-attention in which some scores are masked before the softmax.",
    source=SOURCE,
    sizes=SIZES,
    givens=(
        X,
        *MATRICES,
        DIVISOR,
        Given("mask", "M", "1 where a row may look, 0 where it may not. A row needs something to look at.",
              causal(len(WORDS)), ("S", "S"), WORDS, WORDS, mask=True),
    ),
    steps=(
        *PROJECTIONS,
        Step("scores", "e", Product("Q", "K", transposed=True, over="divisor"), "Every query is compared with every "
             "key, as if nothing were masked."),
        Step("masked", "e'", Masked("scores", "mask"), "A score that may not be seen becomes −∞."),
        Step("weights", r"\alpha", Softmax("masked"), "e to the power of −∞ is 0: what is masked gets exactly "
             "nothing, and the rest still adds up to 1."),
        CONTEXTS,
    ),
    one_call=("contexts", "F.scaled_dot_product_attention(Q, K, V, mask.bool(), scale=1 / divisor.item())"),
)

HEADS_SEED = 3  # of the seven matrices


def _matrices(
    head: int, W_Q: Float[ndarray, "D K"], W_K: Float[ndarray, "D K"], W_V: Float[ndarray, "D V"]
) -> tuple[Given, ...]:
    return (
        Given(f"W_Q{head}", f"W_{{Q{head}}}", f"Makes the queries of head {head}.", W_Q, ("D", "K")),
        Given(f"W_K{head}", f"W_{{K{head}}}", f"Makes the keys of head {head}.", W_K, ("D", "K")),
        Given(f"W_V{head}", f"W_{{V{head}}}", f"Makes the values of head {head}.", W_V, ("D", "V")),
    )


def _steps(head: int) -> tuple[Step, ...]:
    Q, K, V = f"Q{head}", f"K{head}", f"V{head}"
    scores, weights = f"scores{head}", f"weights{head}"
    return (
        Step(Q, f"Q_{head}", Product("X", f"W_Q{head}"), f"Head {head}: its queries."),
        Step(K, f"K_{head}", Product("X", f"W_K{head}"), f"Head {head}: its keys."),
        Step(V, f"V_{head}", Product("X", f"W_V{head}"), f"Head {head}: its values."),
        Step(scores, f"e_{head}", Product(Q, K, transposed=True, over="divisor"), f"Head {head}: its queries meet "
             f"its keys alone."),
        Step(weights, rf"\alpha_{head}", Softmax(scores), f"Head {head}: its own shares of attention."),
        Step(f"contexts{head}", f"C_{head}", Product(weights, V), f"Head {head}: what it found."),
    )


HEADS_DRAWN = drawn(HEADS_SEED, (4, 2), (4, 2), (4, 2), (4, 2), (4, 2), (4, 2), (4, 4), greatest=1.0)
HEADS = Example(
    name="heads",
    title="Two heads",
    text="Two attentions on the same words, each with matrices of its own and half as many numbers.",
    source="Vaswani et al. (2017), Attention Is All You Need, section 3.2.2; X is that of the tutorial on “I love "
    f"you”, and the matrices are drawn at random with seed {HEADS_SEED}",
    sizes=SIZES,
    givens=(
        X,
        *_matrices(1, *HEADS_DRAWN[:3]),
        *_matrices(2, *HEADS_DRAWN[3:6]),
        Given("divisor", "r", "What the products are divided by: r = √2 for queries of 2 numbers; 1 changes nothing.",
              np.array(np.sqrt(2.0)), least=1e-3),
        Given("W_O", "W_O", "Mixes what the heads found.", HEADS_DRAWN[6], ("V+V", "D")),
    ),
    steps=(
        *_steps(1),
        *_steps(2),
        Step("joined", "[C_1 ; C_2]", Concat("contexts1", "contexts2"), "What both heads found, side by side, a row "
             "for each word."),
        Step("output", "O", Product("joined", "W_O"), "W_O mixes them into one vector for each word."),
    ),
    one_call=("joined", "torch.cat([*F.scaled_dot_product_attention(torch.stack([Q1, Q2]), torch.stack([K1, K2]), "
              "torch.stack([V1, V2]), scale=1 / divisor.item())], dim=-1)"),
)

CROSS_SEED = 1  # of the three matrices
FRENCH = ("Je", "t'aime", ".")

CROSS_DRAWN = drawn(CROSS_SEED, (4, 2), (4, 2), (4, 3), greatest=1.0)
CROSS_ATTENTION = Example(
    name="cross-attention",
    title="The decoder asks the sentence",
    text="Luong's general score first, then the same scores as queries times keys.",
    source="Luong et al. (2015); Vaswani et al. (2017), Attention Is All You Need; W_Q, W_K and W_V are drawn at "
    f"random with seed {CROSS_SEED}",
    sizes={
        "T": "steps of the decoder",
        "S": "source words",
        "D": "numbers in a state and in an annotation",
        "K": "numbers in a query and in a key",
        "V": "numbers in a value",
    },
    givens=(
        Given("states", "S", "The decoder's states, a row for each step.",
              np.array([[0.6, -0.4, 0.5, 0.1], [0.2, 0.7, -0.3, 0.4], [-0.5, 0.3, 0.1, 0.8]]), ("T", "D"), FRENCH),
        Given("H", "H", "The annotations, a row for each source word.",
              np.array([[0.3, 0.7, -0.2, 0.4], [0.5, 0.4, 0.6, -0.1], [0.2, -0.3, 0.8, 0.5]]), ("S", "D"), WORDS),
        Given("W_Q", "W_Q", "Makes queries of the states.", CROSS_DRAWN[0], ("D", "K")),
        Given("W_K", "W_K", "Makes keys of the annotations.", CROSS_DRAWN[1], ("D", "K")),
        Given("W_V", "W_V", "Makes values of the annotations.", CROSS_DRAWN[2], ("D", "V")),
    ),
    steps=(
        Step("W", "W", Product("W_Q", "W_K", transposed=True), "Both matrices folded into one: the W of a general "
             "score."),
        Step("folded", "S W", Product("states", "W"), "Luong: every state times this W."),
        Step("general_scores", r"e_{\text{general}}", Product("folded", "H", transposed=True),
             "Luong: that, compared with every annotation."),
        Step("Q", "Q", Product("states", "W_Q"), "Transformer: every state becomes a query, what it asks for."),
        Step("K", "K", Product("H", "W_K"), "Transformer: every annotation becomes a key, what it can be found by."),
        Step("scores", "e", Product("Q", "K", transposed=True), "Transformer: every query times every key. They are "
             "Luong's scores."),
        Step("weights", r"\alpha", Softmax("scores"), "The softmax of every row, as before."),
        Step("V", "V", Product("H", "W_V"), "Every annotation becomes a value, what it gives when it is found."),
        Step("contexts", "C", Product("weights", "V"), "The values added up, each multiplied by its weight."),
    ),
    notes=(
        "As stated, W is 4 × 4 and folded from two matrices of 4 × 2, so it cannot be every W: its rank is 2 at most. "
        "That is what queries and keys of few numbers give up for being cheap.",
        "Luong has no W_V: there the annotations themselves are added up.",
    ),
    one_call=("contexts", "F.scaled_dot_product_attention(Q, K, V, scale=1.0)"),
)
