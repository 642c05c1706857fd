"""Matrices, words and steps shared by the examples of decoder steps: the same inputs and the same output."""

import numpy as np

from regard.model.examples.entries import Concat, Product, Softmax, Sum, Tanh
from regard.model.examples.example import Given, Step

WORDS = ("I", "love", "you")
FRENCH = ("t'aime", "adore", "vois")
SOURCE = "A tutorial that explains attention “from scratch” and offers this derivation; its numbers are ours"
SIZES = {
    "S": "source words",
    "D": "numbers in a word's embedding",
    "H": "numbers in a state",
    "E": "numbers in an annotation",
    "V": "words to choose from",
}
WORD_PART = np.array([[0.5, 0.2], [-0.4, 0.7], [0.1, -0.6]])
CONTEXT_PART = np.array([[0.4, -0.6, 0.3, 0.1], [0.9, 0.1, -0.2, 0.5], [-0.3, 0.7, 0.2, -0.4]])
y = Given("y", "y", "The embedding of the word written last.", np.array([0.4, -0.8]), ("D",))
PREVIOUS = Given("previous", "s_{t-1}", "The state before this step.", np.array([0.6, 0.3, -0.5]), ("H",))
H = Given(
    "H", "H", "The annotations, a row for each source word.",
    np.array([[0.2, 0.9, -0.4, 0.1], [1.1, -0.4, 0.3, 0.6], [-0.5, 0.6, 0.8, -0.2]]), ("S", "E"), WORDS,
)  # fmt: skip
U = Given(
    "U", "U", "What the cell keeps of the state before.",
    np.array([[0.8, -0.1, 0.2], [0.3, 0.6, -0.4], [-0.2, 0.5, 0.7]]), ("H", "H"),
)  # fmt: skip
W_c = Given(
    "W_c", "W_c", "Mixes the context and the state.",
    np.array(
        [
            [0.6, -0.2, 0.4, 0.1, 0.5, -0.3, 0.2],
            [-0.1, 0.7, 0.3, -0.5, 0.2, 0.4, -0.6],
            [0.3, 0.2, -0.4, 0.6, -0.2, 0.1, 0.5],
        ]
    ),
    ("H", "E+H"),
)  # fmt: skip
W_o = Given(
    "W_o", "W_o", "The output layer, a row for each word.",
    np.array([[1.2, 0.3, 0.5], [0.8, -0.4, 0.2], [-0.5, 0.2, 0.1]]), ("V", "H"), FRENCH,
)  # fmt: skip
KEPT = Step("kept", "U s_{t-1}", "U s_{t-1}", "What is left of the state before.", Product("U", "previous"))
SUMMED = Step("summed", "z", "W_x x + U s_{t-1}", "Both are added.", Sum(("given", "kept")))
STATE = Step("state", "s_t", r"\tanh z", "Bent into the range from −1 to 1: the state of this step.", Tanh("summed"))
WEIGHTS = Step("weights", r"\alpha", r"\mathrm{softmax}(e)", "Shares that add up to 1.", Softmax("scores"),
               columns=WORDS)  # fmt: skip
CONTEXT = Step("context", "c", r"\sum_i \alpha_i h_i", "The annotations added up, each as much as its weight says.",
               Product("weights", "H"))  # fmt: skip
READ_OUT = (
    Step("joined", "[c ; s_t]", "[c ; s_t]", "The context and the state side by side.", Concat(("context", "state"))),
    Step("mixed", "u", r"W_c\,[c ; s_t]", "Each row of W_c times the joined vector.", Product("W_c", "joined")),
    Step("attentional", r"\tilde h", r"\tanh u", "The attentional vector.", Tanh("mixed")),
    Step("logits", r"\ell", r"W_o\,\tilde h", "Each word's row of W_o times the attentional vector.",
         Product("W_o", "attentional"), columns=FRENCH),
    Step("probabilities", "p", r"\mathrm{softmax}(\ell)", "The softmax over words to write.", Softmax("logits"),
         columns=FRENCH),
)  # fmt: skip
PLAIN = "The cells are plain recurrent ones in place of an LSTM or a GRU, and all examples read out in the same way."
AS_PUBLISHED = (
    "As published, three things set Bahdanau's step and Luong's apart: which state asks, whether the cell reads the "
    "context, and the score, additive in the one and here general in the other. The example between them has "
    "Bahdanau's order with the general score, so that the score is the same."
)
W_a = Given(
    "W_a", "W_a", "The matrix of the general score.",
    np.array([[0.5, -1.0, 0.3, 0.2], [0.8, 0.2, -0.4, 0.6], [-0.3, 0.4, 0.7, -0.1]]), ("H", "E"),
)  # fmt: skip
W_x = Given(
    "W_x", "W_x", "What the cell makes of the word and the context. Its left part is Luong's.",
    np.hstack([WORD_PART, CONTEXT_PART]), ("H", "D+E"),
)  # fmt: skip
GENERAL_KEYS = Step("keys", r"H W_a^\top", r"H W_a^\top", "W_a turns every annotation into the state's terms.",
                    Product("H", "W_a", transposed=True), rows=WORDS)  # fmt: skip
AFTER_THE_LOOK = (
    Step("inputs", "x = [y ; c]", "[y ; c]", "What the cell reads: the word and the context side by side.",
         Concat(("y", "context"))),
    Step("given", "W_x x", r"W_x\,[y ; c]", "What both bring.", Product("W_x", "inputs")),
    KEPT, SUMMED, STATE,
)  # fmt: skip
