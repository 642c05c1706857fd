"""The models that come with the program: the run to show before a visitor starts one, and what they write exactly."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import nan
from pathlib import Path
from typing import Any

import streamlit as st

from regard.app.figures.measures import ExactShare, exact_by_length, exact_shares
from regard.app.models.models import history, scores, snapshots
from regard.app.models.registry import folder, model_names
from regard.app.screens.watch.run_text import RECORDED
from regard.app.theme import percent
from regard.app.training_jobs.job import JobStatus, RunStatus
from regard.app.ui.plots import plot
from regard.app.ui.widgets import errors_shown
from regard.model.cards.record_files import TRAINING
from regard.model.evaluation import scores_record
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Note, attention_of

MODEL, WITHOUT = "reverse-gru", "reverse-gru-none"  # with and without attention


def recorded(name: str) -> JobStatus | None:
    """Return the run as the screen shows it, or None without a record. Raises InputError naming what is wrong."""
    watched = snapshots(name)
    file = folder(name) / TRAINING
    if watched is None or not file.is_file():
        return None
    notes = tuple(
        Note(int(row["update"]), row["loss"], row.get("exact", nan), row.get("validation_loss", nan), row["seconds"])
        for row in history(name)
    )
    looks = tuple(attention_of(watched.pairs, moment) for moment in watched.moments)
    return JobStatus(RECORDED, 0, "", (_setup(file),), (RunStatus(notes, looks, "", folder(name)),), 0.0)


@lru_cache(maxsize=8)
def _setup(file: Path) -> Setup:
    try:
        return Setup.from_json(json.dumps(json.loads(file.read_text(encoding="utf-8"))["setup"]))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file.parent.name}: {file.name} is not a record of a practice run ({error})") from error


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
