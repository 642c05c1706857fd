"""Changing a translation on the screen: its state, the list of changes, and the preview of a drag.

`st.session_state.what_if` holds the state as one value: the sentence being changed, the session of its changes and the
last preview. The question and the link hold the changes in force; `regard.model.changes` defines them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import streamlit as st
from streamlit.components.v2 import component
from streamlit.delta_generator import DeltaGenerator

from regard.app.components.shared.messages import SentEdit, SentPreview
from regard.app.components.stepper.payload import goes_on, label, likeliest_labels
from regard.app.models import models, traces
from regard.app.models.analyses import helped
from regard.app.ui.plots import download
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import visit
from regard.app.wording import plain_markdown
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.marks import change_texts
from regard.model.changes.session import ChangeSession, EditedTranslation, History, NumberedEdit, Translator, edited
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace

ICONS = {"undo": "undo", "redo": "redo", "reset": "restart_alt"}
FILE = "intervention.json"  # for `regard translate --intervention`
FRAGMENT = "preview"
TO_STEPPER = """export default function ({ data }) {
  if (data.nonce) document.dispatchEvent(new CustomEvent("regard-preview", { detail: data }));
}
"""  # passes an answer to the stepper on the same page
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


def bar(before: AnyTrace, after: AnyTrace, room: DeltaGenerator) -> None:
    """Draw the list of changes into its room, each in plain words and removable, with the way back; and why the last
    change was refused."""
    now, refused = state(), take_refusal()
    with st.bottom, st.container(key="changes"):
        if refused:
            st.error(plain_markdown(f"This change was not made: {refused}"))
    history, translator = now.session.history, now.about.translator
    if not history.past and not history.future:
        return
    with room, st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="changes-list"):
        open_ways = {"undo": history.past, "redo": history.future, "reset": history.present != UNTOUCHED}
        for way, possible in open_ways.items():
            icon = f":material/{ICONS[way]}:"
            st.button(way.capitalize(), icon=icon, type="tertiary", disabled=not possible, on_click=go, args=(way,))
        about, nothing = f"For the command line: `regard translate --intervention {FILE}`", history.present == UNTOUCHED
        download("Download", history.present.to_json(), FILE, about, quiet=True, disabled=nothing)
        changes = change_texts(translator.tokenizer, translator.sentence, before, after)
        if not changes:
            st.html('<p class="about">Nothing is changed.</p>', width="content")
        for place, (text, without) in enumerate(changes):
            st.button(
                plain_markdown(text),
                icon=":material/close:",
                key=f"change-{place}",
                help="Remove this change",
                on_click=put,
                args=(without,),
            )


def hear_preview(sent: SentPreview) -> None:
    """Answer a preview request of the browser; invalid weights get an answer without numbers."""
    send_preview({"nonce": sent.nonce, **_preview(state(), sent)})


def send_preview(answer: Mapping[str, object]) -> None:
    """Send the browser an answer and draw nothing else, in a callback."""
    st.session_state.what_if = replace(state(), preview=answer)
    st.rerun(FRAGMENT)


@st.fragment(key=FRAGMENT)
def preview() -> None:
    """Send the last answer to a drag, if there is any, by a component of its own: the stepper's numbers are not sent
    again each time."""
    with st.container(key="preview"):
        if answer := state().preview:
            _component()(key="preview-answer", data=answer)


def _preview(now: TranslateState, sent: SentPreview) -> dict[str, object]:
    """Return what the model would write with these weights; neither they nor the translation are kept."""
    about, session = now.about, now.session
    place = {"attention": sent.attention, "layer": sent.layer, "head": sent.head} if sent.attention else {}
    edit = {"kind": "head_weights" if place else "weights", **place, "step": sent.step, "row": sent.row}
    try:
        translator = about.translator
        shown = translator.translate(session.history.present)
        changes = edited(edit, EditedTranslation(translator.tokenizer, translator.sentence, shown))
        trace = what_if.translate(models.any_pretrained(about.model), about.sentence, changes, about.given)
    except InputError:
        return {}
    return {"text": trace.text, **(_next_tokens(trace, sent.step) if sent.step < len(trace.target) else {})}


def _next_tokens(trace: AnyTrace, step: int) -> dict[str, object]:
    """Return the likeliest next tokens of one step (from 0), the rest for all others, and the token that is written."""
    likeliest, written = trace.top_ids[step].tolist(), int(trace.target_ids[step])
    return {
        "labels": likeliest_labels(trace.top_tokens[step]),
        "probabilities": trace.top_probabilities[step].tolist(),
        "rest": float(trace.rest[step]),
        "written": label(trace.target[step], goes_on(trace.target[step])),
        "rank": likeliest.index(written) if written in likeliest else -1,
        "log_probability": float(trace.log_probabilities[step]),
    }


@cache
def _component() -> Any:
    return component("regard_preview", js=TO_STEPPER)
