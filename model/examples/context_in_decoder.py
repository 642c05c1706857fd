"""One step of a decoder without a context and with one, and the next word from [s ; c].

Bahdanau et al. (2015), section 3.1, with a plain recurrent cell, s = tanh(W_y y + W_s s_before), in place of a gated
one: attention reads the state, whatever cell computed it.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Concat, Product, Softmax, Sum, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.wiring_matrices import CONTEXT, FRENCH, STATE, WEIGHTS, WORDS, y
from regard.model.reference.formulas import softmax


def without_context(
    y: Float[ndarray, " D"],
    previous: Float[ndarray, " H"],
    W_y: Float[ndarray, "H D"],
    W_s: Float[ndarray, "H H"],
    W: Float[ndarray, "V H"],
) -> Values:
    given = W_y @ y
    kept = W_s @ previous
    summed = given + kept
    state = np.tanh(summed)
    logits = W @ state
    probabilities = softmax(logits)
    return locals()


def with_context(
    y: Float[ndarray, " D"],
    previous: Float[ndarray, " H"],
    H: Float[ndarray, "S H"],
    W_y: Float[ndarray, "H D"],
    W_s: Float[ndarray, "H H"],
    W_c: Float[ndarray, "H H"],
    W: Float[ndarray, "V 2*H"],
) -> Values:
    scores = H @ previous
    weights = softmax(scores)
    context = weights @ H
    given = W_y @ y
    kept = W_s @ previous
    found = W_c @ context
    summed = given + kept + found
    state = np.tanh(summed)
    joined = np.concatenate([state, context])
    logits = W @ joined
    probabilities = softmax(logits)
    return locals()


SOURCE = "A tutorial that explains attention “from scratch”; it prints formulas and no numbers, these are ours"
SIZES = {"D": "numbers in a word's embedding", "H": "numbers in a state", "V": "words to choose from"}
PLAIN = (
    "The tutorial's cell is an LSTM. Here it is the plainest recurrent cell, tanh(W_y y + W_s s), which fits on paper. "
    "Attention reads the state that comes out and never looks inside the cell, so nothing about it changes."
)
STATE_PART = np.array([[0.7, -0.3], [0.2, 0.5], [-0.6, 0.4]])
CONTEXT_PART = np.array([[0.9, 0.4], [-0.5, 0.8], [0.3, -0.7]])
PREVIOUS = Given("previous", "s_{t-1}", "The state before this step.", np.array([0.6, 0.3]), ("H",))
W_y = Given("W_y", "W_y", "What the cell makes of the word.", np.array([[0.5, 0.2], [-0.4, 0.7]]), ("H", "D"))
W_s = Given("W_s", "W_s", "What the cell keeps of the state before.", np.array([[0.8, -0.1], [0.3, 0.6]]), ("H", "H"))
GIVEN = Step("given", "W_y y", "W_y y", "What the word brings.", Product("W_y", "y"))
KEPT = Step("kept", "W_s s_{t-1}", "W_s s_{t-1}", "What is left of the state before.", Product("W_s", "previous"))
PROBABILITIES = Step(
    "probabilities", "p", r"\mathrm{softmax}(\ell)", "The softmax over words to write.", Softmax("logits"),
    columns=FRENCH,
)  # fmt: skip

WITHOUT_CONTEXT = Example(
    name="without-context",
    title="A decoder step without context",
    text="The word written last and the state before it make the next state. The source appears nowhere.",
    source=SOURCE,
    function=without_context,
    sizes=SIZES,
    givens=(
        y, PREVIOUS, W_y, W_s,
        Given("W", "W", "The output layer, a row for each word.", STATE_PART, ("V", "H"), FRENCH),
    ),
    steps=(
        GIVEN,
        KEPT,
        Step("summed", "z", "W_y y + W_s s_{t-1}", "Both are added.", Sum(("given", "kept"))),
        STATE,
        Step("logits", r"\ell", "W s_t", "Each word's row of W times the state.", Product("W", "state"),
             columns=FRENCH),
        PROBABILITIES,
    ),
    notes=(PLAIN, "All that the decoder knows of the source has to be in the state it began with."),
)  # fmt: skip

WITH_CONTEXT = Example(
    name="with-context",
    title="The same step with a context",
    text="The state asks the annotations, and what it finds enters the cell and the output layer.",
    source=SOURCE,
    function=with_context,
    sizes={"S": "source words"} | SIZES,
    givens=(
        y, PREVIOUS,
        Given(
            "H", "H", "The annotations, a row for each source word.",
            np.array([[0.2, 0.9], [1.1, -0.4], [-0.5, 0.6]]), ("S", "H"), WORDS,
        ),
        W_y, W_s,
        Given("W_c", "W_c", "What the cell makes of the context.", np.array([[0.4, -0.6], [0.9, 0.1]]), ("H", "H")),
        Given(
            "W", "W", "The output layer over [s ; c]. Its left half is the one of the step without context.",
            np.hstack([STATE_PART, CONTEXT_PART]), ("V", "H+H"), FRENCH,
        ),
    ),
    steps=(
        Step("scores", "e", "H s_{t-1}", "The state before this step asks: each annotation times the state.",
             Product("H", "previous"), columns=WORDS),
        WEIGHTS, CONTEXT, GIVEN, KEPT,
        Step("found", "W_c c", "W_c c", "What the source says to this step. It was missing before.",
             Product("W_c", "context")),
        Step("summed", "z", "W_y y + W_s s_{t-1} + W_c c", "All three are added.", Sum(("given", "kept", "found"))),
        STATE,
        Step("joined", "[s ; c]", "[s_t ; c]", "The new state and the context side by side.",
             Concat(("state", "context"))),
        Step("logits", r"\ell", r"W\,[s_t ; c]", "Each word's row of W times the joined vector.",
             Product("W", "joined"), columns=FRENCH),
        PROBABILITIES,
    ),
    notes=(
        PLAIN,
        "The tutorial scores with the state s_t, and feeds the context c_t into the cell that makes s_t: each would "
        "have to be there before the other. Here the state before this step asks, as in Bahdanau's wiring; in Luong's"
        " the cell moves first and gets no context.",
    ),
)  # fmt: skip
