"""The head of a screen: its question, what is asked, the model and the options, at most 150 pixels high on a desk.

The row below the title belongs to the sentence; a screen without one puts its own choice there.
"""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.ui.widgets import heading
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import (
    ask,
    entered,
    examples_menu,
    given_field,
    model_field,
    read_chip,
    sentence_field,
    visit,
)
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
        examples_menu(model)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="read-chip"):
        read_chip()


def _ask(keeps: bool) -> None:
    """Ask about the entered sentence, with the visitor's own translation if that `keeps` its place."""
    ask(entered(), entered("given") if keeps and not visit().unasked else "")
