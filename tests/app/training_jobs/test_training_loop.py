from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest

from regard.app.training_jobs import training_loop
from regard.app.training_jobs.training_loop import TrainingLoop
from regard.model.synthetic.trainer import Practice
from tests.support.short_trainings import SHORT

TWO = [SHORT.to_json(), SHORT.to_json()]


def said(folder: Path, setups: list[str], *commands: str) -> list[dict[str, Any]]:
    """Return the messages about jobs that begin paused."""
    heard: list[dict[str, Any]] = []
    told: SimpleQueue[str] = SimpleQueue()
    for command in commands:
        told.put(command)
    TrainingLoop(folder, setups, [], heard.append).work(told, paused=True)
    return heard


def noted(heard: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Training and update of each note."""
    return [(line["run"], line["note"]["update"]) for line in heard if "note" in line]


def test_a_training_that_was_saved_earlier_catches_up_before_they_take_turns(tmp_path: Path) -> None:
    ahead = Practice(SHORT)
    updates = ahead.run()
    next(updates)
    next(updates)
    ahead.save(tmp_path / "run-0.safetensors")
    heard = said(tmp_path, TWO, "step", "step", "step", "leave")
    assert noted(heard) == [(1, 1), (1, 2), (0, 3), (1, 3)]


def test_a_slow_training_says_where_it_stands_even_between_its_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_loop, "SILENT", 0.0)
    heard = said(tmp_path, [SHORT.to_json()], "resume")
    assert noted(heard) == [(0, update) for update in range(1, SHORT.updates + 1)]


def test_only_who_stops_for_good_gets_a_model_of_what_was_learned(tmp_path: Path) -> None:
    assert not [line for line in said(tmp_path, TWO, "stop") if "model" in line], "nothing is learned yet"
    assert not [line for line in said(tmp_path, TWO, "step", "leave") if "model" in line]
    models = [line["model"] for line in said(tmp_path, TWO, "step", "stop") if "model" in line]
    assert models == ["model-0-2", "model-1-2"]
    assert sorted(path.name for path in tmp_path.glob("[!r]*")) == models
    again = [line["model"] for line in said(tmp_path, TWO, "step", "step", "stop") if "model" in line]
    assert again == ["model-0-4", "model-1-4"]
    assert sorted(path.name for path in tmp_path.glob("[!r]*")) == again, "an earlier one gives way"


def test_a_pause_shows_what_the_network_makes_of_the_examples_now(tmp_path: Path) -> None:
    heard = said(tmp_path, [SHORT.to_json()], "pause", "step", "pause", "leave")
    assert [line["look"]["update"] for line in heard if "look" in line] == [1, 1]


def test_a_stop_tells_where_the_network_that_is_written_stands(tmp_path: Path) -> None:
    class StoppedAfter13(SimpleQueue[str]):  # an update after which nothing is reported otherwise
        updates = 0

        def get(self, *args: object, **options: object) -> str:
            if self.updates == 13:
                return "stop"
            self.updates += 1
            raise Empty

    heard: list[dict[str, Any]] = []
    TrainingLoop(tmp_path, [SHORT.to_json()], [], heard.append).work(StoppedAfter13(), paused=False)
    assert [line["model"] for line in heard if "model" in line] == ["model-0-13"]
    assert [line["look"]["update"] for line in heard if "look" in line][-1] == 13
    assert noted(heard)[-1] == (0, 13)
    assert "13 updates" in (tmp_path / "model-0-13" / "README.md").read_text(encoding="utf-8")


def test_whoever_hears_of_a_pause_has_heard_of_its_update(tmp_path: Path) -> None:
    heard: list[dict[str, Any]] = []
    told: SimpleQueue[str] = SimpleQueue()

    def say(line: dict[str, Any]) -> None:
        heard.append(line)
        if line.get("note", {}).get("update") == 1:  # the next update is none of those that are noted
            told.put("pause")
        elif line == {"state": "paused"}:
            told.put("leave")

    TrainingLoop(tmp_path, [SHORT.to_json()], [], say).work(told, paused=False)
    pause = heard.index({"state": "paused"})
    held = [line["look"]["update"] for line in heard[:pause] if "look" in line][-1]
    assert noted(heard[:pause])[-1] == (0, held)
