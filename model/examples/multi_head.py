"""Two heads: two attentions of half the size beside each other, joined and mixed.

Vaswani et al. (2017), Attention Is All You Need, section 3.2.2:   MultiHead(X) = [head_1 ; head_2] W_O
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Concat, Product, Softmax, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.random_numbers import drawn
from regard.model.examples.self_attention import SIZES, WORDS, X
from regard.model.reference.formulas import softmax

SEED = 3  # of the seven matrices
GREATEST = 1.0


def two_heads(
    X: Float[ndarray, "S D"],
    W_Q1: Float[ndarray, "D K"],
    W_K1: Float[ndarray, "D K"],
    W_V1: Float[ndarray, "D V"],
    W_Q2: Float[ndarray, "D K"],
    W_K2: Float[ndarray, "D K"],
    W_V2: Float[ndarray, "D V"],
    divisor: Float[ndarray, ""],
    W_O: Float[ndarray, "2*V D"],
) -> Values:
    Q1 = X @ W_Q1
    K1 = X @ W_K1
    V1 = X @ W_V1
    scores1 = Q1 @ K1.T / divisor
    weights1 = softmax(scores1)
    contexts1 = weights1 @ V1
    Q2 = X @ W_Q2
    K2 = X @ W_K2
    V2 = X @ W_V2
    scores2 = Q2 @ K2.T / divisor
    weights2 = softmax(scores2)
    contexts2 = weights2 @ V2
    joined = np.concatenate([contexts1, contexts2], axis=1)
    output = joined @ W_O
    return locals()


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
        Step(Q, f"Q_{head}", f"X W_{{Q{head}}}", f"Head {head}: its queries.", Product("X", f"W_Q{head}"), rows=WORDS),
        Step(K, f"K_{head}", f"X W_{{K{head}}}", f"Head {head}: its keys.", Product("X", f"W_K{head}"), rows=WORDS),
        Step(V, f"V_{head}", f"X W_{{V{head}}}", f"Head {head}: its values.", Product("X", f"W_V{head}"), rows=WORDS),
        Step(scores, f"e_{head}", rf"Q_{head} K_{head}^\top / r", f"Head {head}: its queries meet its keys alone.",
             Product(Q, K, transposed=True, over="divisor"), rows=WORDS, columns=WORDS),
        Step(weights, rf"\alpha_{head}", rf"\mathrm{{softmax}}(e_{head})", f"Head {head}: its own shares of attention.",
             Softmax(scores), rows=WORDS, columns=WORDS),
        Step(f"contexts{head}", f"C_{head}", rf"\alpha_{head} V_{head}", f"Head {head}: what it found.",
             Product(weights, V), rows=WORDS),
    )  # fmt: skip


DRAWN = drawn(SEED, (4, 2), (4, 2), (4, 2), (4, 2), (4, 2), (4, 2), (4, 4), greatest=GREATEST)
HEADS = Example(
    name="heads",
    title="Two heads",
    text="Two attentions on the same words, each with matrices of its own and half as many numbers.",
    source="Vaswani et al. (2017), Attention Is All You Need, section 3.2.2; X is that of the tutorial on “I love "
    f"you”, and the matrices are drawn at random with seed {SEED}",
    function=two_heads,
    sizes=SIZES,
    givens=(
        X,
        *_matrices(1, *DRAWN[:3]),
        *_matrices(2, *DRAWN[3:6]),
        Given(
            "divisor", "r", "What the products are divided by: r = √2 for queries of 2 numbers; 1 changes nothing.",
            np.array(np.sqrt(2.0)), least=1e-3,
        ),
        Given("W_O", "W_O", "Mixes what the heads found.", DRAWN[6], ("V+V", "D")),
    ),
    steps=(
        *_steps(1),
        *_steps(2),
        Step("joined", "[C_1 ; C_2]", "[C_1 ; C_2]", "What both heads found, side by side, a row for each word.",
             Concat(("contexts1", "contexts2")), rows=WORDS),
        Step("output", "O", r"[C_1 ; C_2]\,W_O", "W_O mixes them into one vector for each word.",
             Product("joined", "W_O"), rows=WORDS),
    ),
)  # fmt: skip
