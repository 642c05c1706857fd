"""The head of a screen: its question, what is asked, the model and the options, at most 150 pixels high on a desk.

The row below the title belongs to the sentence; a screen without one puts its own choice there.
"""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.ui.widgets import heading
from regard.app.visitor.fields import entered, given_field, model_field, read_chip, sentence_field
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import ask, visit
from regard.app.visitor.suggestions import to_try
from regard.app.wording import plain_markdown
from regard.model.checkpoint import AnyModel


class ScreenHead(NamedTuple):
    """Places for what a screen adds: at the right of the title, beside the sentence, and behind *Options*."""

    right: DeltaGenerator
    row: DeltaGenerator
    options: DeltaGenerator


def head(title: str, text: str, asked: Question | None = None, options: bool = False) -> ScreenHead:
    """Draw the title with a sentence about the screen, the choice of the model that `asked` names, and *Options*."""
    with st.container(horizontal=True, vertical_alignment="center", key="header"):
        heading(title, text)
        right = st.container(horizontal=True, vertical_alignment="center", width="content", key="header-right")
        if asked:
            with right:
                model_field(asked)
        more = st.popover("Options", icon=":material/tune:", width="content", key="options") if options else right
    return ScreenHead(right, st.container(horizontal=True, vertical_alignment="center", key="head-row"), more)


def question_fields(head: ScreenHead, model: AnyModel, given: str | None = None) -> None:
    """Draw the sentence's field in the head's row, with the examples at its end.

    With `given` a second field takes a translation. A label makes it the visitor's own translation, which stays when
    the sentence is corrected; with "" it is a translation to force.
    """
    with head.row:
        sentence_field(model, "collapsed", lambda: _ask(keeps=bool(given)))
        if given is not None:
            given_field(model, given, "collapsed")
        _examples(model)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="read-chip"):
        read_chip()


def _ask(keeps: bool) -> None:
    """Ask about the entered sentence, with the visitor's own translation if that `keeps` its place."""
    ask(entered(), entered("given") if keeps and not visit().unasked else "")


def _examples(model: AnyModel) -> None:
    """Draw the menu of sentences to try, and of those asked before."""
    offered = {sentence: _named(label, sentence) for label, sentence in to_try(model).items()}
    offered |= {sentence: sentence for sentence in visit().recent if sentence not in offered}
    sentences = list(offered)
    if sentences:
        st.menu_button(
            "Examples",
            range(len(sentences)),
            format_func=lambda place: plain_markdown(offered[sentences[place]]),
            type="tertiary",
            key="try",
            on_click=lambda: ask(sentences[st.session_state["try"]]),
        )


def _named(label: str, sentence: str) -> str:
    return sentence if sentence.startswith(label.rstrip("…")) else f"{label}: {sentence}"
