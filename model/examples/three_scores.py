"""Dot, general and additive score on the same vectors, and on vectors of different sizes, where dot is impossible.

Luong et al. (2015), section 3.1, and Bahdanau et al. (2015), A.1.2.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Product, Softmax, Sum, Tanh, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.reference.formulas import softmax

WORDS = ("I", "love", "you")


def three_ways(
    s: Float[ndarray, " D"],
    H: Float[ndarray, "S D"],
    W: Float[ndarray, "D D"],
    W_s: Float[ndarray, "A D"],
    W_h: Float[ndarray, "A D"],
    v: Float[ndarray, " A"],
) -> Values:
    dot_scores = H @ s
    dot_weights = softmax(dot_scores)
    general_keys = H @ W.T
    general_scores = general_keys @ s
    general_weights = softmax(general_scores)
    query = W_s @ s
    keys = H @ W_h.T
    sums = query + keys
    bent = np.tanh(sums)
    additive_scores = bent @ v
    additive_weights = softmax(additive_scores)
    return locals()


def two_ways(
    s: Float[ndarray, " H"],
    H: Float[ndarray, "S E"],
    W: Float[ndarray, "H E"],
    W_s: Float[ndarray, "A H"],
    W_h: Float[ndarray, "A E"],
    v: Float[ndarray, " A"],
) -> Values:
    general_keys = H @ W.T
    general_scores = general_keys @ s
    general_weights = softmax(general_scores)
    query = W_s @ s
    keys = H @ W_h.T
    sums = query + keys
    bent = np.tanh(sums)
    additive_scores = bent @ v
    additive_weights = softmax(additive_scores)
    return locals()


SOURCE = "A tutorial that explains attention “from scratch”, its types of score; it prints no numbers, these are ours"
SOFTMAX = "The same softmax for every score: shares that add up to 1."
GENERAL = (
    Step("general_keys", r"K_{\text{general}}", r"H W^\top",
         "General: W turns every annotation into the state's terms.",
         Product("H", "W", transposed=True), rows=WORDS),
    Step("general_scores", r"e_{\text{general}}", r"K_{\text{general}}\, s",
         "General: the state times what W made of each annotation, s · W h.",
         Product("general_keys", "s"), columns=WORDS),
    Step("general_weights", r"\alpha_{\text{general}}", r"\mathrm{softmax}(e_{\text{general}})", SOFTMAX,
         Softmax("general_scores"), columns=WORDS),
)  # fmt: skip
ADDITIVE = (
    Step("query", "W_s s", "W_s s", "Additive: the state is brought to the size at which both can be added.",
         Product("W_s", "s")),
    Step("keys", r"H W_h^\top", r"H W_h^\top", "Additive: so is every annotation.",
         Product("H", "W_h", transposed=True), rows=WORDS),
    Step("sums", "z", r"W_s s + W_h h_i", "Additive: the query is added to each of them.",
         Sum(("query", "keys")), rows=WORDS),
    Step("bent", "a", r"\tanh z", "Additive: every number is bent into the range from −1 to 1. This is what no product "
         "does.", Tanh("sums"), rows=WORDS),
    Step("additive_scores", r"e_{\text{additive}}", "a v", "Additive: v weighs the bent numbers into one score each.",
         Product("bent", "v"), columns=WORDS),
    Step("additive_weights", r"\alpha_{\text{additive}}", r"\mathrm{softmax}(e_{\text{additive}})", SOFTMAX,
         Softmax("additive_scores"), columns=WORDS),
)  # fmt: skip
STATE_TEXT = "The decoder's state, which asks."
W_S_TEXT = "Additive: the state's matrix."
W_H_TEXT = "Additive: the annotations' matrix."
V = Given("v", "v", "Additive: the vector that makes one score.", np.array([0.9, -0.7]), ("A",))

THREE_SCORES = Example(
    name="three-scores",
    title="Three scores on the same vectors",
    text="One state asks the same three annotations by dot, general and additive score. Only the score differs.",
    source=SOURCE,
    function=three_ways,
    sizes={
        "S": "source words",
        "D": "numbers in the state and in an annotation",
        "A": "numbers that the additive score compares in",
    },
    givens=(
        Given("s", "s", STATE_TEXT, np.array([0.8, -0.5]), ("D",)),
        Given(
            "H", "H", "The annotations, a row for each word.",
            np.array([[0.4, 0.9], [1.2, -0.6], [-0.7, 0.3]]), ("S", "D"), WORDS,
        ),
        Given("W", "W", "General: the matrix between the two.", np.array([[0.5, -1.0], [0.8, 0.2]]), ("D", "D")),
        Given("W_s", "W_s", W_S_TEXT, np.array([[0.6, -0.4], [-0.3, 0.9]]), ("A", "D")),
        Given("W_h", "W_h", W_H_TEXT, np.array([[0.7, -0.2], [0.1, 0.8]]), ("A", "D")),
        V,
    ),
    steps=(
        Step("dot_scores", r"e_{\text{dot}}", "H s", "Dot: each annotation times the state, entry by entry, added up.",
             Product("H", "s"), columns=WORDS),
        Step("dot_weights", r"\alpha_{\text{dot}}", r"\mathrm{softmax}(e_{\text{dot}})", SOFTMAX,
             Softmax("dot_scores"), columns=WORDS),
        *GENERAL,
        *ADDITIVE,
    ),
    notes=(
        "Make W the identity, and general gives the scores of dot.",
        "Dot learns nothing of its own: it has no matrix. From the weights on, all three go the same way.",
    ),
)  # fmt: skip

DIFFERENT_SIZES = Example(
    name="different-sizes",
    title="A state and annotations of different sizes",
    text="As stated, the state has 2 numbers and every annotation 3. Dot is impossible; general and additive do not "
    "mind.",
    source=SOURCE,
    function=two_ways,
    sizes={
        "S": "source words",
        "H": "numbers in the state",
        "E": "numbers in an annotation",
        "A": "numbers that the additive score compares in",
    },
    givens=(
        Given("s", "s", STATE_TEXT, np.array([0.8, -0.5]), ("H",)),
        Given(
            "H", "H", "The annotations, a row for each word.",
            np.array([[0.4, 0.9, -0.3], [1.2, -0.6, 0.5], [-0.7, 0.3, 0.8]]), ("S", "E"), WORDS,
        ),
        Given(
            "W", "W", "General: as many rows as the state has numbers, as many columns as an annotation.",
            np.array([[0.5, -1.0, 0.3], [0.8, 0.2, -0.4]]), ("H", "E"),
        ),
        Given("W_s", "W_s", W_S_TEXT, np.array([[0.6, -0.4], [-0.3, 0.9]]), ("A", "H")),
        Given("W_h", "W_h", W_H_TEXT, np.array([[0.7, -0.2, 0.5], [0.1, 0.8, -0.6]]), ("A", "E")),
        V,
    ),
    steps=(*GENERAL, *ADDITIVE),
    notes=(
        "Dot multiplies the first number of the state with the first of the annotation, the second with the second, "
        "and so on. As stated, an annotation's third number finds no partner in a state of 2, and NumPy refuses H s: "
        "3 × 3 by 2.",
        "As stated, general has a W of 2 × 3: it makes 2 numbers of an annotation's 3. The additive score brings both "
        "to a size of its own.",
    ),
)  # fmt: skip
