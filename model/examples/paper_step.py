"""One decoder step small enough for pen and paper: three words, two numbers each, from the scores to the context."""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from model.examples.entries import Product, Softmax, Values
from model.examples.example import Example, Given, Step
from model.reference.formulas import softmax

WORDS = ("I", "love", "you")


def on_paper(H: Float[ndarray, "S E"], q: Float[ndarray, " E"]) -> Values:
    scores = H @ q
    weights = softmax(scores)
    context = weights @ H
    return locals()


ON_PAPER = Example(
    name="on-paper",
    title="A step for pen and paper",
    text="Scores, weights and the context of one step, from whole numbers.",
    source="Ours, made for the lesson",
    function=on_paper,
    sizes={"S": "source words", "E": "numbers in an annotation and in the query"},
    givens=(
        Given(
            "H", "H", "The annotations, a row for each word.",
            np.array([[1.0, 0.0], [1.0, 1.0], [-1.0, 2.0]]), ("S", "E"), WORDS,
        ),
        Given("q", "q", "The query: the decoder's state.", np.array([2.0, 1.0]), ("E",)),
    ),
    steps=(
        Step("scores", "e", "H q", "Each annotation times the query, number by number, added up.", Product("H", "q"),
             columns=WORDS),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e)", "e to the power of each score, divided by the sum of all.",
             Softmax("scores"), columns=WORDS),
        Step("context", "c", r"\sum_i \alpha_i h_i", "The annotations added up, each as much as its weight says.",
             Product("weights", "H")),
    ),
)  # fmt: skip
