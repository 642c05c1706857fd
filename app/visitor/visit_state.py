"""State of a visit: all that the screens share about one visitor, as one value in the session.

Streamlit keeps the texts of the two fields, `sentence` and `given`, under their own keys.
"""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from regard.app.visitor.question import Question


@dataclass
class VisitState:
    question: Question  # the question of whichever screen; moving to another screen keeps it
    screen: str  # the screen on view
    missed: str  # the model last named, which may not be here
    unasked: bool  # nothing was asked yet: each screen shows its own example
    linked: Question | None = None  # the question that the link holds
    recent: list[str] = field(default_factory=list)  # sentences asked, the latest first
    answered: Question | None = None  # the last question that could be answered
    opened: tuple[Any, ...] = ()  # numbers whose arithmetic is open, each reached from the one before it
    not_opened: str = ""  # why the last one could not be opened
    drawer: bool = False  # either of them is on view
    aside: str = ""  # a Transformer set aside on a screen that cannot show it
    attentive_model: str = ""  # the model to return to from one without attention
    typed: str = ""  # the sentence as it was typed, if it was read otherwise
    drafted: bool = False  # the question is made of words that are still being typed
    returning: bool = False  # the visitor came back from another server


def visit() -> VisitState:
    """Return the state of the visit, which `begin` of `sentence_input` made."""
    return st.session_state.visit


def screen_before() -> str:
    """Return the screen on view before this run of the page, "" on the first."""
    return visit().screen if "visit" in st.session_state else ""
