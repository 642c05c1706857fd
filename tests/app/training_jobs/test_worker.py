import signal
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from regard.app.training_jobs import worker
from regard.app.training_jobs.worker import CONTEXT, News, Report, TrainingLoop, Worker, work
from regard.model.input_error import InputError
from tests.support.short_trainings import LONG, SECONDS, SHORT, gone

SECRET = "/tmp/regard-1-a/runs/secret-name"


class Talk:
    """A worker that trains, with its reports and its exit status."""

    def __init__(self, folder: Path) -> None:
        self.reports: SimpleQueue[Report] = SimpleQueue()
        self.status: SimpleQueue[int] = SimpleQueue()
        self.worker = Worker(folder, {0: LONG}, self.reports.put, self.status.put)


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
    assert work(Path(SECRET), {}, CONTEXT.Pipe()[0], reports.append) == 1
    logged = capsys.readouterr().err
    assert Path(SECRET).name not in logged
    assert "a training ended" in logged or traced
    assert ("Traceback" in logged) == traced
    assert isinstance(reports[0], InputError)


def reported(folder: Path, setups: int, *commands: str) -> list[Report]:
    """Return the reports about trainings that begin paused."""
    reports: list[Report] = []
    received, sent = CONTEXT.Pipe(duplex=False)
    for command in ("pause", *commands):
        sent.send(command)
    TrainingLoop(folder, dict.fromkeys(range(setups), SHORT), received, reports.append).run()
    return reports


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
