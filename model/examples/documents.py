"""The documents that the worked examples come from: what each is, what is right and wrong with it, what to compute."""

from dataclasses import dataclass

from model.examples.context_in_decoder import WITH_CONTEXT, WITHOUT_CONTEXT
from model.examples.dot_product import QUERY
from model.examples.example import Example
from model.examples.luong_general import LUONG_GENERAL, LUONG_SUMMARY
from model.examples.three_dimensions import THREE_DIMENSIONS
from model.examples.three_scores import DIFFERENT_SIZES, THREE_SCORES
from model.examples.wirings import BAHDANAU, LUONG


@dataclass(frozen=True)
class Kind:
    """A type of attention that a document lists, and where it can be tried: an example by name, or a screen."""

    name: str
    text: str  # what sets it apart
    example: str = ""
    screen: str = ""


@dataclass(frozen=True)
class Document:
    """`name` is for links. `pairs` are examples of the same inputs, made to be seen side by side."""

    name: str
    title: str
    text: str
    examples: tuple[Example, ...] = ()
    kinds: tuple[Kind, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


DOCUMENTS: tuple[Document, ...] = (
    Document(
        name="i-love-you",
        title="“I love you”, Luong's general score",
        text="A tutorial that goes through one decoder step in numbers. Its first product, H W, is wrong, and so is "
        "all that follows. It writes the score in two ways, which give the most attention to different words, and it "
        "ends in probabilities that nobody can redo. Each step has its numbers as printed and as computed.",
        examples=(LUONG_GENERAL, LUONG_SUMMARY),
    ),
    Document(
        name="three-dimensions",
        title="Two states in three dimensions",
        text="A tutorial with the formulas and one small example. All its numbers are right, to the last digit. It "
        "stops before the output layer, of which it gives the formula alone; that step is finished here.",
        examples=(THREE_DIMENSIONS,),
    ),
    Document(
        name="from-scratch",
        title="Attention from scratch",
        text="A tutorial in words and formulas without numbers: a decoder with and without context, three scores, and "
        "Bahdanau beside Luong. Its formulas are right one by one. Taken together two of them wait for each other: the "
        "state is made from the context, and the context from the state. Every number here is ours.",
        examples=(THREE_SCORES, DIFFERENT_SIZES, WITHOUT_CONTEXT, WITH_CONTEXT, BAHDANAU, LUONG),
        pairs=((WITHOUT_CONTEXT.name, WITH_CONTEXT.name), (BAHDANAU.name, LUONG.name)),
    ),
    Document(
        name="module",
        title="A PyTorch module, repaired",
        text="A short overview with a PyTorch module for Luong's attention. The module declares a linear layer that it "
        "never uses, so that what it computes is the dot score, and its example feeds a query of five steps where a "
        "decoder asks with one. The overview also lists four types of attention; each can be tried.",
        kinds=(
            Kind(
                "Additive (Bahdanau)",
                "A small network with a tanh compares state and annotation.",
                example=THREE_SCORES.name,
            ),
            Kind(
                "Multiplicative (Luong)",
                "A product compares them. “Dot” is only one of its forms; with a matrix between the two it is general.",
                example=LUONG_GENERAL.name,
            ),
            Kind("Self-attention", "Every position of a sentence asks all positions of it.", screen="transformer"),
            Kind("Multi-head attention", "Several attentions side by side, joined at the end.", screen="transformer"),
        ),
    ),
    Document(
        name="query",
        title="A query against encoder outputs",
        text="A description of a small NumPy simulation: a query meets the encoder's outputs, and the context is their "
        "weighted sum. Its formulas are Luong's, while its drawing lets the state of the step before ask, as "
        "Bahdanau's does. It prints no numbers, so these are drawn by chance.",
        examples=(QUERY,),
    ),
)
