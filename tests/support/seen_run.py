"""A run as a screen gets it, for the tests of Watch it learn."""

from typing import Any

import numpy as np

from regard.app.training_jobs.scheduler import JobStatus, RunStatus
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Note
from regard.model.training.snapshots import Snapshot

USUAL = Setup()
WEIGHTS = [[0.25, 0.5, 0.25], [0.7, 0.2, 0.1], [0.0, 0.0, 1.0]]
LOOKS = tuple(Snapshot(update, (np.array(WEIGHTS),), (), (written, "")) for update, written in ((1, "5"), (10, "5 2")))
NOTES = (Note(1, 5.5, 0.0, seconds=0.5, tokens=100), Note(10, 2.0, seconds=2.5, tokens=1100))


def view(state: str, told: str = "", **otherwise: Any) -> JobStatus:
    return JobStatus(state, 0, told, (USUAL,), (RunStatus(NOTES, LOOKS, **otherwise),))
