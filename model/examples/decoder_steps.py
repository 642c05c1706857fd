"""Decoder steps: one without a context and one with it, then Bahdanau's step beside Luong's on the same inputs.

Bahdanau et al. (2015), section 3.1: the previous state asks, and the cell reads [y ; c].
Luong et al. (2015), section 3: the cell reads y, the state that it makes asks, and the context joins it in h̃.

As published they differ in three ways: which state is the query, whether the cell reads the context, and the score,
additive in Bahdanau's and here general in Luong's. `BAHDANAU_GENERAL` has Bahdanau's order with Luong's score, which
removes the last difference. All cells are plain, s = tanh(W_x x + U s_before), and all outputs are h̃ = tanh(W_c [c ;
s]), as in the models here. Every vector of these three has a size of its own.
"""

import numpy as np

from regard.model.examples.example import Example, Given, Step
from regard.model.examples.operations import Concat, Product, Softmax, Sum, Tanh

# fmt: off
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
H = Given("H", "H", "The annotations, a row for each source word.",
          np.array([[0.2, 0.9, -0.4, 0.1], [1.1, -0.4, 0.3, 0.6], [-0.5, 0.6, 0.8, -0.2]]), ("S", "E"), WORDS)
U = Given("U", "U", "What the cell keeps of the state before.",
          np.array([[0.8, -0.1, 0.2], [0.3, 0.6, -0.4], [-0.2, 0.5, 0.7]]), ("H", "H"))
W_c = Given("W_c", "W_c", "Mixes the context and the state.",
            np.array([[0.6, -0.2, 0.4, 0.1, 0.5, -0.3, 0.2],
                      [-0.1, 0.7, 0.3, -0.5, 0.2, 0.4, -0.6],
                      [0.3, 0.2, -0.4, 0.6, -0.2, 0.1, 0.5]]),
            ("H", "E+H"))
W_o = Given("W_o", "W_o", "The output layer, a row for each word.",
            np.array([[1.2, 0.3, 0.5], [0.8, -0.4, 0.2], [-0.5, 0.2, 0.1]]), ("V", "H"), FRENCH)
KEPT = Step("kept", "U s_{t-1}", Product("U", "previous"), "What is left of the state before.")
SUMMED = Step("summed", "z", Sum("given", "kept"), "Both are added.")
STATE = Step("state", "s_t", Tanh("summed"), "Squeezed into the range from −1 to 1: the state of this step.")
WEIGHTS = Step("weights", r"\alpha", Softmax("scores"), "Shares that add up to 1.")
CONTEXT = Step("context", "c", Product("weights", "H"), "The annotations added up, each multiplied by its weight.")
READ_OUT = (
    Step("joined", "[c ; s_t]", Concat("context", "state"), "The context and the state side by side."),
    Step("mixed", "u", Product("W_c", "joined"), "Each row of W_c times the joined vector."),
    Step("attentional", r"\tilde h", Tanh("mixed"), "The attentional vector."),
    Step("logits", r"\ell", Product("W_o", "attentional"), "Each word's row of W_o times the attentional vector."),
    Step("probabilities", "p", Softmax("logits"), "The softmax over words to write."),
)
PLAIN = "The cells are plain recurrent ones in place of an LSTM or a GRU, and all examples read out in the same way."
AS_PUBLISHED = (
    "As published, three things set Bahdanau's step and Luong's apart: which state asks, whether the cell reads the "
    "context, and the score, additive in the one and here general in the other. The example between them has "
    "Bahdanau's order with the general score, so that the score is the same."
)
W_a = Given("W_a", "W_a", "The matrix of the general score.",
            np.array([[0.5, -1.0, 0.3, 0.2], [0.8, 0.2, -0.4, 0.6], [-0.3, 0.4, 0.7, -0.1]]), ("H", "E"))
