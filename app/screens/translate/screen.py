"""Translate: one sentence, every step of the decoder and every number of it.

A sentence that is entered, and words that are still being typed, rerun only the part of the page that depends on them:
the fragment `translation`.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.arithmetic.panel import FRAGMENT, arithmetic, show_clicked
from regard.app.components.shared.component import SentTyped
from regard.app.components.stepper.mount import Change, changing_stepper
from regard.app.components.stepper.payload import Head, changeable, gain
from regard.app.export.page import page
from regard.app.figures.heatmap import heatmap
from regard.app.models.analyses import ablations, afterwards, hand_aligned, occurrences, remembers
from regard.app.models.models import doubt, scores
from regard.app.screens.translate import asking
from regard.app.screens.translate.answer import answer
from regard.app.screens.translate.asking import FIGURES, HEADS, made, newcomer, tried
from regard.app.screens.translate.changes import bar, hear, hear_preview, preview, send_preview, settle, state
from regard.app.server.processes import room
from regard.app.theme import component
from regard.app.ui.offline_file import take_along
from regard.app.ui.plots import plot, subject
from regard.app.ui.widgets import heading, table
from regard.app.visitor import pickers
from regard.app.visitor.question import Question, telling_step
from regard.app.visitor.sentence_input import (
    answerable,
    any_readable,
    begin,
    draft,
    entered,
    examples_menu,
    link,
    read_and_ask,
    read_chip,
    sentence_field,
    visit,
    why_link,
)
from regard.app.visitor.translated_text import current, text_row
from regard.app.wording import MEAN_OF_HEADS
from regard.model.alignment import AFTER, READ_AS, ROWS
from regard.model.archive import to_json, to_npz, weights_csv
from regard.model.changes.intervention import head_name
from regard.model.changes.session import offered
from regard.model.checkpoint import AnyModel
from regard.model.evaluation import scores_record
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.trace import TransformerTrace

NAMES = ("Before", "After")  # of the columns, if something is changed
TRANSLATION = "translation"  # key of the fragment: the sentence's field, earlier sentences, the answer and the stepper
ROWS_ARE = {"output": "produced", "input": "fed in", AFTER: "produced, posterior"}
HEADS_ABOUT = (
    "Each head is switched off in turn. *Lost* is how much log-probability the model's own translation then loses; "
    "*changed* is how many of its words are missing when the model translates without the head. Your changes above do "
    "not count here."
)


def stage(question: Question, before: AnyTrace, after: AnyTrace) -> None:
    """Draw the stepper; a change redraws the whole page."""
    fact = gain(before, after) if after is not before else ("changed", "nothing yet")
    pair = hand_aligned(question.model, after.alignment.source.text)
    now = state()
    now.traces[:] = [before] if after is before else [before, after]
    now.posteriors = pickers.asked_for(now.traces)
    changing_stepper(
        changeable(
            before,
            after,
            (Head(NAMES[0]), Head(NAMES[1], (fact,))),
            offered(before, after, pair),
            now.posteriors,
            doubt(question.model),
            occurrences(question.model),
        ),
        question.opening(telling_step(before) if question.step is None else question.step, question.rows),
        trace=after,
        key="stepper",
        change=Change(
            st.query_params.get("edit") == "1",
            hear,
            now.session.heard,
            hear_preview,
            show_clicked,
            hear_typed,
            {"heard": now.typed_last, "draft": visit().drafted},
            remembers(question.model),
        ),
        hear_rows=pickers.hear_rows,
    )


def stand_alone() -> bool:
    """Return True if nothing outside `TRANSLATION` depends on the sentence: no change, forced translation, open figure,
    or place in a text.
    """
    text = current()
    elsewhere = visit().question.given or any(st.session_state.get(name) for name in (HEADS, FIGURES))
    return bool(visit().answered) and not elsewhere and not (text and text.row) and not state().touched


def ask_entered() -> None:
    """Ask the field's text, in its callback; typed words that arrive in the same run are older."""
    alone, beside = stand_alone(), visit().drawer or any(st.session_state.get("stepper", {}).values())
    read_and_ask(entered(), "", as_typed=False)  # the field keeps what is being typed meanwhile
    st.session_state.given = ""
    state().entered = True
    context = get_script_run_ctx()
    if context and context.fragment_ids_this_run:  # a full run has dropped the files of its downloads
        if not alone:
            st.rerun("app")
        elif beside:  # a click or a drag in the same request limits the run to its own part
            st.rerun((TRANSLATION, FRAGMENT))


