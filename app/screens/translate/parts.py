"""Partial reruns: a new sentence reruns only the part of the page that depends on it."""

from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.arithmetic.panel import FRAGMENT
from regard.app.components.shared.messages import SentTyped
from regard.app.screens.translate.asking import FIGURES, HEADS
from regard.app.screens.translate.changes import send_preview, touched
from regard.app.server.room import room
from regard.app.visitor.fields import entered
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import draft, read_and_ask, visit
from regard.app.visitor.translated_text import current
from regard.model.alignment import Posterior
from regard.model.trace import AnyTrace

TRANSLATION = "translation"  # key of the fragment: the sentence's field, earlier sentences, the answer and the stepper


@dataclass
class OnView:
    """The question that was answered last and its traces, before and after changes or one alone, always in the same
    list; downloads are made from them on a click.
    """

    question: Question = field(default_factory=Question)
    traces: list[AnyTrace] = field(default_factory=list)
    posteriors: list[Posterior] = field(default_factory=list)
    entered: bool = False  # a sentence was entered but is not drawn yet
    typed_last: int = 0  # number of the latest words received while typing


def on_view() -> OnView:
    """Return the visitor's traces on view, the same object throughout the visit."""
    return st.session_state.setdefault("on_view", OnView())


def stand_alone() -> bool:
    """Return True if nothing outside `TRANSLATION` depends on the sentence: no change, forced translation, open figure,
    or place in a text.
    """
    state, text = st.session_state, current()
    elsewhere = visit().question.given or any(state.get(name) for name in (HEADS, FIGURES)) or (text and text.row)
    return bool(visit().answered) and not elsewhere and not touched()


def ask_entered() -> None:
    """Ask the field's text, in its callback; typed words that arrive in the same run are older."""
    alone, beside = stand_alone(), visit().drawer or any(st.session_state.get("stepper", {}).values())
    read_and_ask(entered(), "", as_typed=False)  # the field keeps what is being typed meanwhile
    st.session_state.given = ""
    on_view().entered = True
    if of_a_part():
        if not alone:
            st.rerun("app")
        elif beside:  # a click or a drag in the same request limits the run to its own part
            st.rerun((TRANSLATION, FRAGMENT))


def of_a_part() -> bool:
    """Return True when only a part of the page is running; a full run has dropped the files of its downloads."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def hear_typed(sent: SentTyped) -> None:
    """Translate the finished words of a sentence that is being typed, in the stepper's callback.

    They are refused if the server has no spare time, and while more than `TRANSLATION` depends on the sentence.
    """
    on_view().typed_last = sent.nonce
    if on_view().entered or not room.is_free() or not stand_alone() or not draft(sent.text):
        send_preview({"nonce": sent.nonce, "refused": True})
    elif visit().drawer:
        st.rerun((TRANSLATION, FRAGMENT))
