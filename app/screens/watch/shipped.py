"""The models that come with the program: the run to show before a visitor starts one, and what they write exactly."""

import json
from functools import lru_cache
from math import nan
from pathlib import Path

import streamlit as st

from regard.app.figures import measures
from regard.app.models.models import history, scores, snapshots
from regard.app.models.registry import folder, model_names
from regard.app.screens.watch.run_text import RECORDED
from regard.app.training_jobs.job import JobStatus, RunStatus
from regard.app.ui.plots import plot
from regard.app.ui.widgets import errors_shown
from regard.model.cards.record_files import TRAINING
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
    """Show a figure of what the models write exactly, by length, and a sentence about where they fail."""
    swept = []
    for name, called in NAMES.items():
        with errors_shown():
            if name in model_names() and (measured := measures.sweep(called, scores(name))):
                swept.append(measured)
    if not swept:
        st.info(UNMEASURED)
        return
    st.markdown(measures.exact_finding(swept))
    alt = "Share of held-out sequences written exactly, by length, a line for each model; trained lengths are shaded"
    plot(measures.exactness(swept), "sweep", alt)
