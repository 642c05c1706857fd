"""Training loop of a worker: one training, or two in turn, with commands between updates."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, NamedTuple

from regard.model.synthetic.log import Note
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Practice, SyntheticProgress

SAVED = 5.0  # seconds between checkpoints: at most this much is lost
SILENT = 1.0  # seconds after which a training reports its state, even if no note is due
ENDS = ("stop", "leave")


class Turn(NamedTuple):
    """A training that has not finished, and its updates to come."""

    run: int
    practice: Practice
    updates: Iterator[SyntheticProgress]


class TrainingLoop:
    """Trainings in a folder, resumed from what was saved there. `done` marks those that have ended."""

    def __init__(
        self, folder: Path, setups: Sequence[str], done: Sequence[int], say: Callable[[dict[str, Any]], None]
    ) -> None:
        self.folder, self._say = folder, say
        self.paused = False
        self.turns: list[Turn] = []
        self._untold: dict[int, Note] = {}  # of a training's last update, if not yet reported
        for run, setup in enumerate(setups):
            if run not in done:
                practice = Practice(Setup.from_json(setup))
                if self._checkpoint(run).exists():
                    practice.restore(self._checkpoint(run))
                self.turns.append(Turn(run, practice, practice.run()))
        self._said = self._saved = monotonic()

    def work(self, commands: "SimpleQueue[str]", paused: bool) -> None:
        """Train until all have finished or a command ends it; unfinished trainings are then saved."""
        self._pause(paused)
        while self.turns:
            end = self._next_command(commands)
            if end:
                self._save()
                for turn in self.turns if end == "stop" else ():
                    self._write_model(turn)
                return
            self._update()
            if monotonic() - self._saved > SAVED:
                self._save()

    def _next_command(self, commands: "SimpleQueue[str]") -> str:
        """Return how to end, or "" for an update; waits while paused."""
        while True:
            if self.paused and commands.empty():
                self._save()
            try:
                command = commands.get(block=self.paused)
            except Empty:
                return ""
            if command in ("pause", "stop"):
                self._look()
            if command in ENDS:
                return command
            self._pause(command != "resume")
            if command == "step":
                return ""

    def _pause(self, paused: bool) -> None:
        self.paused = paused
        self._say({"state": "paused" if paused else "running"})

    def _update(self) -> None:
        """Make one update of each training, or of the one that is behind because its checkpoint was older."""
        behind = min(turn.practice.update for turn in self.turns)
        silent = monotonic() - self._said > SILENT
        for turn in [turn for turn in self.turns if turn.practice.update == behind]:
            progress = next(turn.updates)
            self._tell(turn, progress, self.paused or silent)
            if progress.finished:
                self._write_model(turn)
                self._say({"run": turn.run, "finished": progress.finished})
                self.turns.remove(turn)

    def _tell(self, turn: Turn, progress: SyntheticProgress, whatever: bool) -> None:
        """Report the note and snapshot of this update; `whatever` forces a note, and a snapshot after a single step."""
        practice, look = turn.practice, progress.look
        note = progress.note or Note(progress.update, progress.loss, seconds=practice.seconds, tokens=practice.tokens)
        self._untold[turn.run] = note
        if whatever or progress.note:
            self._note(turn)
        if look or self.paused:
            self._say({"run": turn.run, "look": asdict(look or practice.look())})

    def _note(self, turn: Turn) -> None:
        note = self._untold.pop(turn.run, None)
        if note:
            self._said = monotonic()
            self._say({"run": turn.run, "note": asdict(note)})

    def _look(self) -> None:
        """Report the current state before the news of a pause or an end."""
        for turn in self.turns:
            self._note(turn)
            if turn.practice.update:
                self._say({"run": turn.run, "look": asdict(turn.practice.look())})

    def _save(self) -> None:
        for turn in self.turns:
            turn.practice.save(self._checkpoint(turn.run))
        self._saved = monotonic()

    def _checkpoint(self, run: int) -> Path:
        return self.folder / f"run-{run}.safetensors"

    def _write_model(self, turn: Turn) -> None:
        """Write a complete model in place of an earlier one, atomically; write nothing before the first update."""
        if turn.practice.update:
            partial, name = self.folder / "partial", f"model-{turn.run}-{turn.practice.update}"
            shutil.rmtree(partial, ignore_errors=True)
            turn.practice.finish(partial)
            if not (self.folder / name).exists():
                partial.rename(self.folder / name)
            self._say({"run": turn.run, "model": name})
            for folder in self.folder.glob(f"model-{turn.run}-*"):
                if folder.name != name:
                    shutil.rmtree(folder)
