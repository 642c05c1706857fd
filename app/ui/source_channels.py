"""Source channels: the ways in which the source reaches the word written, shown by feeding one translation to two
sentences."""

from collections.abc import Iterable

import streamlit as st

from regard.app.models.models import any_pretrained
from regard.app.models.traces import any_trace
from regard.app.theme import component
from regard.app.visitor.suggestions import to_try
from regard.app.wording import SOURCE_IN_STATE, plain_markdown
from regard.model.analysis.claims import Apart, apart
from regard.model.trace import AnyTrace

ONLY = "Attention is its only way to the source."
NOT_LOOKING = "This model has no attention: every step gets the same mean of the first and the last annotation."


def known(name: str) -> str:
    """Say what this model's decoder state knows of the source."""
    config = any_pretrained(name).config
    told = SOURCE_IN_STATE[config.source_in_state]
    if not config.attends:
        return f"{NOT_LOOKING} {told}"
    return f"{told} {ONLY}" if config.source_in_state == "never" else told


def fed_alike(translation: AnyTrace, name: str) -> None:
    """Feed the translation to the decoder of another sentence too, and show how far states and contexts differ."""
    other = another(translation.alignment.source.text, to_try(any_pretrained(name)).values())
    written = translation.text
    if not other or not written:
        return
    sentences = translation.alignment.source.text, other
    one, two = (any_trace(name, sentence, written) for sentence in sentences)
    st.markdown(comparison_text(sentences, written, apart(one, two)))


def another(sentence: str, offered: Iterable[str]) -> str:
    """Return one of the sentences to try that is not this one, or ""."""
    return next((each for each in offered if each != sentence), "")


def comparison_text(sentences: tuple[str, str], written: str, apart: Apart) -> str:
    """Describe the difference in words, in either case; Markdown."""
    one, other = (f"“{plain_markdown(sentence)}”" for sentence in sentences)
    states = (
        f"its states differ by up to **{number(apart.states)}**, although every word it was fed is the same"
        if apart.states
        else "its states differ by **exactly 0.0**: not one number of them has changed"
    )
    return (
        f"The same words for two sentences: the model reads {one}, then {other}, and both times its decoder is fed "
        f"“{plain_markdown(written)}”. Over all steps, {states}. The contexts differ by up to "
        f"**{number(apart.contexts)}**."
    )


def number(value: float) -> str:
    """Format with two decimals, or in powers of ten if they would all be zeros."""
    return component(value) if value >= 0.005 or not value else f"{value:.0e}"