def hear_typed(sent: SentTyped) -> None:
    """Translate the finished words of a sentence that is being typed, in the stepper's callback.

    They are refused if the server has no spare time, and while more than `TRANSLATION` depends on the sentence.
    """
    state().typed_last = sent.nonce
    if state().entered or not room.is_free() or not stand_alone() or not draft(sent.text):
        send_preview({"nonce": sent.nonce, "refused": True})
    elif visit().drawer:
        st.rerun((TRANSLATION, FRAGMENT))


@st.fragment(key=TRANSLATION)
def translation(model: AnyModel, field: DeltaGenerator, again: DeltaGenerator, above: DeltaGenerator) -> None:
    """Draw the sentence's field, earlier sentences, the answer and the stepper below it, and write the link; stop the
    page with an error if nothing could be read yet."""
    with field:
        sentence_field(model, "collapsed", ask_entered)
    with again:
        why_link()
        examples_menu(model)
        read_chip()
    drafted, state().entered = visit().drafted, False
    with above:
        question = visit().answered if drafted else answerable(visit().question, model)
        if question is None:
            st.stop()
        before, after = settle(question)
        if not drafted:
            link(question, state().changes)  # the stepper itself keeps the step and the switches in the link
        answer(question, before, after)
    stage(question, before, after)


@st.fragment
def study(shown: AnyTrace, question: Question) -> None:
    """Show figures for a slide or a closer look."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        units = st.segmented_control("Matrix of", ["words", "tokens"], default=question.units, required=True)
        ways = READ_AS if isinstance(shown, Trace) else ROWS
        rows = st.segmented_control(
            "Rows are named by the word",
            ways,
            default=question.rows if question.rows in ways else ROWS[0],
            required=True,
            format_func=ROWS_ARE.__getitem__,
        )
    if isinstance(shown, Trace) and rows == AFTER:
        st.caption("The posterior: what the weights would be once each word is known.")
        drawn = heatmap(afterwards(shown).over(shown.alignment), units, ROWS[0], AFTER)
        plot(drawn, "posterior", "Posterior attention: by step and source", subject(shown))
    else:
        drawn = heatmap(shown.alignment, units, rows)
        plot(drawn, "attention", "Attention matrix: weights by step and source", subject(shown))
    if not isinstance(shown, Trace):
        st.caption(MEAN_OF_HEADS)


def head_table(question: Question) -> None:
    """Draw the heads, those that matter most first, with BLEU without each if measured."""
    st.subheader("What each head does to this translation")
    st.markdown(HEADS_ABOUT)
    measured = scores_record.part(scores(question.model), "without_head")
    bleu = {(row["attention"], row["layer"], row["head"]): f"{row['bleu']:.1f}" for row in measured.get("heads", ())}
    rows = [
        {
            "head": head_name(one.head),
            "lost": component(one.lost),
            "words changed": str(one.changed),
            "translation without it": one.text or "—",
            **({"BLEU without it": bleu.get(one.head, "—")} if bleu else {}),
        }
        for one in sorted(ablations(question.model, question.sentence), key=lambda one: -one.lost)
    ]
    table(rows, "What the translation loses without each head")
    if bleu:
        st.caption(f"BLEU on {measured['pairs']:,} held-out pairs; with all heads it is {measured['bleu']:.1f}.")


def downloads(question: Question) -> None:
    """Draw the buttons; a file is made from the traces on view when its button is clicked."""
    view = state()
    files = (
        ("Trace (JSON)", "trace.json", "application/json", lambda: to_json(view.traces[-1])),
        ("Trace (NumPy)", "trace.npz", "application/octet-stream", lambda: to_npz(view.traces[-1])),
        ("Weights (CSV)", "weights.csv", "text/csv", lambda: weights_csv(view.traces[-1])),
        ("Page (HTML)", "translation.html", "text/html", lambda: page(view.traces, posteriors=view.posteriors)),
    )
    with st.container(horizontal=True, key="downloads"):
        for label, name, kind, content in files:
            st.download_button(label, content, name, kind, on_click="ignore", icon=":material/download:")
        take_along([question.model], question)


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
    translation(model, field, again, answer_place)
    preview()
    arithmetic(state().traces, NAMES)
question, before, after = visit().answered or asked, state().traces[0], state().traces[-1]
if state().touched:
    bar(before, after, changes)
downloads(question)
if isinstance(after, TransformerTrace) and st.session_state.get(HEADS):
    head_table(question)
if st.session_state.get(FIGURES):  # Plotly's two megabytes are fetched only on request
    st.subheader("Figures to study and save")
    study(after, question)
