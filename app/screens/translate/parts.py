"""Partial reruns: a new sentence reruns only the parts of the page that depend on it."""

from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.arithmetic.panel import FRAGMENT
from regard.app.input_validation.component_messages import SentTyped
from regard.app.screens.translate.what_if import preview
from regard.app.screens.translate.what_if.state import touched
from regard.app.server.room import room
from regard.app.visitor.fields import entered
from regard.app.visitor.sentence_input import ask, draft
from regard.app.visitor.translated_text import current
from regard.app.visitor.visit_state import visit
from regard.model.posterior_attention import Posterior
from regard.model.trace import AnyTrace

AGAIN, ANSWER, STAGE = PARTS = ("again-part", "answer-part", "stage-part")  # keys of the fragments
EXPANDERS = ("head-table", "figures")  # their open contents also depend on the sentence


@dataclass
class OnView:
    """The traces on view, before and after changes or one alone, always in the same list; downloads are made from them
    on a click.
    """

    traces: list[AnyTrace] = field(default_factory=list)
    posteriors: list[Posterior] = field(default_factory=list)
    entered: bool = False  # a sentence was entered but is not drawn yet
    typed_last: int = 0  # number of the latest words received while typing


def on_view() -> OnView:
    """Return the visitor's traces on view, the same object throughout the visit."""
    return st.session_state.setdefault("on_view", OnView())


def stand_alone() -> bool:
    """Return True if nothing outside `PARTS` depends on the sentence: no change, forced translation, open figure, or
    place in a text.
    """
    state, text = st.session_state, current()
    elsewhere = visit().question.given or any(state.get(name) for name in EXPANDERS) or (text and text.row)
    return bool(visit().answered) and not elsewhere and not touched()


def ask_in_parts() -> None:
    """Ask the field's text, in its callback; typed words that arrive in the same run are older."""
    alone = stand_alone()
    ask(entered())
    on_view().entered = True
    if of_a_part():
        st.rerun(_parts() if alone else "app")


def _parts() -> tuple[str, ...]:
    """Return the parts to run for another sentence: also the drawer if anything stands in it."""
    return (*PARTS, FRAGMENT) if visit().drawer else PARTS


def of_a_part() -> bool:
    """Return True when only a part of the page is running; a full run has dropped the files of its downloads."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def hear_typed(sent: SentTyped) -> None:
    """Translate the finished words of a sentence that is being typed, in the stepper's callback.

    They are refused if the server has no spare time, and while more than `PARTS` depends on the sentence.
    """
    on_view().typed_last = sent.nonce
    if not on_view().entered and room.is_free() and stand_alone() and draft(sent.text):
        st.rerun(_parts())
    preview.send({"nonce": sent.nonce, "refused": True})
