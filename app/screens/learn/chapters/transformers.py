"""Chapter 11: the words of a sentence ask each other."""

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.mount import matrices
from regard.app.models.models import title
from regard.app.models.registry import languages
from regard.app.models.transformers import transformer, transformer_beside, transformer_trace
from regard.app.screens.learn.chapter import Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import listed, written
from regard.app.screens.learn.subject import Subject
from regard.app.wording import plain_markdown
from regard.app.worked_example.markdown import prose
from regard.app.worked_example.trained_head import HeadPlace, asked_of
from regard.model.arithmetic.quantity import token_label
from regard.model.examples.trained_attention import COLUMNS, SHOWN, worked_head
from regard.model.trace import AnyTrace
from regard.model.transformer.trace import TransformerTrace

FIRST = HeadPlace(layer=0, head=0, block=0)
NUMBERS = "3 1 4 1 5 9"  # for a Transformer that reverses numbers
SAME = 1e-4  # below this, two numbers differ only by rounding
TEXT = """
In 2017 the **Transformer** (Vaswani and others) kept the three moves that you know, compare, weigh and sum, and
dropped the recurrent network around them. Learned matrices make three lists of every word: a **query** that asks, a
**key** that it is compared by, and a **value** that is summed.

In **self-attention** the words of one sentence ask each other, all at once and without a state to wait for. Several
such *heads* look side by side. The picture shows one of a trained Transformer, the first of its encoder, with whole
vectors; below, four of their components are shown, and R holds what the others add.
"""
MISSING = "No readable Transformer is available."


def live(lesson: Subject) -> Prediction | None:
    trace = _translated(lesson)
    if trace is None:
        st.info(MISSING)
        return None
    name = trace.maker.name
    if len(trace.source) > COLUMNS:
        return None
    if not _shared(name, lesson):
        st.info(
            f"No Transformer for these languages is available. This is “{plain_markdown(title(name))}”, on {NUMBERS}."
        )
    worked = worked_head(asked_of(trace, "encoder", FIRST), FIRST.block)
    steps = {step.name: step for step in worked.example.steps}
    chosen = st.segmented_control(
        "Calculation", list(steps), default="weights", required=True, key="asked", bind="query-params"
    )
    step = steps.get(chosen or "", steps["weights"])
    st.markdown(prose(step.text))
    matrices(worked.example, step, worked.values, key="self-matrices", printed=False)
    st.caption(
        f"“{plain_markdown(title(name))}”, the encoder's first layer, head 1; components 1 to {SHOWN} of its vectors, "
        "computed in NumPy from the model's own."
    )
    return _question(trace)


def headed(lesson: Subject) -> dict[str, AnyTrace]:
    """Return the translation by a Transformer, if there is one that can be drawn."""
    trace = _translated(lesson)
    return {title(trace.maker.name): trace} if trace else {}


def _translated(lesson: Subject) -> TransformerTrace | None:
    """Return the translation of the visitor's sentence, or of numbers if no Transformer has its languages."""
    name = transformer_beside(lesson.model.name)
    return transformer_trace(name, lesson.sentence if _shared(name, lesson) else NUMBERS) if name else None


def _shared(name: str, lesson: Subject) -> bool:
    """True if the Transformer has the languages of the visitor's model."""
    return languages(name) == languages(lesson.model.name)


def exchanged(trace: TransformerTrace, first: int, last: int, positions: bool = True) -> Float[ndarray, " Q"]:
    """Return the head's context for the token at `first` after it has changed places with the one at `last`."""
    ids = trace.source_ids.copy()
    ids[[first, last]] = ids[[last, first]]
    return found(trace, ids, last, positions)


def found(trace: TransformerTrace, ids: ndarray, place: int, positions: bool = True) -> Float[ndarray, " Q"]:
    """Return the head's context for the token at a place, with or without positions added to the embeddings."""
    network = transformer(trace.maker.name).network
    with torch.inference_mode():
        source = torch.tensor(ids)[None]
        embedded = network.embed(source) if positions else network.config.embedding**0.5 * network.embedding(source)
        encoded = network.remember(embedded, torch.ones_like(source, dtype=torch.bool)).encoded
    return encoded.layers[FIRST.layer].attention.attended.mixed[0, FIRST.head, place].numpy()


def _question(trace: TransformerTrace) -> Prediction | None:
    """Ask what happens to the first word's context when the first and the last word change places."""
    spoken = [place for place, token in enumerate(trace.source) if any(map(str.isalnum, token)) and token != "</s>"]
    if len(spoken) < 2:
        return None
    place, other = spoken[0], spoken[-1]
    first, last = (plain_markdown(token_label(trace.source[each])) for each in (place, other))
    before, after = found(trace, trace.source_ids, place), exchanged(trace, place, other)
    bare = found(trace, trace.source_ids, place, positions=False)
    apart, bare_apart = (
        float(np.abs(one - two).max()) for one, two in ((before, after), (bare, exchanged(trace, place, other, False)))
    )
    return Prediction(
        f"“{first}” and “{last}” change places. What happens to what “{first}” finds, its row of contexts?",
        ("It gets other numbers", "It keeps its numbers", f"It gets the numbers that “{last}” had"),
        1 if apart < SAME else 0,
        f"Before: {listed(before[:SHOWN])}. After, in the other place: **{listed(after[:SHOWN])}**. The greatest "
        f"difference is {written(apart)}; without positions it would be {written(bare_apart)}.",
        "Every word asks all words wherever they stand, so self-attention alone does not know their order; the vector "
        "that a Transformer adds for each position tells it.",
        (
            "Nothing is added for positions here, so its query, its key and the words that it asks are the same.",
            "The words that it asks are the same, but a vector for each position was added, and theirs have changed.",
            "The vector belongs to the word, not to the place alone.",
        ),
    )


CHAPTER = Chapter(
    "From here to Transformers",
    TEXT,
    Phase("ask", of=headed),
    "Choose a calculation. Point at a number of the result, or choose it, to see its sum.",
    live,
    own=True,
)