W_x = Given("W_x", "W_x", "What the cell makes of the word and the context. Its left part is Luong's.",
            np.hstack([WORD_PART, CONTEXT_PART]), ("H", "D+E"))
GENERAL_KEYS = Step("keys", r"H W_a^\top", Product("H", "W_a", transposed=True), "W_a turns every annotation into "
                    "the state's terms.")
AFTER_THE_LOOK = (
    Step("inputs", "x = [y ; c]", Concat("y", "context"), "What the cell reads: the word and the context side by "
         "side."),
    Step("given", "W_x x", Product("W_x", "inputs"), "What both bring.", formula=r"W_x\,[y ; c]"),
    KEPT, SUMMED, STATE,
)

BAHDANAU = Example(
    name="bahdanau",
    title="Bahdanau's step: the previous state asks",
    text="First attention, then the cell: it reads the word and what was found, [y ; c].",
    source=SOURCE,
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
        Step("query", "W_s s_{t-1}", Product("W_s", "previous"), "The state before this step asks."),
        Step("keys", r"H W_h^\top", Product("H", "W_h", transposed=True), "The annotations, brought to the same size."),
        Step("sums", "a", Sum("query", "keys"), "The query is added to each of them.", formula="W_s s_{t-1} + W_h h_i"),
        Step("squeezed", "b", Tanh("sums"), "Every number is squeezed into the range from −1 to 1."),
        Step("scores", "e", Product("squeezed", "v"), "v weighs the squeezed numbers into one score each."),
        WEIGHTS, CONTEXT, *AFTER_THE_LOOK, *READ_OUT,
    ),
    notes=(
        AS_PUBLISHED,
        PLAIN,
        "Bahdanau's own output layer is a maxout over the state, the word and the context. Here it is Luong's h̃, as in "
        "the model of this app that is wired like this.",
    ),
)

BAHDANAU_GENERAL = Example(
    name="bahdanau-general",
    title="Bahdanau's order with the general score",
    text="The previous state asks and the cell reads [y ; c], as Bahdanau has it; the score is the one of Luong's "
    "example, with the same matrix. What differs from Luong's step now is who asks and what the cell reads.",
    source=SOURCE,
    sizes=SIZES,
    givens=(y, PREVIOUS, H, W_a, W_x, U, W_c, W_o),
    steps=(
        GENERAL_KEYS,
        Step("scores", "e", Product("keys", "previous"), "The state before this step asks."),
        WEIGHTS, CONTEXT, *AFTER_THE_LOOK, *READ_OUT,
    ),
    notes=(AS_PUBLISHED, PLAIN),
)

LUONG = Example(
    name="luong",
    title="Luong's step: the current state asks",
    text="First the cell, which reads the word alone. The state it makes asks, and the context joins it in h̃.",
    source=SOURCE,
    sizes=SIZES,
    givens=(
        y, PREVIOUS, H,
        Given("W_x", "W_x", "What the cell makes of the word.", WORD_PART, ("H", "D")),
        U, W_a, W_c, W_o,
    ),
    steps=(
        Step("given", "W_x y", Product("W_x", "y"), "What the word brings."),
        KEPT,
        Step("summed", "z", Sum("given", "kept"), "Both are added."),
        STATE,
        GENERAL_KEYS,
        Step("scores", "e", Product("keys", "state"), "The state of this step asks."),
        WEIGHTS, CONTEXT, *READ_OUT,
    ),
    notes=(
        AS_PUBLISHED,
        PLAIN,
        "With input feeding, which Luong's paper adds, the cell also reads the h̃ of the step before, and so what "
        "attention found then.",
    ),
)

