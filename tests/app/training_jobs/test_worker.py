import signal
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path
from queue import SimpleQueue

import pytest

from regard.app.training_jobs import worker
from regard.app.training_jobs.worker import (
    News,
    Order,
    Report,
    TrainingLoop,
    Worker,
    WorkerFailure,
    work,
)
from regard.model.input_error import InputError
from regard.model.synthetic.trainer import AttentionSnapshot, Note
from tests.support.short_trainings import LONG, SECONDS, SHORT, gone

SECRET = "/tmp/regard-1-a/runs/secret-name"


class Talk:
    """A worker that trains, with its reports and its exit status."""

    def __init__(self, folder: Path) -> None:
        self.reports: SimpleQueue[Report] = SimpleQueue()
        self.status: SimpleQueue[int] = SimpleQueue()
        self.worker = Worker(Order(folder, (LONG,)), self.reports.put, self.status.put)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[Talk]]:
    """The younger one last."""
    talks = [Talk(tmp_path), Talk(tmp_path)]
    for talk in talks:
        while not isinstance(talk.reports.get(timeout=SECONDS), News):
            pass
    yield talks
    for talk in talks:
        talk.worker.kill()
        talk.worker.wait()


def test_a_worker_ends_when_no_more_commands_can_come_and_others_go_on(two: list[Talk]) -> None:
    first, second = two
    first.worker._commands.close()
    assert first.status.get(timeout=SECONDS) == 1
    assert not gone(second.worker.process.pid or 0), "it shares no end of a pipe"


def test_a_worker_that_is_not_forked_yet_can_be_killed(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    talk.worker.kill()
    assert talk.status.get(timeout=SECONDS) == -signal.SIGKILL
    talk.worker.wait()
    talk.worker.kill()  # once more does nothing


@pytest.mark.parametrize(
    ("error", "traced"),
    [
        (OSError(28, "No space left on device", f"{SECRET}/run-0.safetensors"), False),
        (InputError(f"{SECRET}/run-0.safetensors: no checkpoint"), False),
        (KeyError(f"{SECRET}/run-0.safetensors"), True),
    ],
)
def test_the_log_tells_a_failure_without_the_name_of_the_run_and_traces_only_our_own_mistakes(
    error: Exception, traced: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise error

    reports: list[Report] = []
    monkeypatch.setattr(worker, "TrainingLoop", fail)
    assert work(Order(Path(SECRET), ()), Pipe()[0], reports.append) == 1
    logged = capsys.readouterr().err
    assert Path(SECRET).name not in logged
    assert "a training ended" in logged or traced
    assert ("Traceback" in logged) == traced
    assert isinstance(reports[0], WorkerFailure)


def reported(folder: Path, setups: int, *commands: str) -> list[Report]:
    """Return the reports about trainings that begin paused."""
    reports: list[Report] = []
    received, sent = Pipe(duplex=False)
    for command in ("pause", *commands):
        sent.send(command)
    TrainingLoop(Order(folder, (SHORT,) * setups), received, reports.append).run()
    return reports


def noted(reports: list[Report]) -> list[tuple[int, int]]:
    """Training and update of each note."""
    return [(each.run, each.news.update) for each in reports if isinstance(each, News) and isinstance(each.news, Note)]


def looked(reports: list[Report]) -> list[int]:
    """The update of each snapshot."""
    news = [each.news for each in reports if isinstance(each, News)]
    return [each.update for each in news if isinstance(each, AttentionSnapshot)]


def models(reports: list[Report]) -> list[str]:
    return [each.news.name for each in reports if isinstance(each, News) and isinstance(each.news, Path)]


def test_only_who_stops_for_good_gets_a_model_of_what_was_learned(tmp_path: Path) -> None:
    assert not models(reported(tmp_path, 2, "stop")), "nothing is learned yet"
    assert not models(reported(tmp_path, 2, "step", "leave"))
    made = models(reported(tmp_path, 2, "step", "stop"))
    assert made == ["model-0-2", "model-1-2"]
    assert sorted(path.name for path in tmp_path.glob("[!r]*")) == made
    again = models(reported(tmp_path, 2, "step", "step", "stop"))
    assert again == ["model-0-4", "model-1-4"]
    assert sorted(path.name for path in tmp_path.glob("[!r]*")) == again, "an earlier one gives way"


class AfterUpdate13:
    """A connection that brings these commands after an update of which nothing is reported otherwise."""

    def __init__(self, *commands: str) -> None:
        self.polls, self.commands = 0, [*commands]

    def poll(self) -> bool:
        self.polls += 1
        return self.polls > 14

    def recv(self) -> str:
        return self.commands.pop(0)


@pytest.mark.parametrize(("commands", "state"), [(["stop"], None), (["pause", "leave"], "paused")])
def test_whoever_learns_of_a_stop_or_a_pause_has_learned_of_its_update(
    tmp_path: Path, commands: list[str], state: str | None
) -> None:
    reports: list[Report] = []
    TrainingLoop(Order(tmp_path, (SHORT,)), AfterUpdate13(*commands), reports.append).run()
    before = reports[: reports.index(state)] if state else reports
    assert (noted(before)[-1], looked(before)[-1]) == ((0, 13), 13)
    assert models(reports) == ([] if state else ["model-0-13"])
    assert state or "13 updates" in (tmp_path / "model-0-13" / "README.md").read_text(encoding="utf-8")
