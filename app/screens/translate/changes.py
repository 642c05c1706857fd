"""Changing a translation on the screen: the state of Translate, the list of changes, and the preview of a drag.

`TranslateState` is the one home of a visitor's changes: the question does not have them, and the link is written from
them and read into them (`settle`). `regard.model.changes` defines what a change is.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import streamlit as st
from streamlit.components.v2 import component
from streamlit.delta_generator import DeltaGenerator

from regard.app.components.shared.component import SentEdit, SentPreview
from regard.app.models import models, traces
from regard.app.models.analyses import helped
from regard.app.ui.plots import download
from regard.app.visitor.question import Question, linked_changes
from regard.app.visitor.sentence_input import visit
from regard.app.wording import plain_markdown
from regard.model.alignment import Posterior
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


class About(NamedTuple):
    """Inputs of a translation: the model, the sentence, a translation by the visitor, and the memory's share."""

    model: str = ""
    sentence: str = ""
    given: str = ""
    memory: float = 0.0

    @property
    def written(self) -> str:
        """Return the translation that the decoder is fed: the visitor's, one that the memory helps to write, or ""."""
        return self.given or (helped(self.model, self.sentence, self.memory) if self.memory else "")

    @property
    def translator(self) -> Translator:
        """Return the translator of the sentence with any changes, from the cache that all visitors share."""
        loaded, written = models.any_pretrained(self.model), self.written

        def translate(changes: Intervention) -> AnyTrace:
            if changes == UNTOUCHED:
                return traces.any_trace(self.model, self.sentence, written)
            if wrong := traces.unreadable(self.model, what_if.reworded(loaded, self.sentence, changes)):
                raise InputError(wrong)
            return traces.any_changed(self.model, self.sentence, written, changes)

        return Translator(loaded.tokenizer, self.sentence, translate)


@dataclass
class TranslateState:
    """State of Translate in a visit, one object throughout; a click on a download reads its lists."""

    about: About = field(default_factory=About)
    session: ChangeSession = field(default_factory=ChangeSession)
    traces: list[AnyTrace] = field(default_factory=list)  # before and after the changes, or one alone
    posteriors: list[Posterior] = field(default_factory=list)
    preview: Mapping[str, object] = field(default_factory=dict)  # the last answer to a drag; {} before the first
    entered: bool = False  # a sentence was entered but is not drawn yet
    typed_last: int = 0  # number of the latest words received while typing

    @property
    def changes(self) -> Intervention:
        """Return the changes in force."""
        return self.session.history.present

    @property
    def touched(self) -> bool:
        """Return True if anything was ever changed in this sentence, or refused."""
        return bool(self.session.refused) or self.session.history != History()

    def put(self, session: ChangeSession) -> None:
        """Store the session. An open number is closed by a change: it belongs to the translation before."""
        if session.history.present != self.changes:
            visit().opened = ()
        self.session = session


def state() -> TranslateState:
    """Return the state of the visitor's Translate screen."""
    return st.session_state.setdefault("translate", TranslateState())


def settle(question: Question) -> tuple[AnyTrace, AnyTrace]:
    """Return the question's translation before and after the changes.

    A link brings its own changes. Others stay while the sentence does, also with another model or share of the memory.
    Those that cannot be made are refused; the last valid ones stay.
    """
    now, about = state(), About(question.model, question.sentence, question.given, question.memory)
    wanted = now.changes if (about.sentence, about.given) == (now.about.sentence, now.about.given) else UNTOUCHED
    if visit().followed_link and question == visit().question:
        wanted, visit().followed_link = linked_changes(st.query_params), False
    if about != now.about:
        now.put(ChangeSession(heard=now.session.heard))
        now.about = about
    translator = about.translator
    if wanted != now.changes:
        now.put(now.session.open(wanted, translator))
    return translator.translate(UNTOUCHED), translator.translate(now.changes)


def hear(sent: Sequence[SentEdit]) -> None:
    """Make the edits that the browser sends.

    The whole page is rerun: otherwise a preview in the same request would limit the run to its own part.
    """
    now = state()
    now.put(now.session.hear([NumberedEdit(edit.number, edit.values) for edit in sent], now.about.translator))
    st.rerun()


def bar(before: AnyTrace, after: AnyTrace, room: DeltaGenerator) -> None:
    """Draw the list of changes into its room, each in plain words and removable, with the way back; and why the last
    change was refused, once."""
    now = state()
    with st.bottom, st.container(key="changes"):
        if now.session.refused:
            st.error(plain_markdown(f"This change was not made: {now.session.refused}"))
    now.session = replace(now.session, refused="")
    history, translator = now.session.history, now.about.translator
    if not history.past and not history.future:
        return
    with room, st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="changes-list"):
        nothing = now.changes == UNTOUCHED
        for way, possible in {"undo": history.past, "redo": history.future, "reset": not nothing}.items():
            st.button(
                way.capitalize(),
                icon=f":material/{ICONS[way]}:",
                type="tertiary",
                disabled=not possible,
                on_click=lambda way=way: now.put(now.session.go(way)),
            )
        about = f"For the command line: `regard translate --intervention {FILE}`"
        download("Download", now.changes.to_json(), FILE, about, quiet=True, disabled=nothing)
        if nothing:
            st.html('<p class="about">Nothing is changed.</p>', width="content")
        changes = change_texts(translator.tokenizer, translator.sentence, before, after)
        for place, (text, without) in enumerate(changes):
            st.button(
                plain_markdown(text),
                icon=":material/close:",
                key=f"change-{place}",
                help="Remove this change",
                on_click=lambda without=without: now.put(now.session.put(without, translator)),
            )


def hear_preview(sent: SentPreview) -> None:
    """Answer a preview request of the browser: what the model would write with these weights, and the likeliest next
    tokens of the step. Neither weights nor translation are kept; invalid weights get an answer without numbers."""
    about, now = state().about, state().changes
    place = {"attention": sent.attention, "layer": sent.layer, "head": sent.head} if sent.attention else {}
    edit = {"kind": "head_weights" if place else "weights", **place, "step": sent.step, "row": sent.row}
    answer: dict[str, object] = {"nonce": sent.nonce}
    with suppress(InputError):
        translator = about.translator
        subject = EditedTranslation(translator.tokenizer, translator.sentence, translator.translate(now))
        loaded = models.any_pretrained(about.model)
        trace = what_if.translate(loaded, about.sentence, edited(edit, subject), about.written)
        answer["text"] = trace.text
        if (step := sent.step) < len(trace.target):
            likeliest, written = trace.top_ids[step].tolist(), int(trace.target_ids[step])
            answer |= {
                "tokens": trace.top_tokens[step],
                "probabilities": trace.top_probabilities[step].tolist(),
                "rest": float(trace.rest[step]),  # for all other tokens
                "written": trace.target[step],
                "rank": likeliest.index(written) if written in likeliest else -1,
                "log_probability": float(trace.log_probabilities[step]),
            }
    send_preview(answer)


def send_preview(answer: Mapping[str, object]) -> None:
    """Send the browser an answer and draw nothing else, in a callback."""
    state().preview = answer
    st.rerun(FRAGMENT)


@st.fragment(key=FRAGMENT)
def preview() -> None:
    """Send the last answer to a drag, if there is any, by a component of its own: the stepper's numbers are not sent
    again each time."""
    with st.container(key="preview"):
        if answer := state().preview:
            _component()(key="preview-answer", data=answer)


@cache
def _component() -> Any:
    return component("regard_preview", js=TO_STEPPER)
