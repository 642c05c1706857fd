"""A query against encoder outputs: dot scores, weights, and the context as their weighted sum.

The document describes a simulation with a picture, and prints neither its numbers nor its code. The outputs have two
numbers each, so that they can be drawn as arrows. `ON_PAPER` is the same example in whole numbers.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Product, Softmax, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.examples.luong_general import DIVISOR
from regard.model.examples.random_numbers import drawn
from regard.model.reference.formulas import softmax

SEED = 4
GREATEST = 2.0  # the entries lie between −2 and 2
OUTPUTS = 4
PLACES = tuple(f"h{place}" for place in range(1, OUTPUTS + 1))


def asked(q: Float[ndarray, " D"], H: Float[ndarray, "S D"], divisor: Float[ndarray, ""]) -> Values:
    scores = H @ q / divisor
    weights = softmax(scores)
    context = weights @ H
    return locals()


H, q = drawn(SEED, (OUTPUTS, 2), (2,), greatest=GREATEST)
QUERY = Example(
    name="query",
    title="A query against encoder outputs",
    text="The three steps of all attention, compare, weigh, sum, with nothing around them.",
    source=f"A description of sequence-to-sequence with attention; the numbers are drawn at random with seed {SEED}",
    function=asked,
    sizes={"S": "encoder outputs", "D": "numbers in an output"},
    givens=(
        Given("q", "q", "The decoder's query.", q, ("D",)),
        Given("H", "H", "The encoder's outputs, a row for each time step.", H, ("S", "D"), PLACES),
        DIVISOR,
    ),
    steps=(
        Step("scores", "e", "H q / d", "Each output times the query: multiply entry by entry and add up.",
             Product("H", "q", over="divisor"), columns=PLACES),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e)",
             "e to the power of each score, divided by the sum of all of them: shares that add up to 1.",
             Softmax("scores"), columns=PLACES),
        Step("context", "c", r"\sum_i \alpha_i h_i", "The outputs added up, each as much as its weight says.",
             Product("weights", "H")),
    ),
    notes=(
        "The document describes this simulation and shows none of its numbers, so these are drawn at random: NumPy's "
        f"default_rng({SEED}), between −{GREATEST:.0f} and {GREATEST:.0f}, with one decimal. They are not learned. "
        "The page's own seeds draw other numbers; its seed 0 keeps these.",
    ),
)  # fmt: skip

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
