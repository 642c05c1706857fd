"""Bahdanau's step beside Luong's on the same inputs, every vector of a size of its own.

Bahdanau et al. (2015), section 3.1: the previous state asks, and the cell reads [y ; c].
Luong et al. (2015), section 3: the cell reads y, the state that it makes asks, and the context joins it in h̃.

As published they differ in three ways: which state is the query, whether the cell reads the context, and the score,
additive in Bahdanau's and here general in Luong's. `BAHDANAU_GENERAL` has Bahdanau's order with Luong's score, which
removes the last difference. All cells are plain, s = tanh(W_x x + U s_before), and all outputs are h̃ = tanh(W_c [c ;
s]), as in the models here.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Product, Sum, Tanh, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.wiring_matrices import (
    AFTER_THE_LOOK,
    AS_PUBLISHED,
    CONTEXT,
    GENERAL_KEYS,
    KEPT,
    PLAIN,
    PREVIOUS,
    READ_OUT,
    SIZES,
    SOURCE,
    STATE,
    WEIGHTS,
    WORD_PART,
    WORDS,
    H,
    U,
    W_a,
    W_c,
    W_o,
    W_x,
    y,
)
from regard.model.reference.formulas import softmax


def bahdanau(
    y: Float[ndarray, " D"],
    previous: Float[ndarray, " H"],
    H: Float[ndarray, "S E"],
    W_s: Float[ndarray, "A H"],
    W_h: Float[ndarray, "A E"],
    v: Float[ndarray, " A"],
    W_x: Float[ndarray, "H D+E"],
    U: Float[ndarray, "H H"],
    W_c: Float[ndarray, "H E+H"],
    W_o: Float[ndarray, "V H"],
) -> Values:
    query = W_s @ previous
    keys = H @ W_h.T
    sums = query + keys
    bent = np.tanh(sums)
    scores = bent @ v
    weights = softmax(scores)
    context = weights @ H
    inputs = np.concatenate([y, context])
    given = W_x @ inputs
    kept = U @ previous
    summed = given + kept
    state = np.tanh(summed)
    joined = np.concatenate([context, state])
    mixed = W_c @ joined
    attentional = np.tanh(mixed)
    logits = W_o @ attentional
    probabilities = softmax(logits)
    return locals()


def bahdanau_general(
    y: Float[ndarray, " D"],
    previous: Float[ndarray, " H"],
    H: Float[ndarray, "S E"],
    W_a: Float[ndarray, "H E"],
    W_x: Float[ndarray, "H D+E"],
    U: Float[ndarray, "H H"],
    W_c: Float[ndarray, "H E+H"],
    W_o: Float[ndarray, "V H"],
) -> Values:
    keys = H @ W_a.T
    scores = keys @ previous
    weights = softmax(scores)
    context = weights @ H
    inputs = np.concatenate([y, context])
    given = W_x @ inputs
    kept = U @ previous
    summed = given + kept
    state = np.tanh(summed)
    joined = np.concatenate([context, state])
    mixed = W_c @ joined
    attentional = np.tanh(mixed)
    logits = W_o @ attentional
    probabilities = softmax(logits)
    return locals()


def luong(
    y: Float[ndarray, " D"],
    previous: Float[ndarray, " H"],
    H: Float[ndarray, "S E"],
    W_x: Float[ndarray, "H D"],
    U: Float[ndarray, "H H"],
    W_a: Float[ndarray, "H E"],
    W_c: Float[ndarray, "H E+H"],
    W_o: Float[ndarray, "V H"],
) -> Values:
    given = W_x @ y
    kept = U @ previous
    summed = given + kept
    state = np.tanh(summed)
    keys = H @ W_a.T
    scores = keys @ state
    weights = softmax(scores)
    context = weights @ H
    joined = np.concatenate([context, state])
    mixed = W_c @ joined
    attentional = np.tanh(mixed)
    logits = W_o @ attentional
    probabilities = softmax(logits)
    return locals()


BAHDANAU = Example(
    name="bahdanau",
    title="Bahdanau's step: the previous state asks",
    text="First attention, then the cell: it reads the word and what was found, [y ; c].",
    source=SOURCE,
    function=bahdanau,
    sizes=SIZES | {"A": "numbers that the additive score compares in"},
    givens=(
        y, PREVIOUS, H,
        Given("W_s", "W_s", "The additive score's matrix for the state.",
              np.array([[0.6, -0.4, 0.2], [-0.3, 0.9, 0.5]]), ("A", "H")),
        Given("W_h", "W_h", "The additive score's matrix for the annotations.",
              np.array([[0.7, -0.2, 0.5, 0.3], [0.1, 0.8, -0.6, 0.4]]), ("A", "E")),
        Given("v", "v", "Makes one score of what was compared.", np.array([0.9, -0.7]), ("A",)),
        W_x, U, W_c, W_o,
    ),
    steps=(
        Step("query", "W_s s_{t-1}", "W_s s_{t-1}", "The state before this step asks.", Product("W_s", "previous")),
        Step("keys", r"H W_h^\top", r"H W_h^\top", "The annotations, brought to the same size.",
             Product("H", "W_h", transposed=True), rows=WORDS),
        Step("sums", "a", "W_s s_{t-1} + W_h h_i", "The query is added to each of them.", Sum(("query", "keys")),
             rows=WORDS),
        Step("bent", "b", r"\tanh a", "Every number is bent into the range from −1 to 1.", Tanh("sums"), rows=WORDS),
        Step("scores", "e", "b v", "v weighs the bent numbers into one score each.", Product("bent", "v"),
             columns=WORDS),
        WEIGHTS, CONTEXT, *AFTER_THE_LOOK, *READ_OUT,
    ),
    notes=(
        AS_PUBLISHED,
        PLAIN,
        "Bahdanau's own output layer is a maxout over the state, the word and the context. Here it is Luong's h̃, as in "
        "the model of this app that is wired like this.",
    ),
)  # fmt: skip

BAHDANAU_GENERAL = Example(
    name="bahdanau-general",
    title="Bahdanau's order with the general score",
    text="The previous state asks and the cell reads [y ; c], as Bahdanau has it; the score is the one of Luong's "
    "example, with the same matrix. What differs from Luong's step now is who asks and what the cell reads.",
    source=SOURCE,
    function=bahdanau_general,
    sizes=SIZES,
    givens=(y, PREVIOUS, H, W_a, W_x, U, W_c, W_o),
    steps=(
        GENERAL_KEYS,
        Step("scores", "e", r"H W_a^\top s_{t-1}", "The state before this step asks.", Product("keys", "previous"),
             columns=WORDS),
        WEIGHTS, CONTEXT, *AFTER_THE_LOOK, *READ_OUT,
    ),
    notes=(AS_PUBLISHED, PLAIN),
)  # fmt: skip

LUONG = Example(
    name="luong",
    title="Luong's step: the current state asks",
    text="First the cell, which reads the word alone. The state it makes asks, and the context joins it in h̃.",
    source=SOURCE,
    function=luong,
    sizes=SIZES,
    givens=(
        y, PREVIOUS, H,
        Given("W_x", "W_x", "What the cell makes of the word.", WORD_PART, ("H", "D")),
        U, W_a, W_c, W_o,
    ),
    steps=(
        Step("given", "W_x y", "W_x y", "What the word brings.", Product("W_x", "y")),
        KEPT,
        Step("summed", "z", "W_x y + U s_{t-1}", "Both are added.", Sum(("given", "kept"))),
        STATE,
        GENERAL_KEYS,
        Step("scores", "e", r"H W_a^\top s_t", "The state of this step asks.", Product("keys", "state"),
             columns=WORDS),
        WEIGHTS, CONTEXT, *READ_OUT,
    ),
    notes=(
        AS_PUBLISHED,
        PLAIN,
        "With input feeding, which Luong's paper adds, the cell also reads the h̃ of the step before, and so what "
        "attention found then.",
    ),
)  # fmt: skip
