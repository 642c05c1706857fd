"""Exact match: the sequences that the shipped models write exactly, by length, with and without attention."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from regard.app.figures.measures import ExactShare, exact_by_length, exact_shares
from regard.app.models.models import scores
from regard.app.models.registry import model_names
from regard.app.screens.watch.recorded_run import MODEL, WITHOUT
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import errors_shown
from regard.model.evaluation import scores_record

NAMES = {MODEL: "With attention", WITHOUT: "Without attention"}
UNMEASURED = (
    "Models that practised reversal, with scores by length, are not available; `regard practise --sweep "
    "--out reverse-gru` trains one and measures it."
)


def sweep() -> None:
    """Show a figure, and a sentence about the longest sequences of the training."""
    tasks = {title: task for name, title in NAMES.items() if (task := _task(name))}
    if not tasks:
        st.info(UNMEASURED)
        return
    measured = [(name, exact_shares(task)) for name, task in tasks.items()]
    trained = min(task["lengths"][0] for task in tasks.values()), max(task["lengths"][1] for task in tasks.values())
    st.markdown(finding(measured, trained[1]))
    alt = "Share of held-out sequences written exactly, by length, a line for each model; trained lengths are marked"
    plot(exact_by_length(measured, trained), "sweep", alt)


def finding(models: Sequence[tuple[str, Sequence[ExactShare]]], longest: int) -> str:
    """Say what was measured at the longest training length and at the longest of all, as Markdown."""
    sentences = []
    for name, lengths in models:
        shares = {row.length: row.share for row in lengths}
        beyond = max(shares)
        sentences.append(
            f"**{name}** {percent(shares[longest])} of the sequences of {longest} numbers are written exactly"
            + (f", and {percent(shares[beyond])} of those of {beyond}" if beyond > longest else "")
            + "."
        )
    return " ".join([*sentences, f"No sequence of more than {longest} numbers was in training."])


def _task(name: str) -> Mapping[str, Any] | None:
    """Return the task's scores, or None without a model measured by length; unreadable files are reported."""
    if name in model_names():
        with errors_shown():
            task = scores_record.part(scores(name), "task")
            return task if "by_length" in task else None
    return None
