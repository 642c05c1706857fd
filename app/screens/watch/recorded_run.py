"""The run of a shipped model, to show before a visitor starts one."""

import json
from functools import lru_cache
from math import nan
from pathlib import Path

from regard.app.models.models import history, snapshots
from regard.app.models.registry import folder
from regard.app.screens.watch.text import RECORDED
from regard.app.training_jobs.job import JobStatus, RunStatus
from regard.model.cards.record_files import TRAINING
from regard.model.input_error import InputError
from regard.model.synthetic.log import Note, attention_of
from regard.model.synthetic.setup import Setup

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
