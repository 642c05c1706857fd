"""Luong's general score on "I love you", about to write "t'aime": from the annotations to the probabilities.

The matrices H, W, q and W_c are those of a tutorial that goes wrong at its first product and carries the mistake to its
end. It also writes the score in two ways that need two different products: its steps compute (H W) q, its summary qᵀ W
h.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.examples.entries import Concat, Product, Softmax, Tanh, Values
from regard.model.examples.example import Example, Given, Step
from regard.model.reference.formulas import softmax

WORDS = ("I", "love", "you")
FRENCH = ("t'aime", "adore", "aime", "vois")


def as_its_steps(
    H: Float[ndarray, "S E"],
    W: Float[ndarray, "E H"],
    q: Float[ndarray, " H"],
    divisor: Float[ndarray, ""],
    W_c: Float[ndarray, "H J"],
    W_o: Float[ndarray, "V H"],
) -> Values:
    keys = H @ W
    scores = keys @ q / divisor
    weights = softmax(scores)
    context = weights @ H
    joined = np.concatenate([q, context])
    summed = W_c @ joined
    attentional = np.tanh(summed)
    logits = W_o @ attentional
    probabilities = softmax(logits)
    return locals()


def as_its_summary(
    H: Float[ndarray, "S E"], W: Float[ndarray, "H E"], q: Float[ndarray, " H"], divisor: Float[ndarray, ""]
) -> Values:
    keys = H @ W.T
    scores = keys @ q / divisor
    weights = softmax(scores)
    context = weights @ H
    return locals()


SOURCE = "A tutorial, “Luong Attention Mechanism: Complete Numerical Example”"
X = Given(
    "X", "X", "The embeddings of the three words, 4 numbers each.",
    np.array([[0.5, 0.2, -0.3, 0.1], [0.8, -0.1, 0.4, 0.2], [-0.2, 0.6, 0.3, -0.5]]), ("S", "D"), WORDS,
)  # fmt: skip
H = Given(
    "H", "H", "The annotations: what the encoder made of each word, a row for each.",
    np.array([[0.3, 0.7, -0.2], [0.5, 0.4, 0.6], [0.2, -0.3, 0.8]]), ("S", "E"), WORDS,
)  # fmt: skip
q = Given("q", "q", "The query: the decoder's state after “Je”.", np.array([0.6, -0.4, 0.5]), ("H",))
W_NUMBERS = np.array([[0.8, -0.2, 0.3], [0.5, 0.6, -0.1], [-0.3, 0.4, 0.7]])
DIVISOR = Given(
    "divisor", "d", "What the scores are divided by: 1 leaves them, √ of the size of the query is the Transformer's "
    "scaling.", np.array(1.0), least=1e-3,
)  # fmt: skip
SIZES = {"S": "source words", "E": "numbers in an annotation", "H": "numbers in the query"}
SCORES_TEXT = "Each row of keys is compared with the query: multiply entry by entry and add up."
WEIGHTS_TEXT = "e to the power of each score, divided by the sum of all of them: shares that add up to 1."
CONTEXT_TEXT = "The annotations added up, each as much as its weight says."

LUONG_GENERAL = Example(
    name="luong-general",
    title="“I love you”, by its steps",
    text="One decoder step from the annotations to the next word, with Luong's general score as (H W) q.",
    source=SOURCE,
    function=as_its_steps,
    sizes=SIZES | {"V": "words to choose from"},
    before=(X,),
    givens=(
        H,
        Given("W", "W", "The matrix of the general score, learned in training.", W_NUMBERS, ("E", "H")),
        q,
        DIVISOR,
        Given(
            "W_c", "W_c", "Mixes the query and the context.",
            np.array(
                [[0.5, -0.3, 0.2, 0.1, 0.4, -0.2], [0.3, 0.6, -0.1, 0.5, -0.3, 0.2], [-0.2, 0.4, 0.7, -0.3, 0.1, 0.5]]
            ), ("H", "H+E"),
        ),
        Given(
            "W_o", "W_o",
            "The output layer, a row for each word. The tutorial leaves it random; these numbers are ours.",
            np.array([[1.2, 0.3, 0.5], [0.8, -0.4, 0.2], [0.6, 0.5, -0.3], [-0.5, 0.2, 0.1]]), ("V", "H"), FRENCH,
            stated=True,
        ),
    ),
    steps=(
        Step(
            "keys", "K", "H W", "Every annotation is multiplied by W.", Product("H", "W"), rows=WORDS,
            printed=np.array([[0.65, 0.22, 0.02], [0.76, 0.22, 0.53], [0.41, -0.06, 0.59]]), digits=2,
        ),
        Step(
            "scores", "e", "K q / d", SCORES_TEXT, Product("keys", "q", over="divisor"), columns=WORDS,
            printed=np.array([0.312, 0.633, 0.565]),
        ),
        Step(
            "weights", r"\alpha", r"\mathrm{softmax}(e)", WEIGHTS_TEXT, Softmax("scores"), columns=WORDS,
            printed=np.array([0.273, 0.376, 0.351]),
        ),
        Step(
            "context", "c", r"\sum_i \alpha_i h_i", CONTEXT_TEXT, Product("weights", "H"),
            printed=np.array([0.340, 0.236, 0.452]),
        ),
        Step("joined", "[q ; c]", "[q ; c]", "The query and the context side by side.", Concat(("q", "context"))),
        Step(
            "summed", "z", r"W_c\,[q ; c]", "Each row of W_c times the joined vector.", Product("W_c", "joined"),
            printed=np.array([0.345, -0.123, 0.567]),
        ),
        Step(
            "attentional", r"\tilde h", r"\tanh z", "Every number is bent into the range from −1 to 1.", Tanh("summed"),
            printed=np.array([0.332, -0.122, 0.513]),
        ),
        Step(
            "logits", r"\ell", r"W_o\,\tilde h", "Each word's row of W_o times the attentional vector.",
            Product("W_o", "attentional"), columns=FRENCH,
        ),
        Step(
            "probabilities", "p", r"\mathrm{softmax}(\ell)", "The same softmax, now over words to write.",
            Softmax("logits"), columns=FRENCH,
        ),
    ),
    notes=(
        "The tutorial prints the embeddings X and the annotations H, and no LSTM that leads from one to the other: the "
        "arithmetic can begin at H.",
        "Two of its products are wrong in themselves: H W, from the first row on, and W_c [q ; c], for which it "
        "shows no steps. Everything else follows correctly from what was printed before it. Only e to the power of "
        ".565 is 1.759, not 1.760, which changes no weight.",
        "It joins [q ; c], and its summary draws the context first, as Luong's paper writes it. Either will do as long "
        "as the columns of W_c keep the same order.",
        "Its H has width 3 and is said to come from a bidirectional LSTM, whose two halves of equal size make an even "
        "number.",
        "It says that the model focuses on “love”. With 37.6%, 35.1% and 27.3% it looks almost equally everywhere: "
        "a third each would be no choice at all.",
        "Much survives: the order of the steps, the shapes, softmax and weighted sum are all as they should be, and "
        "with the right numbers “love” still gets the most attention.",
        "Its W_o is “random”, and the probabilities that it prints, .342, .198 and .156, cannot be redone. As stated "
        "here, a small W_o of ours finishes the step.",
    ),
)  # fmt: skip

LUONG_SUMMARY = Example(
    name="luong-summary",
    title="“I love you”, by its summary",
    text="The same tutorial sums itself up as qᵀ W h, with W the other way round, and another word wins.",
    source=SOURCE,
    function=as_its_summary,
    sizes=SIZES,
    givens=(H, Given("W", "W", "The matrix of the general score.", W_NUMBERS, ("H", "E")), q, DIVISOR),
    steps=(
        Step(
            "keys", "K", r"H W^\top", "Every annotation meets the rows of W, not its columns.",
            Product("H", "W", transposed=True), rows=WORDS,
        ),
        Step("scores", "e", "K q / d", SCORES_TEXT, Product("keys", "q", over="divisor"), columns=WORDS),
        Step("weights", r"\alpha", r"\mathrm{softmax}(e)", WEIGHTS_TEXT, Softmax("scores"), columns=WORDS),
        Step("context", "c", r"\sum_i \alpha_i h_i", CONTEXT_TEXT, Product("weights", "H")),
    ),
    notes=("From here on the steps are those of the other reading.",),
)  # fmt: skip
