"""Translate: one sentence, every step of the decoder and every number of it."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.arithmetic.panel import arithmetic, show_clicked
from regard.app.components.stepper.mount import Change, changing_stepper
from regard.app.components.stepper.payload import Head, changeable, gain
from regard.app.models.analyses import hand_aligned, occurrences, remembers
from regard.app.models.models import doubt
from regard.app.screens.translate import asking
from regard.app.screens.translate.answer import answer
from regard.app.screens.translate.asking import FIGURES, HEADS, made, newcomer, tried
from regard.app.screens.translate.changes import Settled, bar, hear, hear_preview, preview, settle, state, touched
from regard.app.screens.translate.parts import TRANSLATION, ask_entered, hear_typed, on_view
from regard.app.screens.translate.study import downloads, head_table, study
from regard.app.ui.widgets import heading
from regard.app.visitor import pickers
from regard.app.visitor.fields import examples_menu, read_chip, sentence_field, why_link
from regard.app.visitor.sentence_input import answerable, any_readable, begin, link, visit
from regard.app.visitor.telling_step import telling_step
from regard.app.visitor.translated_text import text_row
from regard.model.changes.session import offered
from regard.model.checkpoint import AnyModel
from regard.model.transformer.trace import TransformerTrace

NAMES = ("Before", "After")  # of the columns, if something is changed


def stage(settled: Settled) -> None:
    """Draw the stepper; a change redraws the whole page."""
    question, before, after = settled
    if question.rows != pickers.rows():  # the browser has just switched the posterior on or off
        st.rerun()
    fact = gain(before, after) if after is not before else ("changed", "nothing yet")
    pair = hand_aligned(question.model, after.alignment.source.text)
    view = on_view()
    view.question = question
    view.traces[:] = [before] if after is before else [before, after]
    view.posteriors = pickers.asked_for(view.traces)
    changing_stepper(
        changeable(
            before,
            after,
            (Head(NAMES[0]), Head(NAMES[1], (fact,))),
            offered(before, after, pair),
            view.posteriors,
            doubt(question.model),
            occurrences(question.model),
        ),
        question.opening(telling_step(before) if question.step is None else question.step, question.rows),
        trace=after,
        key="stepper",
        change=Change(
            st.query_params.get("edit") == "1",
            hear,
            state().session.heard,
            hear_preview,
            show_clicked,
            hear_typed,
            {"heard": view.typed_last, "draft": visit().drafted},
            remembers(question.model),
        ),
        hear_rows=pickers.hear_rows,
    )


class TranslationPlaces(NamedTuple):
    """The places around the stepper of what also depends on the sentence."""

    sentence: DeltaGenerator
    again: DeltaGenerator
    answer: DeltaGenerator


@st.fragment(key=TRANSLATION)
def translation(model: AnyModel, places: TranslationPlaces) -> None:
    """Draw the sentence's field, earlier sentences, the answer and the stepper; stop the page if nothing was answered
    yet."""
    fields(model, places)
    with places.answer:
        settled = answered(model)
        if settled:
            answer(*settled)
    if settled is None:
        st.stop()
    stage(settled)


def fields(model: AnyModel, places: TranslationPlaces) -> None:
    """Draw the sentence's field and earlier sentences."""
    with places.sentence:
        sentence_field(model, "collapsed", ask_entered)
    with places.again:
        why_link()
        examples_menu(model)
        read_chip()


def answered(model: AnyModel) -> Settled | None:
    """Translate and write the link; show the error and return None if the sentence cannot be read."""
    now, on_view().entered = visit(), False
    if question := now.answered if now.drafted else answerable(now.question, model):
        settled = settle(question)
        if not now.drafted:
            link(settled[0])  # the stepper itself keeps the step and the switches in the link
        return settled
    return None


asked = begin("translate")
model = any_readable(asked.model)
with st.container(gap="xxsmall", key="asking"):
    if st.session_state.setdefault("newcomer", visit().unasked):
        newcomer(asked)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="slim"):
        with st.container(key="brand", width="content"):
            heading("Regard")
        field = st.container()
        asking.fields(asked, model)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="under"):
        again = tried(model)
        made(asked)
        changes = st.container(width="content")
    text_row(asked)
    answer_place = st.container(key="answer-part")
with st.container(key="stage"):  # holds its place until it is drawn
    translation(model, TranslationPlaces(field, again, answer_place))
    preview()
    arithmetic(on_view().traces, NAMES)
question, after = on_view().question, on_view().traces[-1]
if touched():
    bar(on_view().traces[0], after, changes)
downloads(question)
if isinstance(after, TransformerTrace) and st.session_state.get(HEADS):
    st.subheader("What each head does to this translation")
    head_table(question)
if st.session_state.get(FIGURES):  # Plotly's two megabytes are fetched only on request
    st.subheader("Figures to study and save")
    study(after, question)
