"""Status of a visitor's training for a screen: values only, nothing of processes.

waiting      in the queue; `place` says where
starting     has a slot; its process is getting ready
running      trains
paused       holds after an update; without a slot when somebody else waited for it
finished     trained to its end
stopped      ended by its visitor
left         ended because its visitor was gone
out of time  ended at the time limit; the only end besides `finished` that cannot be gone on from
killed       its process was ended from outside
failed       its process gave up; `told` says why
"""

from dataclasses import dataclass
from pathlib import Path

from regard.model.synthetic.log import AttentionSnapshot, Note
from regard.model.synthetic.setup import Setup

COMMANDS = ("pause", "resume", "step", "stop")  # resume and step go on from the last checkpoint after an end
GOES_ON = ("paused", "stopped", "left", "killed", "failed")  # states in which resume and step lead on


@dataclass(frozen=True)
class RunStatus:
    """One of a job's trainings: what came of it so far, oldest first, thinned out evenly where it grew long."""

    notes: tuple[Note, ...] = ()
    looks: tuple[AttentionSnapshot, ...] = ()
    finished: str = ""  # why it reached its end; "" before
    model: Path | None = None  # a complete model folder, once it finished or was stopped


@dataclass(frozen=True)
class JobStatus:
    """A job at one moment."""

    state: str
    place: int  # in the queue, from 1; 0 = has a slot or needs none
    told: str  # the state's reason in words, "" where there is nothing to say
    setups: tuple[Setup, ...]
    runs: tuple[RunStatus, ...]  # one per setup
    seconds_left: float  # until the time limit
