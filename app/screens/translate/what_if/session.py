"""What-if session: what a visitor changes in the translation on screen, tried, kept if it can be done, refused with
the reason if not.

`st.session_state.desk` remembers the changes of one sentence; the question and the link hold those that are in force.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import streamlit as st

from app.input_validation.component_messages import SentEdit
from app.models import models, traces
from app.screens.translate.what_if.edits import Asked, made
from app.screens.translate.what_if.history import History
from app.screens.translate.what_if.text import told
from app.visitor.question import Question
from app.wording import problem
from model.input_error import InputError
from model.intervention import UNTOUCHED, Intervention
from model.trace import Trace
from model.what_if import reworded

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


def settle(question: Question) -> tuple[Question, Trace, Trace]:
    """The question as it can be answered, and the translation without its changes and with them.

    Changes that cannot be made are refused, and the last ones that could stay.
    """
    about = About(question.model, question.sentence, question.given)
    desk = st.session_state.get("desk", WhatIfSession(about))
    if desk.about != about:
        desk = WhatIfSession(about, heard=desk.heard)
    if question.intervention == desk.history.present == UNTOUCHED:
        _keep(desk)
        plain = traces.trace(*about)
        return question, plain, plain
    if desk.history == History():  # the changes come with a link: as many steps back as there are changes
        desk = replace(desk, history=_one_by_one(about, question.intervention))
    desk = _tried(desk, desk.history.changed(question.intervention), desk.refused)
    _keep(desk)
    return replace(question, intervention=desk.history.present), traces.trace(*about), shown(desk)


def hear(sent: Sequence[SentEdit]) -> None:
    """Make what the browser asks for: changes with growing numbers, those that were heard before among them.

    The whole page is asked for: a preview in the same request asks for its own part alone, and would have its way.
    """
    desk = st.session_state.desk
    new = _unheard(sent, desk.heard)
    for edit in new[:MOST_AT_ONCE]:
        desk = replace(_changed(desk, edit.values), heard=edit.number)
    if len(new) > MOST_AT_ONCE:
        desk = replace(desk, refused=TOO_MANY.format(f"{len(new):,}"), heard=new[-1].number)
    _keep(desk)
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
    desk = st.session_state.desk
    _keep(replace(desk, history=WAYS[way](desk.history), refused=""))


def put(changes: Intervention) -> None:
    """Make these all the changes there are."""
    desk = st.session_state.desk
    _keep(_tried(desk, desk.history.changed(changes), ""))


def touched() -> bool:
    """Whether anything was ever changed in this sentence, or asked for and refused."""
    desk = st.session_state.desk
    return bool(desk.refused) or desk.history != History()


def take_refusal() -> str:
    """Why the last change was not made, told once; "" where nothing was refused."""
    desk = st.session_state.desk
    st.session_state.desk = replace(desk, refused="")
    return desk.refused


def _changed(desk: WhatIfSession, values: Mapping[str, object]) -> WhatIfSession:
    way = WAYS.get(str(values.get("kind")))
    if way:
        return replace(desk, history=way(desk.history), refused="")
    asked = Asked(models.pretrained(desk.about.model).tokenizer, desk.about.sentence, shown(desk))
    try:
        changes = made(values, asked)
    except InputError as error:
        return replace(desk, refused=str(error))
    return _tried(desk, desk.history.changed(changes), "")


def _one_by_one(about: About, changes: Intervention) -> History:
    """As if the changes had been made one after the other, up to the last but one; none where they cannot be made."""
    tokenizer, made_so = models.pretrained(about.model).tokenizer, []
    try:
        while changes != UNTOUCHED and len(made_so) < MOST_UNFOLDED:
            changes = told(tokenizer, about.sentence, _trace(about, UNTOUCHED), _trace(about, changes))[-1].without
            made_so.append(changes)
            _trace(about, changes)
    except InputError:
        return History()
    history = History()
    for earlier in reversed(made_so):
        history = history.changed(earlier)
    return history


def _tried(desk: WhatIfSession, history: History, refused: str) -> WhatIfSession:
    """With this history if its present can be shown, else with the reason why not."""
    try:
        _trace(desk.about, history.present)
    except InputError as error:
        return replace(desk, refused=str(error))
    return replace(desk, history=history, refused=refused)


def shown(desk: WhatIfSession) -> Trace:
    """The translation with all that is changed in it."""
    return _trace(desk.about, desk.history.present)


def _trace(about: About, changes: Intervention) -> Trace:
    """Raises InputError naming the place and the reason where the changes cannot be made."""
    if changes == UNTOUCHED:
        return traces.trace(*about)
    tokenizer = (model := models.pretrained(about.model)).tokenizer
    source = tokenizer.languages[0]
    wrong = problem(source, tokenizer.encode(reworded(model, about.sentence, changes), source))
    if wrong:
        raise InputError(wrong)
    return traces.changed(*about, changes)


def _keep(desk: WhatIfSession) -> None:
    """The question and the last answer are those of the desk; a sentence that is being asked anew is left alone.

    A number that was open belongs to what was there before a change.
    """
    state = st.session_state
    if state.get("desk", desk).history.present != desk.history.present:
        state.opened = ()
    state.desk = desk
    for name in ("question", "answered"):
        question = state[name]
        if question is not None and About(question.model, question.sentence, question.given) == desk.about:
            state[name] = replace(question, intervention=desk.history.present)
