"""Examples of tutorials: their numbers where they print some, and ours where they do not.

LUONG_GENERAL    "I love you", about to write "t'aime", with Luong's general score; it goes wrong at its first product
LUONG_SUMMARY    the same tutorial's summary: its steps compute (H W) q, its summary says qᵀ W h
THREE_DIMENSIONS two encoder states; all that it prints is right, and its output layer is finished with our numbers
THREE_SCORES     dot, general and additive score: Luong et al. (2015), section 3.1; Bahdanau et al. (2015), A.1.2
DIFFERENT_SIZES  a state and annotations of different sizes, for which dot is impossible
QUERY            a query against encoder outputs of two numbers, which can be drawn as arrows; random numbers
"""

import numpy as np

from regard.model.examples.example import Example, Given, Step, drawn
from regard.model.examples.operations import Concat, Product, Softmax, Sum, Tanh

# fmt: off
WORDS = ("I", "love", "you")
FRENCH = ("t'aime", "adore", "aime", "vois")

SOURCE = "A tutorial, “Luong Attention Mechanism: Complete Numerical Example”"
EMBEDDINGS = Given("X", "X", "The embeddings of the three words, 4 numbers each.",
                   np.array([[0.5, 0.2, -0.3, 0.1], [0.8, -0.1, 0.4, 0.2], [-0.2, 0.6, 0.3, -0.5]]), ("S", "D"), WORDS)
H = Given("H", "H", "The annotations: what the encoder made of each word, a row for each.",
          np.array([[0.3, 0.7, -0.2], [0.5, 0.4, 0.6], [0.2, -0.3, 0.8]]), ("S", "E"), WORDS)
q = Given("q", "q", "The query: the decoder's state after “Je”.", np.array([0.6, -0.4, 0.5]), ("H",))
W_NUMBERS = np.array([[0.8, -0.2, 0.3], [0.5, 0.6, -0.1], [-0.3, 0.4, 0.7]])
DIVISOR = Given("divisor", "d", "What the scores are divided by: 1 leaves them, √ of the size of the query is the "
                "Transformer's scaling.", np.array(1.0), least=1e-3)
SIZES = {"S": "source words", "E": "numbers in an annotation", "H": "numbers in the query"}
SCORES_TEXT = "Each row of keys is compared with the query: multiply entry by entry and add up."
WEIGHTS_TEXT = "e to the power of each score, divided by the sum of all of them: shares that add up to 1."
CONTEXT_TEXT = "The annotations added up, each multiplied by its weight."

