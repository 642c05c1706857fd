"""What-if session: what a visitor changes in the translation on screen, tried, kept if it can be done, refused with
the reason if not.

`st.session_state.what_if` remembers the changes of one sentence; the question and the link hold those in force.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import streamlit as st

from regard.app.input_validation.component_messages import SentEdit
from regard.app.models import models, traces
from regard.app.visitor.question import Question
from regard.app.wording import problem
from regard.model.changes.change_text import change_texts
from regard.model.changes.edits import Asked, made
from regard.model.changes.history import History
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.what_if import reworded
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace

MOST_AT_ONCE = 20  # changes that the browser may send together; each is a translation
TOO_MANY = f"{{}} changes were sent at once; the first {MOST_AT_ONCE} are made"
MOST_UNFOLDED = 12  # changes of a link that can be taken back one by one

WAYS: dict[str, Callable[[History], History]] = {
    "undo": History.undone,
    "redo": History.redone,
    "reset": lambda history: history.changed(UNTOUCHED),
}


class About(NamedTuple):
    """What is translated, and by which model."""

    model: str
    sentence: str
    given: str


@dataclass(frozen=True)
class WhatIfSession:
    about: About
    history: History = field(default_factory=History)
    refused: str = ""  # why the last change was not made
    heard: int = 0  # the number of the last change that the browser sent


def settle(question: Question) -> tuple[Question, AnyTrace, AnyTrace]:
    """The question as it can be answered, and the translation without its changes and with them.

    Changes that cannot be made are refused, and the last ones that could stay.
    """
    about = About(question.model, question.sentence, question.given)
    session = st.session_state.get("what_if", WhatIfSession(about))
    if session.about != about:
        session = WhatIfSession(about, heard=session.heard)
    if question.intervention == session.history.present == UNTOUCHED:
        _keep(session)
        plain = traces.any_trace(*about)
        return question, plain, plain
    if session.history == History():  # the changes come with a link: as many steps back as there are changes
        session = replace(session, history=_one_by_one(about, question.intervention))
    session = _tried(session, session.history.changed(question.intervention), session.refused)
    _keep(session)
    return replace(question, intervention=session.history.present), traces.any_trace(*about), shown(session)


def hear(sent: Sequence[SentEdit]) -> None:
    """Make what the browser asks for: changes with growing numbers, those that were heard before among them.

    The whole page is asked for: a preview in the same request asks for its own part alone, and would have its way.
    """
    session = st.session_state.what_if
    new = _unheard(sent, session.heard)
    for edit in new[:MOST_AT_ONCE]:
        session = replace(_changed(session, edit.values), heard=edit.number)
    if len(new) > MOST_AT_ONCE:
        session = replace(session, refused=TOO_MANY.format(f"{len(new):,}"), heard=new[-1].number)
    _keep(session)
    st.rerun()


def _unheard(sent: Sequence[SentEdit], heard: int) -> list[SentEdit]:
    """The changes with numbers that grow beyond what was heard."""
    new = []
    for edit in sent:
        if edit.number > heard:
            new.append(edit)
            heard = edit.number
    return new


def go(way: str) -> None:
    """Undo, redo or reset."""
    session = st.session_state.what_if
    _keep(replace(session, history=WAYS[way](session.history), refused=""))


def put(changes: Intervention) -> None:
    """Make these all the changes there are."""
    session = st.session_state.what_if
    _keep(_tried(session, session.history.changed(changes), ""))


def touched() -> bool:
    """Whether anything was ever changed in this sentence, or asked for and refused."""
    session = st.session_state.what_if
    return bool(session.refused) or session.history != History()


def take_refusal() -> str:
    """Why the last change was not made, told once; "" where nothing was refused."""
    session = st.session_state.what_if
    st.session_state.what_if = replace(session, refused="")
    return session.refused


def _changed(session: WhatIfSession, values: Mapping[str, object]) -> WhatIfSession:
    way = WAYS.get(str(values.get("kind")))
    if way:
        return replace(session, history=way(session.history), refused="")
    asked = Asked(models.any_pretrained(session.about.model).tokenizer, session.about.sentence, shown(session))
    try:
        changes = made(values, asked)
    except InputError as error:
        return replace(session, refused=str(error))
    return _tried(session, session.history.changed(changes), "")


def _one_by_one(about: About, changes: Intervention) -> History:
    """As if the changes had been made one after the other, up to the last but one; none where they cannot be made."""
    tokenizer, made_so = models.any_pretrained(about.model).tokenizer, []
    try:
        while changes != UNTOUCHED and len(made_so) < MOST_UNFOLDED:
            changes = change_texts(tokenizer, about.sentence, _trace(about, UNTOUCHED), _trace(about, changes))[
                -1
            ].without
            made_so.append(changes)
            _trace(about, changes)
    except InputError:
        return History()
    history = History()
    for earlier in reversed(made_so):
        history = history.changed(earlier)
    return history


def _tried(session: WhatIfSession, history: History, refused: str) -> WhatIfSession:
    """With this history if its present can be shown, else with the reason why not."""
    try:
        _trace(session.about, history.present)
    except InputError as error:
        return replace(session, refused=str(error))
    return replace(session, history=history, refused=refused)


def shown(session: WhatIfSession) -> AnyTrace:
    """The translation with all that is changed in it."""
    return _trace(session.about, session.history.present)


def _trace(about: About, changes: Intervention) -> AnyTrace:
    """Raises InputError naming the place and the reason where the changes cannot be made."""
    if changes == UNTOUCHED:
        return traces.any_trace(*about)
    tokenizer = (model := models.any_pretrained(about.model)).tokenizer
    source = tokenizer.languages[0]
    wrong = problem(source, tokenizer.encode(reworded(model, about.sentence, changes), source))
    if wrong:
        raise InputError(wrong)
    return traces.any_changed(*about, changes)


def _keep(session: WhatIfSession) -> None:
    """The question and the last answer are those of the session; a sentence that is being asked anew is left alone.

    A number that was open belongs to what was there before a change.
    """
    state = st.session_state
    if state.get("what_if", session).history.present != session.history.present:
        state.opened = ()
    state.what_if = session
    for name in ("question", "answered"):
        question = state[name]
        if question is not None and About(question.model, question.sentence, question.given) == session.about:
            state[name] = replace(question, intervention=session.history.present)
