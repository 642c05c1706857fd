"""A scheduler of trainings where nobody works."""

from collections.abc import Sequence
from dataclasses import replace

from regard.app.server.visits import Visitor
from regard.app.training_jobs.scheduler import JobStatus, RunStatus
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup
from tests.support.seen_run import LOOKS, NOTES


class PretendedScheduler:
    """A scheduler whose trainings stay as a test says."""

    def __init__(self) -> None:
        self.views: dict[str, JobStatus] = {}
        self.submitted: list[tuple[tuple[Setup, ...], bool]] = []
        self.told: list[tuple[str, str]] = []

    def submit(self, setups: Sequence[Setup], paused: bool, visitor: Visitor) -> str:
        assert visitor.session
        if len(self.submitted) == 2:
            raise InputError("20 trainings are waiting already. Try again in a few minutes.")
        self.submitted.append((tuple(setups), paused))
        run = f"run-{len(self.submitted)}"
        self.views[run] = JobStatus("waiting", 3, "", tuple(setups), tuple(RunStatus() for _ in setups))
        return run

    def look(self, run: str) -> JobStatus | None:
        return self.views.get(run)

    def tell(self, run: str, command: str) -> None:
        self.told.append((run, command))
        after = {"pause": "paused", "resume": "running", "stop": "stopped"}.get(command, "paused")
        self.views[run] = replace(self.views[run], state=after, runs=(RunStatus(NOTES, LOOKS),))