LUONG_GENERAL = Example(
    name="luong-general",
    title="“I love you”, by its steps",
    text="One decoder step from the annotations to the next word, with Luong's general score as (H W) q.",
    source=SOURCE,
    sizes=SIZES | {"V": "words to choose from"},
    givens=(
        H,
        Given("W", "W", "The matrix of the general score, learned in training.", W_NUMBERS, ("E", "H")),
        q,
        DIVISOR,
        Given("W_c", "W_c", "Mixes the query and the context.",
              np.array([[0.5, -0.3, 0.2, 0.1, 0.4, -0.2], [0.3, 0.6, -0.1, 0.5, -0.3, 0.2],
                        [-0.2, 0.4, 0.7, -0.3, 0.1, 0.5]]),
              ("H", "H+E")),
        Given("W_o", "W_o", "The output layer, a row for each word. The tutorial leaves it random; these numbers are "
              "ours.", np.array([[1.2, 0.3, 0.5], [0.8, -0.4, 0.2], [0.6, 0.5, -0.3], [-0.5, 0.2, 0.1]]), ("V", "H"),
              FRENCH, stated=True),
    ),
    steps=(
        Step("keys", "K", Product("H", "W"), "Every annotation is multiplied by W.",
             printed=np.array([[0.65, 0.22, 0.02], [0.76, 0.22, 0.53], [0.41, -0.06, 0.59]]), digits=2),
        Step("scores", "e", Product("keys", "q", over="divisor"), SCORES_TEXT, printed=np.array([0.312, 0.633, 0.565])),
        Step("weights", r"\alpha", Softmax("scores"), WEIGHTS_TEXT, printed=np.array([0.273, 0.376, 0.351])),
        Step("context", "c", Product("weights", "H"), CONTEXT_TEXT, printed=np.array([0.340, 0.236, 0.452])),
        Step("joined", "[q ; c]", Concat("q", "context"), "The query and the context side by side."),
        Step("summed", "z", Product("W_c", "joined"), "Each row of W_c times the joined vector.",
             printed=np.array([0.345, -0.123, 0.567])),
        Step("attentional", r"\tilde h", Tanh("summed"), "Every number is squeezed into the range from −1 to 1.",
             printed=np.array([0.332, -0.122, 0.513])),
        Step("logits", r"\ell", Product("W_o", "attentional"), "Each word's row of W_o times the attentional vector."),
        Step("probabilities", "p", Softmax("logits"), "The same softmax, now over words to write."),
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
        "It says that the model correctly focuses on “love”. No model made these matrices, and with 37.6%, 35.1% and "
        "27.3% it looks almost equally everywhere: a third each would be no choice at all. Nor is “t'aime” one word of "
        "the source: t' is “you”.",
        f"Its h_enc, {H.values[-1].tolist()}, is the last row of H. In a bidirectional LSTM half of that row has read "
        "one word only: the reading from the right is complete at the first row.",
        "Much survives: the order of the steps, the shapes, softmax and weighted sum are all as they should be, and "
        "with the right numbers “love” still gets the most attention.",
        "Its W_o is “random”, and the probabilities that it prints, .342, .198 and .156, cannot be redone. As stated "
        "here, a small W_o of ours finishes the step.",
    ),
)

LUONG_SUMMARY = Example(
    name="luong-summary",
    title="“I love you”, by its summary",
    text="The same tutorial sums itself up as qᵀ W h, with W the other way round, and another word wins.",
    source=SOURCE,
    sizes=SIZES,
    givens=(H, Given("W", "W", "The matrix of the general score.", W_NUMBERS, ("H", "E")), q, DIVISOR),
    steps=(
        Step("keys", "K", Product("H", "W", transposed=True), "Every annotation meets the rows of W, not its columns."),
        Step("scores", "e", Product("keys", "q", over="divisor"), SCORES_TEXT),
        Step("weights", r"\alpha", Softmax("scores"), WEIGHTS_TEXT),
        Step("context", "c", Product("weights", "H"), CONTEXT_TEXT),
    ),
    notes=("From here on the steps are those of the other reading.",),
)

STATES = ("h1", "h2")
CHOICES = ("word 1", "word 2", "word 3")

