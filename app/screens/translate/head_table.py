"""Head table: what a translation loses when one head of a Transformer is switched off, for every head."""

import streamlit as st

from regard.app.models.analyses import ablations
from regard.app.models.models import scores
from regard.app.theme import component
from regard.app.ui.widgets import table
from regard.app.visitor.question import Question
from regard.model.changes.kinds import Head, head_name
from regard.model.evaluation import scores_record

ABOUT = (
    "Each head is switched off in turn. *Lost* is how much log-probability the model's own translation then loses; "
    "*changed* is how many of its words are missing when the model translates without the head. Your changes above do "
    "not count here."
)


def head_table(question: Question) -> None:
    """Draw the heads, those that matter most first, with BLEU without each if measured."""
    st.markdown(ABOUT)
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
