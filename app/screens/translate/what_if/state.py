"""State of the Translate screen: the sentence being changed, the session of its changes, and the last preview.

`st.session_state.what_if` holds it as one value; the question and the link hold the changes in force.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import streamlit as st

from regard.app.input_validation.component_messages import SentEdit
from regard.app.models import traces
from regard.app.models.analyses import helped
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import visit
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.session import ChangeSession, History, NumberedEdit, Translator
from regard.model.trace import AnyTrace

Settled = tuple[Question, AnyTrace, AnyTrace]  # a question, its translation before and after the changes


class About(NamedTuple):
    """A model, the sentence it translates, and the translation that a visitor gave."""

    model: str
    sentence: str
    given: str

    @classmethod
    def of(cls, question: Question) -> "About":
        """Return the question's values; a translation that the memory helps to write takes the place of a given one."""
        given = question.given
        if question.memory and not given:
            given = helped(question.model, question.sentence, question.memory)
        return cls(question.model, question.sentence, given)

    @property
    def translator(self) -> Translator:
        """Return the translator of the sentence with any changes, from the cache that all visitors share."""
        return traces.translator(*self)


@dataclass(frozen=True)
class TranslateState:
    about: About
    session: ChangeSession = field(default_factory=ChangeSession)
    preview: Mapping[str, object] = field(default_factory=dict)  # the last answer to a drag; {} before the first


def state() -> TranslateState:
    """Return the state of the visitor's Translate screen, created by `settle`."""
    return st.session_state.what_if


def settle(question: Question) -> Settled:
    """Return the answerable question, with its translation before and after the changes.

    Changes that cannot be made are refused; the last valid ones stay.
    """
    about = About.of(question)
    now: TranslateState = st.session_state.get("what_if", TranslateState(about))
    if now.about != about:
        now = replace(now, about=about, session=ChangeSession(heard=now.session.heard))
    session, translate = now.session, about.translator.translate
    if not question.intervention == session.history.present == UNTOUCHED:
        session = session.open(question.intervention, about.translator)
    keep(replace(now, session=session))
    changes = session.history.present
    return replace(question, intervention=changes), translate(UNTOUCHED), translate(changes)


def hear(sent: Sequence[SentEdit]) -> None:
    """Make the edits that the browser sends.

    The whole page is rerun: otherwise a preview in the same request would limit the run to its own part.
    """
    now = state()
    edits = [NumberedEdit(edit.number, edit.values) for edit in sent]
    keep(replace(now, session=now.session.hear(edits, now.about.translator)))
    st.rerun()


def go(way: str) -> None:
    """Undo, redo or reset."""
    now = state()
    keep(replace(now, session=now.session.go(way)))


def put(changes: Intervention) -> None:
    """Replace all changes by these."""
    now = state()
    keep(replace(now, session=now.session.put(changes, now.about.translator)))


def touched() -> bool:
    """Return True if anything was ever changed in this sentence, or refused."""
    session = state().session
    return bool(session.refused) or session.history != History()


def take_refusal() -> str:
    """Return why the last edit was refused, once; "" if it was not."""
    now = state()
    st.session_state.what_if = replace(now, session=replace(now.session, refused=""))
    return now.session.refused


def keep(now: TranslateState) -> None:
    """Store the state, with its changes in the question and in the last answer unless those are about something else.

    An open number is closed, because it belongs to the translation before a change.
    """
    shared, changes = visit(), now.session.history.present
    if st.session_state.get("what_if", now).session.history.present != changes:
        shared.opened = ()
    st.session_state.what_if = now
    if About.of(shared.question) == now.about:
        shared.question = replace(shared.question, intervention=changes)
    if shared.answered and About.of(shared.answered) == now.about:
        shared.answered = replace(shared.answered, intervention=changes)
