"""Chapter 11: the words of a sentence ask each other."""

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.mount import matrices
from regard.app.models.models import title
from regard.app.models.registry import languages
from regard.app.models.traces import transformer_beside, transformer_trace
from regard.app.screens.learn.chapter import TEXTS, Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import listed, written
from regard.app.screens.learn.subject import Subject
from regard.app.ui.widgets import segments
from regard.app.wording import plain_markdown
from regard.app.worked_example.markdown import prose
from regard.app.worked_example.trained_head import HeadPlace, asked_of
from regard.model.alignment import token_label
from regard.model.examples.trained_attention import COLUMNS, SHOWN, worked_head
from regard.model.trace import AnyTrace
from regard.model.transformer.trace import TransformerTrace

FIRST = HeadPlace(layer=0, head=0, block=0)
NUMBERS = "3 1 4 1 5 9"  # for a Transformer that reverses numbers
SAME = 1e-4  # below this, two numbers differ only by rounding
MISSING = "No readable Transformer is available."


def live(lesson: Subject) -> None:
    trace = _translated(lesson)
    if trace is None:
        st.info(MISSING)
        return
    name = trace.maker.name
    if len(trace.source) > COLUMNS:
        return
    if not _shared(name, lesson):
        st.info(
            f"No Transformer for these languages is available. This is “{plain_markdown(title(name))}”, on {NUMBERS}."
        )
    worked = worked_head(asked_of(trace, "encoder", FIRST), FIRST.block)
    steps = {step.name: step for step in worked.example.steps}
    chosen = segments("Calculation", list(steps), "weights", "asked")
    step = steps.get(chosen or "", steps["weights"])
    st.markdown(prose(step.text))
    matrices(worked.example, step, worked.values, key="self-matrices", printed=False)
    st.caption(
        f"“{plain_markdown(title(name))}”, the encoder's first layer, head 1; components 1 to {SHOWN} of its vectors, "
        "computed in NumPy from the model's own; R holds what the others add."
    )


def both(lesson: Subject) -> dict[str, AnyTrace]:
    """Return the translation by a Transformer, then that with two words exchanged, as far as there are such."""
    trace, after = _translated(lesson), _exchanged(lesson)
    return {one.alignment.source.text: one for one in (trace, after) if one}


def _places(trace: TransformerTrace) -> list[int]:
    """Return the places of the first and the last word that are one token each; none if they are the same token."""
    word_of, tokens = trace.alignment.source.word_of, trace.source
    spoken = [place for place, token in enumerate(tokens) if token.strip().isalnum()]
    alone = [place for place in spoken if word_of.count(word_of[place]) == 1]
    return [alone[0], alone[-1]] if alone and tokens[alone[0]] != tokens[alone[-1]] else []


def _exchanged(lesson: Subject) -> TransformerTrace | None:
    """Return the translation of the sentence with its first and last word exchanged; None if other tokens change."""
    trace = _translated(lesson)
    if trace is None or not (places := _places(trace)):
        return None
    text, (first, last) = trace.alignment.source.text, (trace.alignment.source.characters[place] for place in places)
    between = text[first.stop : last.start]
    changed = text[: first.start] + text[last.start : last.stop] + between + text[first.start : first.stop]
    after = transformer_trace(trace.maker.name, changed + text[last.stop :])
    expected = trace.source_ids.copy()
    expected[places] = expected[places[::-1]]
    return after if np.array_equal(after.source_ids, expected) else None


def _translated(lesson: Subject) -> TransformerTrace | None:
    """Return the translation of the visitor's sentence, or of numbers if no Transformer has its languages."""
    name = transformer_beside(lesson.model.name)
    return transformer_trace(name, lesson.sentence if _shared(name, lesson) else NUMBERS) if name else None


def _shared(name: str, lesson: Subject) -> bool:
    """True if the Transformer has the languages of the visitor's model."""
    return languages(name) == languages(lesson.model.name)


def keys(trace: TransformerTrace, place: int) -> Float[ndarray, " Q"]:
    """Return the head's key of a token."""
    return trace.encoder_attention.keys[FIRST.layer, FIRST.head, place]


def stays(lesson: Subject) -> Prediction | None:
    """Ask whether a word keeps its key when it changes places with another."""
    trace, after = _translated(lesson), _exchanged(lesson)
    if trace is None or after is None:
        return None
    place, other = _places(trace)
    first, last = (plain_markdown(token_label(trace.source[each])) for each in (place, other))
    before, moved, taken = keys(trace, place), keys(after, other), keys(trace, other)
    apart, from_other = (float(np.abs(moved - one).max()) for one in (before, taken))
    return Prediction(
        f"“{first}” and “{last}” change places. What happens to the key of “{first}”?",
        ("It gets other numbers", "It keeps its numbers", f"It gets the numbers that “{last}” had"),
        1 if apart < SAME else 0,
        f"Components 1 to {SHOWN} before: {listed(before[:SHOWN])}. After, in the other place: "
        f"**{listed(moved[:SHOWN])}**. Of all {len(moved)}, the greatest difference is {written(apart)}; from the key "
        f"that “{last}” had there, {written(from_other)}.",
        "A key of the first layer is made from the word's embedding and the vector that a Transformer adds for its "
        "position. Every word asks all words wherever they stand, so only that vector tells the order.",
        (
            "Nothing is added for positions here, so its key is made from the same numbers.",
            "Its embedding is the same, but a vector for each position was added, and another one now.",
            "The vector for the position belongs to the place, but the embedding to the word.",
        ),
    )


CHAPTER = Chapter(
    **TEXTS["transformers"], picture=Phase("read", both, widths=(6, 10), asked=stays), live=live, own=True
)
