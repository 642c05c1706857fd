import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.result_cache import forget_all
from regard.app.screens.watch.inputs import PRESETS, TrainingPreset
from regard.app.screens.watch.payload import LIVE, STATES
from regard.app.screens.watch.run import GONE, MODEL
from regard.app.server.visits import Visitor
from regard.app.training_jobs.scheduler import GOES_ON, JobStatus, RunStatus
from regard.model.cards.record_files import SCORES_FILE
from regard.model.input_error import InputError
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.trainer import Practice
from tests.support.seen_run import LOOKS, NOTES, USUAL, view


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


OPENED = ("sweep",)

BUTTONS = ("Start", "Pause", "Resume", "Go on", "One step", "Stop")


@pytest.fixture(autouse=True)
def pretended(monkeypatch: pytest.MonkeyPatch) -> PretendedScheduler:
    made = PretendedScheduler()
    monkeypatch.setattr("regard.app.screens.watch.run.shared_scheduler", lambda: made)
    return made


@pytest.fixture
def practised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A model that has practised a little, where the app looks for those that come with the program."""
    practice = Practice(Setup(longest=3, hidden=8, batch=8, updates=4))
    for _ in practice.run():
        pass
    practice.finish(tmp_path / MODEL, tmp_path / MODEL, sweep=True)
    monkeypatch.setattr("regard.app.models.registry.PRETRAINED", tmp_path)
    forget_all()
    yield tmp_path / MODEL
    forget_all()


def drawn(screen: AppTest) -> dict[str, Any]:
    """Return the data sent to the component."""
    assert not screen.exception
    return json.loads(screen.get("bidi_component")[0].proto.json)


def press(screen: AppTest, label: str) -> None:
    next(button for button in screen.button if button.label == label).click().run()


def pressable(screen: AppTest) -> list[str]:
    return [button.label for button in screen.button if button.label in BUTTONS and not button.disabled]


def test_start_asks_for_what_the_widgets_say_and_the_link_names_the_run(
    screen: AppTest, pretended: PretendedScheduler
) -> None:
    screen.query_params.update(
        {"task": "Sort", "longest": "12", "attention": "Bahdanau's", "forcing": "0.5", "numbers": "5", "hidden": "32"}
    )
    screen.run()
    cell: Any = screen.get_by_key("cell")
    cell.set_value("lstm").run()
    press(screen, "Start")
    wanted = Setup(
        task="sort", longest=12, attention="bahdanau", teacher_forcing=0.5, symbols=5, hidden=32, cell="lstm"
    )
    assert pretended.submitted == [((wanted,), False)]
    assert screen.query_params["run"] == "run-1"
    assert drawn(screen)["id"] == "run-1"
    assert drawn(screen)["detail"].startswith("Number 3 in the queue")


def take(screen: AppTest, preset: TrainingPreset) -> None:
    cast(Any, screen.get_by_key("presets")).click(PRESETS.index(preset)).run()


@pytest.mark.parametrize("preset", PRESETS[:2], ids=lambda preset: preset.label)
def test_a_preset_sets_the_widgets_and_says_what_it_shows(
    screen: AppTest, pretended: PretendedScheduler, preset: Any
) -> None:
    screen.query_params.update({"longest": "5", "other": "true", "hidden": "16"})
    screen.run()
    take(screen, preset)
    assert preset.why in [element.value for element in screen.markdown]
    press(screen, "Start")
    assert pretended.submitted == [(preset.setups, False)]


def test_one_step_begins_a_run_that_pauses_and_every_button_tells_the_scheduler(
    screen: AppTest, pretended: PretendedScheduler
) -> None:
    screen.run()
    press(screen, "One step")
    assert pretended.submitted == [((USUAL,), True)]
    assert pressable(screen) == ["Resume", "One step", "Stop"]
    for label in ("One step", "Resume", "Pause", "Stop", "Go on"):
        press(screen, label)
    assert pretended.told == [("run-1", command) for command in ("step", "step", "resume", "pause", "stop", "resume")]


def test_a_link_brings_a_run_back(screen: AppTest, pretended: PretendedScheduler) -> None:
    pretended.views["earlier"] = view("finished", finished="99% exact reached")
    screen.query_params["run"] = "earlier"
    screen.run()
    sent_ = drawn(screen)
    assert (sent_["id"], sent_["kind"]) == ("earlier", "finished")
    assert sent_["detail"] == "99% exact reached after 10 updates and 2 s of training."
    assert pressable(screen) == ["Start", "One step"]


@pytest.mark.parametrize("name", ["gone", "../../etc/passwd", "<script>alert(1)</script>" * 50])
def test_a_run_that_is_not_there_is_said_to_be_gone_and_another_can_be_started(
    screen: AppTest, pretended: PretendedScheduler, name: str
) -> None:
    screen.query_params["run"] = name
    screen.run()
    assert GONE in [info.value for info in screen.info]
    assert drawn(screen)["kind"] == "recorded"
    press(screen, "Start")
    assert GONE not in [info.value for info in screen.info]
    assert drawn(screen)["id"] == "run-1"


@pytest.mark.parametrize("state", [*LIVE, *GOES_ON, "finished"])
def test_every_state_has_a_name_a_sentence_and_a_way_on(
    screen: AppTest, pretended: PretendedScheduler, state: str
) -> None:
    pretended.views["run"] = view(state, "Somebody said why.")
    screen.query_params["run"] = "run"
    screen.run()
    assert drawn(screen)["state"] == STATES[state]
    assert len(drawn(screen)["detail"]) > 10
    assert ("Start" in pressable(screen)) == (state not in LIVE)
    assert ("Stop" in pressable(screen)) == (state in LIVE)
    assert {"Resume", "Go on"} & set(pressable(screen)) if state in GOES_ON else True


def test_the_run_of_a_model_that_comes_with_the_program_is_shown_until_one_is_started(
    screen: AppTest, practised: Path
) -> None:
    screen.run()
    (run,) = drawn(screen)["runs"]
    assert [row[0] for row in run["looks"]][:2] == [1, 2]
    assert "up to " in drawn(screen)["detail"]
    task = json.loads((practised / SCORES_FILE).read_text(encoding="utf-8"))["task"]
    figure = json.loads(screen.get("plotly_chart")[0].proto.spec)
    (line,) = figure["data"]
    assert len(line["x"]) == len(task["by_length"])
    press(screen, "Start")
    assert drawn(screen)["runs"][0]["looks"] == []
