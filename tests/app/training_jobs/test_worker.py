from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from regard.app.training_jobs import worker
from regard.model.input_error import InputError

SECRET = "/tmp/regard-1-a/runs/secret-name"
ORDER = {"folder": SECRET, "setups": [], "done": [], "paused": False}


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

    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(worker, "TrainingLoop", fail)
    assert worker._work(ORDER, SimpleQueue(), heard.append) == 1
    logged = capsys.readouterr().err
    assert Path(SECRET).name not in logged
    assert "a training ended" in logged or traced
    assert ("Traceback" in logged) == traced
    assert heard[0]["failed"]
