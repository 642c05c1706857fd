"""Three dimensions and two encoder states: the score sᵀ W_a h, its weights, the context and the output layer.

The numbers are those of a tutorial, all of whose printed digits are right. It gives the formula of the output layer
without numbers; those here are ours.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Concat, Product, Softmax, Sum, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.reference.formulas import softmax

STATES = ("h1", "h2")
WORDS = ("word 1", "word 2", "word 3")


def in_three_dimensions(
    s: Float[ndarray, " D"],
    H: Float[ndarray, "S D"],
    W_a: Float[ndarray, "D D"],
    W_o: Float[ndarray, "V 2*D"],
    b_o: Float[ndarray, " V"],
) -> Values:
    keys = H @ W_a.T
    scores = keys @ s
    weights = softmax(scores)
    context = weights @ H
    joined = np.concatenate([s, context])
    summed = W_o @ joined
    logits = summed + b_o
    probabilities = softmax(logits)
    return locals()


THREE_DIMENSIONS = Example(
    name="three-dimensions",
    title="Two states in three dimensions",
    text="The smallest whole step: two encoder states, and a W_a that changes nothing because it is the identity.",
    source="A tutorial, “Attention Mechanism: Mathematical Formulas”, its concrete example with 3D vectors",
    function=in_three_dimensions,
    sizes={"S": "encoder states", "D": "numbers in a state", "V": "words to choose from"},
    givens=(
        Given("s", "s", "The decoder's state, which asks.", np.array([1.0, 2.0, 1.0]), ("D",)),
        Given("H", "H", "The encoder's states, a row for each.",
              np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 2.0]]), ("S", "D"), STATES),
        Given("W_a", "W_a", "The matrix of the score. The identity leaves every state as it is; change an entry to see "
              "what it does.", np.eye(3), ("D", "D")),
        Given("W_o", "W_o", "The output layer, a row for each word. The tutorial gives no numbers for it; these are "
              "ours.",
              np.array([[0.5, -0.2, 0.1, 0.4, 0.3, -0.1],
                        [-0.3, 0.4, 0.2, -0.1, 0.5, 0.2],
                        [0.2, 0.1, -0.4, 0.3, -0.2, 0.6]]), ("V", "D+D"), WORDS, stated=True),
        Given("b_o", "b_o", "What each word is given beforehand, whatever the state. Ours, like W_o.",
              np.array([0.1, -0.2, 0.0]), ("V",), columns=WORDS, stated=True),
    ),
    steps=(
        Step("keys", "K", r"H W_a^\top", "Every state is multiplied by W_a: row i is W_a times h_i.",
             Product("H", "W_a", transposed=True), rows=STATES),
        Step("scores", "e", "K s", "The decoder's state is compared with each: multiply entry by entry and add up.",
             Product("keys", "s"), columns=STATES, printed=np.array([3.0, 5.0]), digits=0),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e)",
             "e to the power of each score, divided by the sum of both: shares that add up to 1.",
             Softmax("scores"), columns=STATES, printed=np.array([0.119, 0.881])),
        Step("context", "c", r"\sum_i \alpha_i h_i", "The states added up, each as much as its weight says.",
             Product("weights", "H"), printed=np.array([1.119, 0.881, 1.881])),
        Step("joined", "[s ; c]", "[s ; c]", "The decoder's state and the context side by side.",
             Concat(("s", "context"))),
        Step("summed", "z", r"W_o\,[s ; c]", "Each word's row of W_o times the joined vector.",
             Product("W_o", "joined"), columns=WORDS),
        Step("logits", r"\ell", "z + b_o", "What each word is given beforehand is added.",
             Sum(("summed", "b_o")), columns=WORDS),
        Step("probabilities", "p", r"\mathrm{softmax}(\ell)", "The same softmax, now over words to write.",
             Softmax("logits"), columns=WORDS),
    ),
    notes=(
        "Every number that the tutorial prints is right. It stops at the context; its formula for the output, "
        "softmax(W_o [s ; c] + b_o), is finished here with a small W_o and b_o of ours.",
        "As stated, the second state fits better and gets most of the weight, so the context lies close to it. The "
        "tutorial says because it is more similar; but a larger dot product also comes from a longer vector. Here both "
        "play a part: without the lengths, as the cosine of the angle, it is 0.55 against 0.83.",
    ),
)  # fmt: skip