THREE_DIMENSIONS = Example(
    name="three-dimensions",
    title="Two states in three dimensions",
    text="The smallest whole step: two encoder states, and a W_a that changes nothing because it is the identity.",
    source="A tutorial, “Attention Mechanism: Mathematical Formulas”, its concrete example with 3D vectors",
    sizes={"S": "encoder states", "D": "numbers in a state", "V": "words to choose from"},
    givens=(
        Given("s", "s", "The decoder's state, which asks.", np.array([1.0, 2.0, 1.0]), ("D",)),
        Given("H", "H", "The encoder's states, a row for each.", np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 2.0]]),
              ("S", "D"), STATES),
        Given("W_a", "W_a", "The matrix of the score. The identity leaves every state as it is; change an entry to "
              "see what it does.", np.eye(3), ("D", "D")),
        Given("W_o", "W_o", "The output layer, a row for each word. The tutorial gives no numbers for it; these are "
              "ours.",
              np.array([[0.5, -0.2, 0.1, 0.4, 0.3, -0.1], [-0.3, 0.4, 0.2, -0.1, 0.5, 0.2],
                        [0.2, 0.1, -0.4, 0.3, -0.2, 0.6]]),
              ("V", "D+D"), CHOICES, stated=True),
        Given("b_o", "b_o", "What each word is given beforehand, whatever the state. Ours, like W_o.",
              np.array([0.1, -0.2, 0.0]), ("V",), columns=CHOICES, stated=True),
    ),
    steps=(
        Step("keys", "K", Product("H", "W_a", transposed=True), "Every state is multiplied by W_a: row i is W_a "
             "times h_i."),
        Step("scores", "e", Product("keys", "s"), "The decoder's state is compared with each: multiply entry by "
             "entry and add up.", printed=np.array([3.0, 5.0]), digits=0),
        Step("weights", r"\alpha", Softmax("scores"), "e to the power of each score, divided by the sum of both: "
             "shares that add up to 1.", printed=np.array([0.119, 0.881])),
        Step("context", "c", Product("weights", "H"), "The states added up, each multiplied by its weight.",
             printed=np.array([1.119, 0.881, 1.881])),
        Step("joined", "[s ; c]", Concat("s", "context"), "The decoder's state and the context side by side."),
        Step("summed", "z", Product("W_o", "joined"), "Each word's row of W_o times the joined vector."),
        Step("logits", r"\ell", Sum("summed", "b_o"), "What each word is given beforehand is added."),
        Step("probabilities", "p", Softmax("logits"), "The same softmax, now over words to write."),
    ),
    notes=(
        "Every number that the tutorial prints is right. It stops at the context; its formula for the output, "
        "softmax(W_o [s ; c] + b_o), is finished here with a small W_o and b_o of ours.",
        "As stated, the second state fits better and gets most of the weight, so the context lies close to it. The "
        "tutorial says because it is more similar; but a larger dot product also comes from a longer vector. Here both "
        "play a part: without the lengths, as the cosine of the angle, it is 0.55 against 0.83.",
    ),
)

FROM_SCRATCH = (
    "A tutorial that explains attention “from scratch”, its types of score; it prints no numbers, these are ours"
)
SHARES = "The same softmax for every score: shares that add up to 1."
GENERAL = (
    Step("general_keys", r"K_{\text{general}}", Product("H", "W", transposed=True), "General: W turns every "
         "annotation into the state's terms."),
    Step("general_scores", r"e_{\text{general}}", Product("general_keys", "s"), "General: the state times what W "
         "made of each annotation, s · W h.", formula=r"K_{\text{general}}\, s"),
    Step("general_weights", r"\alpha_{\text{general}}", Softmax("general_scores"), SHARES),
)
ADDITIVE = (
    Step("query", "W_s s", Product("W_s", "s"), "Additive: the state is brought to the size at which both can be "
         "added."),
    Step("keys", r"H W_h^\top", Product("H", "W_h", transposed=True), "Additive: so is every annotation."),
    Step("sums", "z", Sum("query", "keys"), "Additive: the query is added to each of them.",
         formula=r"W_s s + W_h h_i"),
    Step("squeezed", "a", Tanh("sums"), "Additive: every number is squeezed into the range from −1 to 1, as no "
         "product does."),
    Step("additive_scores", r"e_{\text{additive}}", Product("squeezed", "v"),
         "Additive: v weighs the squeezed numbers into one score each."),
    Step("additive_weights", r"\alpha_{\text{additive}}", Softmax("additive_scores"), SHARES),
)
STATE_TEXT = "The decoder's state, which asks."
W_S_TEXT = "Additive: the state's matrix."
W_H_TEXT = "Additive: the annotations' matrix."
v = Given("v", "v", "Additive: the vector that makes one score.", np.array([0.9, -0.7]), ("A",))