FORMULAS = "A tutorial that explains attention “from scratch”; it prints formulas and no numbers, these are ours"
SMALL_SIZES = {"D": "numbers in a word's embedding", "H": "numbers in a state", "V": "words to choose from"}
PLAIN_CELL = (
    "The tutorial's cell is an LSTM. Here it is the plainest recurrent cell, tanh(W_y y + W_s s), which fits on paper. "
    "Attention reads the state that comes out and never looks inside the cell, so nothing about it changes."
)
STATE_PART = np.array([[0.7, -0.3], [0.2, 0.5], [-0.6, 0.4]])
CONTEXT_HALF = np.array([[0.9, 0.4], [-0.5, 0.8], [0.3, -0.7]])
SMALL_PREVIOUS = Given("previous", "s_{t-1}", "The state before this step.", np.array([0.6, 0.3]), ("H",))
W_y = Given("W_y", "W_y", "What the cell makes of the word.", np.array([[0.5, 0.2], [-0.4, 0.7]]), ("H", "D"))
W_s = Given("W_s", "W_s", "What the cell keeps of the state before.", np.array([[0.8, -0.1], [0.3, 0.6]]), ("H", "H"))
WORD_GIVEN = Step("given", "W_y y", Product("W_y", "y"), "What the word brings.")
STATE_KEPT = Step("kept", "W_s s_{t-1}", Product("W_s", "previous"), "What is left of the state before.")
PROBABILITIES = Step("probabilities", "p", Softmax("logits"), "The softmax over words to write.")

WITHOUT_CONTEXT = Example(
    name="without-context",
    title="A decoder step without context",
    text="The word written last and the state before it make the next state. The source appears nowhere.",
    source=FORMULAS,
    sizes=SMALL_SIZES,
    givens=(
        y, SMALL_PREVIOUS, W_y, W_s,
        Given("W", "W", "The output layer, a row for each word.", STATE_PART, ("V", "H"), FRENCH),
    ),
    steps=(
        WORD_GIVEN,
        STATE_KEPT,
        Step("summed", "z", Sum("given", "kept"), "Both are added."),
        STATE,
        Step("logits", r"\ell", Product("W", "state"), "Each word's row of W times the state."),
        PROBABILITIES,
    ),
    notes=(PLAIN_CELL, "All that the decoder knows of the source has to be in the state it began with."),
)

WITH_CONTEXT = Example(
    name="with-context",
    title="The same step with a context",
    text="The state asks the annotations, and what it finds enters the cell and the output layer.",
    source=FORMULAS,
    sizes={"S": "source words"} | SMALL_SIZES,
    givens=(
        y, SMALL_PREVIOUS,
        Given("H", "H", "The annotations, a row for each source word.",
              np.array([[0.2, 0.9], [1.1, -0.4], [-0.5, 0.6]]), ("S", "H"), WORDS),
        W_y, W_s,
        Given("W_c", "W_c", "What the cell makes of the context.", np.array([[0.4, -0.6], [0.9, 0.1]]), ("H", "H")),
        Given("W", "W", "The output layer over [s ; c]. Its left half is the one of the step without context.",
              np.hstack([STATE_PART, CONTEXT_HALF]), ("V", "H+H"), FRENCH),
    ),
    steps=(
        Step("scores", "e", Product("H", "previous"), "The state before this step asks: each annotation times the "
             "state."),
        WEIGHTS, CONTEXT, WORD_GIVEN, STATE_KEPT,
        Step("found", "W_c c", Product("W_c", "context"), "What the source says to this step. It was missing before."),
        Step("summed", "z", Sum("given", "kept", "found"), "All three are added."),
        STATE,
        Step("joined", "[s ; c]", Concat("state", "context"), "The new state and the context side by side."),
        Step("logits", r"\ell", Product("W", "joined"), "Each word's row of W times the joined vector.",
             formula=r"W\,[s_t ; c]"),
        PROBABILITIES,
    ),
    notes=(
        PLAIN_CELL,
        "The tutorial scores with the state s_t, and feeds the context c_t into the cell that makes s_t: each would "
        "have to be there before the other. Here the state before this step asks, as in Bahdanau's wiring; in Luong's"
        " the cell moves first and gets no context.",
    ),
)
