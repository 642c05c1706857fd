"""Below the stepper: files to save, what each head of a Transformer does, and a figure of attention."""

import streamlit as st

from regard.app.export.page import page
from regard.app.figures.heatmap import heatmap
from regard.app.models.analyses import ablations, afterwards
from regard.app.models.models import scores
from regard.app.screens.translate.changes import state
from regard.app.theme import component
from regard.app.ui.offline_file import take_along
from regard.app.ui.plots import plot, subject
from regard.app.ui.widgets import table
from regard.app.visitor.question import Question
from regard.app.wording import MEAN_OF_HEADS
from regard.model.alignment import AFTER, READ_AS, ROWS
from regard.model.archive import to_json, to_npz, weights_csv
from regard.model.changes.intervention import Head, head_name
from regard.model.evaluation import scores_record
from regard.model.trace import AnyTrace, Trace

ROWS_ARE = {"output": "produced", "input": "fed in", AFTER: "produced, posterior"}


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


HEADS_ABOUT = (
    "Each head is switched off in turn. *Lost* is how much log-probability the model's own translation then loses; "
    "*changed* is how many of its words are missing when the model translates without the head. Your changes above do "
    "not count here."
)


def head_table(question: Question) -> None:
    """Draw the heads, those that matter most first, with BLEU without each if measured."""
    st.markdown(HEADS_ABOUT)
    measured = scores_record.part(scores(question.model), "without_head")
    bleu: dict[Head, str] = {
        (row["attention"], row["layer"], row["head"]): f"{row['bleu']:.1f}" for row in measured.get("heads", ())
    }
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