THREE_SCORES = Example(
    name="three-scores",
    title="Three scores on the same vectors",
    text="One state asks the same three annotations by dot, general and additive score. Only the score differs.",
    source=FROM_SCRATCH,
    sizes={
        "S": "source words",
        "D": "numbers in the state and in an annotation",
        "A": "numbers that the additive score compares in",
    },
    givens=(
        Given("s", "s", STATE_TEXT, np.array([0.8, -0.5]), ("D",)),
        Given("H", "H", "The annotations, a row for each word.", np.array([[0.4, 0.9], [1.2, -0.6], [-0.7, 0.3]]),
              ("S", "D"), WORDS),
        Given("W", "W", "General: the matrix between the two.", np.array([[0.5, -1.0], [0.8, 0.2]]), ("D", "D")),
        Given("W_s", "W_s", W_S_TEXT, np.array([[0.6, -0.4], [-0.3, 0.9]]), ("A", "D")),
        Given("W_h", "W_h", W_H_TEXT, np.array([[0.7, -0.2], [0.1, 0.8]]), ("A", "D")),
        v,
    ),
    steps=(
        Step("dot_scores", r"e_{\text{dot}}", Product("H", "s"), "Dot: each annotation times the state, entry by "
             "entry, added up."),
        Step("dot_weights", r"\alpha_{\text{dot}}", Softmax("dot_scores"), SHARES),
        *GENERAL,
        *ADDITIVE,
    ),
    notes=(
        "Make W the identity, and general gives the scores of dot.",
        "Dot learns nothing of its own: it has no matrix. From the weights on, all three go the same way.",
    ),
)

DIFFERENT_SIZES = Example(
    name="different-sizes",
    title="A state and annotations of different sizes",
    text="As stated, the state has 2 numbers and every annotation 3. Dot is impossible; general and additive do not "
    "mind.",
    source=FROM_SCRATCH,
    sizes={
        "S": "source words",
        "H": "numbers in the state",
        "E": "numbers in an annotation",
        "A": "numbers that the additive score compares in",
    },
    givens=(
        Given("s", "s", STATE_TEXT, np.array([0.8, -0.5]), ("H",)),
        Given("H", "H", "The annotations, a row for each word.",
              np.array([[0.4, 0.9, -0.3], [1.2, -0.6, 0.5], [-0.7, 0.3, 0.8]]), ("S", "E"), WORDS),
        Given("W", "W", "General: as many rows as the state has numbers, as many columns as an annotation.",
              np.array([[0.5, -1.0, 0.3], [0.8, 0.2, -0.4]]), ("H", "E")),
        Given("W_s", "W_s", W_S_TEXT, np.array([[0.6, -0.4], [-0.3, 0.9]]), ("A", "H")),
        Given("W_h", "W_h", W_H_TEXT, np.array([[0.7, -0.2, 0.5], [0.1, 0.8, -0.6]]), ("A", "E")),
        v,
    ),
    steps=(*GENERAL, *ADDITIVE),
    notes=(
        "Dot multiplies the first number of the state with the first of the annotation, the second with the second, "
        "and so on. As stated, an annotation's third number finds no partner in a state of 2, and NumPy refuses H s: "
        "3 × 3 by 2.",
        "As stated, general has a W of 2 × 3: it makes 2 numbers of an annotation's 3. The additive score brings both "
        "to a size of its own.",
    ),
)

SEED = 4
GREATEST = 2.0  # the entries lie between −2 and 2
OUTPUTS = 4
PLACES = tuple(f"h{place}" for place in range(1, OUTPUTS + 1))

DRAWN = drawn(SEED, (OUTPUTS, 2), (2,), greatest=GREATEST)
QUERY = Example(
    name="query",
    title="A query against encoder outputs",
    text="The three steps of all attention, compare, weigh, sum, with nothing around them.",
    source=f"A description of sequence-to-sequence with attention; the numbers are drawn at random with seed {SEED}",
    sizes={"S": "encoder outputs", "D": "numbers in an output"},
    givens=(
        Given("q", "q", "The decoder's query.", DRAWN[1], ("D",)),
        Given("H", "H", "The encoder's outputs, a row for each time step.", DRAWN[0], ("S", "D"), PLACES),
        DIVISOR,
    ),
    steps=(
        Step("scores", "e", Product("H", "q", over="divisor"), "Each output times the query: multiply entry by entry "
             "and add up."),
        Step("weights", r"\alpha", Softmax("scores"), "e to the power of each score, divided by the sum of all of "
             "them: shares that add up to 1."),
        Step("context", "c", Product("weights", "H"), "The outputs added up, each multiplied by its weight."),
    ),
    notes=(
        "The document describes this simulation and shows none of its numbers, so these are random, "
        f"between −{GREATEST:.0f} and {GREATEST:.0f} with one decimal, and not learned. Randomise draws others.",
    ),
)
