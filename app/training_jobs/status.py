"""Status of a visitor's training for a screen: values only, no processes.

waiting      in the queue; `place` says where
starting     has a slot; its process is getting ready
running      trains
paused       paused after an update; has no slot if somebody else was waiting for it
finished     trained to its end
stopped      ended by its visitor
left         ended because its visitor had left
out of time  ended at the time limit; the only end besides `finished` that cannot be resumed
killed       its process was ended from outside
failed       its process gave up; `told` says why
"""

from dataclasses import dataclass
from pathlib import Path

from regard.model.synthetic.log import AttentionSnapshot, Note
from regard.model.synthetic.setup import Setup

COMMANDS = ("pause", "resume", "step", "stop")  # after an end, resume and step continue from the last checkpoint
GOES_ON = ("paused", "stopped", "left", "killed", "failed")  # states that resume and step can leave


@dataclass(frozen=True)
class RunStatus:
    """One of a job's trainings: its records so far, oldest first, thinned out evenly in long runs."""

    notes: tuple[Note, ...] = ()
    looks: tuple[AttentionSnapshot, ...] = ()
    finished: str = ""  # the reason it finished; "" before
    model: Path | None = None  # a complete model folder, once it has finished or was stopped


@dataclass(frozen=True)
class JobStatus:
    """A job at one moment."""

    state: str
    place: int  # position in the queue, from 1; 0 if it has a slot or needs none
    told: str  # the state's reason in words, or ""
    setups: tuple[Setup, ...]
    runs: tuple[RunStatus, ...]  # one per setup
    seconds_left: float  # until the time limit
