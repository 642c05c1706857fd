"""The documents behind the worked examples: their contents, what is right and wrong in them, what to compute."""

from dataclasses import dataclass

from regard.model.examples.context_in_decoder import WITH_CONTEXT, WITHOUT_CONTEXT
from regard.model.examples.cross_attention import CROSS_ATTENTION
from regard.model.examples.dot_product import QUERY
from regard.model.examples.example import Example
from regard.model.examples.luong_general import LUONG_GENERAL, LUONG_SUMMARY
from regard.model.examples.multi_head import HEADS
from regard.model.examples.self_attention import MASKED, SCALED, SELF_ATTENTION
from regard.model.examples.three_dimensions import THREE_DIMENSIONS
from regard.model.examples.three_scores import DIFFERENT_SIZES, THREE_SCORES
from regard.model.examples.wirings import BAHDANAU, BAHDANAU_GENERAL, LUONG


@dataclass(frozen=True)
class Kind:
    """A type of attention in a document, and the example or screen on which to try it."""

    name: str
    text: str  # its difference from the others
    example: str = ""
    screen: str = ""


@dataclass(frozen=True)
class Document:
    """A document; `name` is for links. `pairs` are examples with the same inputs, shown side by side."""

    name: str
    title: str
    text: str
    examples: tuple[Example, ...] = ()
    kinds: tuple[Kind, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()  # remarks on the rest of it
    onward: str = ""  # the screen about its subject


DOCUMENTS: tuple[Document, ...] = (
    Document(
        name="i-love-you",
        title="“I love you”, Luong's general score",
        text="A tutorial that goes through one decoder step in numbers. Its first product, H W, is wrong, and the "
        "steps after it carry that on; W_c [q ; c] is a second slip of its own. It writes the score in two ways, "
        "which give the most attention to different words, and it ends in probabilities that nobody can redo. Each "
        "step has its numbers as printed and as computed.",
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
        examples=(THREE_SCORES, DIFFERENT_SIZES, WITHOUT_CONTEXT, WITH_CONTEXT, BAHDANAU, BAHDANAU_GENERAL, LUONG),
        pairs=(
            (WITHOUT_CONTEXT.name, WITH_CONTEXT.name),
            (BAHDANAU.name, LUONG.name),
            (BAHDANAU_GENERAL.name, LUONG.name),
        ),
    ),
    Document(
        name="module",
        title="A PyTorch module, repaired",
        text="A short overview with a PyTorch module for Luong's attention. The module declares a linear layer that "
        "it never uses, so that what it computes is the dot score, as the comment in it says; with the layer in use "
        "it would be called general. Its example feeds a query of five steps where a decoder asks with one. The "
        "overview also lists four types of attention; each can be tried.",
        kinds=(
            Kind(
                "Additive (Bahdanau)",
                "A small network with a tanh compares state and annotation. The overview's example use, machine "
                "translation, fits all four types.",
                example=THREE_SCORES.name,
            ),
            Kind(
                "Multiplicative (Luong)",
                "A product compares them. “Dot” is only one of its forms; with a matrix between the two it is general. "
                "“Faster, less computation” is a claim, not a use; it is measured below.",
                example=LUONG_GENERAL.name,
            ),
            Kind(
                "Self-attention",
                "Every position of a sentence asks all positions of it. Its example use, Transformers, is right.",
                screen="transformer",
            ),
            Kind(
                "Multi-head attention",
                "Several attentions side by side, joined at the end. Its examples, BERT and GPT, are Transformers too, "
                "and use it as self-attention.",
                screen="transformer",
            ),
        ),
    ),
    Document(
        name="query",
        title="A query against encoder outputs",
        text="A description of a small NumPy simulation: a query meets the encoder's outputs, and the context is their "
        "weighted sum. Its formulas are Luong's, while its drawing lets the previous state ask, as Bahdanau's does.",
        examples=(QUERY,),
        remarks=(
            "Its interpreter who looks back at notes is a good picture. But the notes are not the speaker's exact "
            "words: each annotation was made from the whole sentence.",
            "The model without attention that it goes back to is that of Sutskever, Vinyals and Le (September 2014); "
            "Cho et al. had published an encoder and decoder three months earlier.",
        ),
        onward="watch",
    ),
    Document(
        name="transformer",
        title="From attention to the Transformer",
        text="Queries, keys and values, self-attention, scaling, masks and two heads, after Vaswani et al. (2017), on "
        "random matrices. Its arithmetic is a Transformer's; which word looks at which means nothing here. "
        "The screen From RNN attention to the Transformer has the same steps in the numbers of a trained one.",
        examples=(CROSS_ATTENTION, SELF_ATTENTION, SCALED, MASKED, HEADS),
    ),
)
