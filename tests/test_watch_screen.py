"""The screen Watch it learn keeps its promises, without a browser and without training."""

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from app.figures.watching import Exactly, Point, exact_by_length, practice_curves
from app.watching.comparing import titles
from app.watching.pace import seconds_to_go, tokens_per_second
from app.watching.payload import Sent, on_wanted, payload, sent
from app.watching.presets import PRESETS, preset_of
from app.watching.recorded import MODEL
from app.watching.results import zipped
from app.watching.running import GONE
from app.watching.sweep import finding
from app.watching.told import LIVE, STATES, announcement, detail, ordinal
from app.workshop.view import GOES_ON, Seen, View
from model.card import SCORES, TRAINING
from model.practice import Practice
from model.practice_notes import Look, Note
from model.practice_setup import ATTENTIONS, Setup

FRAME = Path(__file__).parent.parent / "app" / "frame.py"
USUAL = Setup()
LOOKS = tuple(
    Look(update, ((0.25, 0.5, 0.25), (0.7, 0.2, 0.1), (0.0, 0.0, 1.0)), (("2 5", "5 2", written), ("9", "9", "")))
    for update, written in ((1, "5"), (10, "5 2"))
)
NOTES = (Note(1, 5.5, 0.0, seconds=0.5, tokens=100), Note(10, 2.0, seconds=2.5, tokens=1100))
BUTTONS = ("Start", "Pause", "Resume", "Go on", "One step", "Stop")


class Pretended:
    """A workshop where nobody works: what is asked for stays as a test says."""

    def __init__(self) -> None:
        self.views: dict[str, View] = {}
        self.submitted: list[tuple[tuple[Setup, ...], bool]] = []
        self.told: list[tuple[str, str]] = []

    def submit(self, setups: Sequence[Setup], paused: bool = False) -> str:
        if len(self.submitted) == 2:
            raise ValueError("20 trainings are waiting already. Try again in a few minutes.")
        self.submitted.append((tuple(setups), paused))
        run = f"run-{len(self.submitted)}"
        self.views[run] = View("waiting", 3, "", tuple(setups), tuple(Seen() for _ in setups), 600.0)
        return run

    def look(self, run: str) -> View | None:
        return self.views.get(run)

    def tell(self, run: str, command: str) -> None:
        self.told.append((run, command))
        after = {"pause": "paused", "resume": "running", "stop": "stopped"}.get(command, "paused")
        self.views[run] = replace(self.views[run], state=after, runs=(Seen(NOTES, LOOKS),))


def view(state: str, told: str = "", **otherwise: Any) -> View:
    return View(state, 0, told, (USUAL,), (Seen(NOTES, LOOKS, **otherwise),), 600.0)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Pretended:
    made = Pretended()
    monkeypatch.setattr("app.watching.running.workshop", lambda: made)
    monkeypatch.setattr("app.watching.running.MOMENT", 0.0)
    return made


@pytest.fixture
def screen(pretended: Pretended) -> AppTest:
    return AppTest.from_file(FRAME, default_timeout=60).switch_page("screens/watch.py")


@pytest.fixture
def practised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A model that has practised a little, where the app looks for those that come with the program."""
    practice = Practice(Setup(longest=3, hidden=8, batch=8, updates=4))
    for _ in practice.run():
        pass
    practice.finish(tmp_path / MODEL, tmp_path / MODEL, sweep=True)
    monkeypatch.setattr("app.shelf.PRETRAINED", tmp_path)
    streamlit.cache_resource.clear()
    yield tmp_path / MODEL
    streamlit.cache_resource.clear()


def drawn(screen: AppTest) -> dict[str, Any]:
    """What the component was sent."""
    assert not screen.exception
    return json.loads(screen.get("bidi_component")[0].proto.json)


def press(screen: AppTest, label: str) -> None:
    next(button for button in screen.button if button.label == label).click().run()


def pressable(screen: AppTest) -> list[str]:
    return [button.label for button in screen.button if button.label in BUTTONS and not button.disabled]


def test_before_anything_is_started_there_is_something_to_see_and_to_start(screen: AppTest) -> None:
    screen.run()
    assert drawn(screen)["kind"] == "recorded"
    assert pressable(screen) == ["Start", "One step"]
    assert any("anti-diagonal" in element.proto.body for element in screen.get("html"))


def test_start_asks_for_what_the_widgets_say_and_the_link_names_the_run(screen: AppTest, pretended: Pretended) -> None:
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
    assert drawn(screen)["detail"].startswith("3rd in the queue.")


def test_the_room_of_a_run_is_that_of_its_own_sequences_before_it_has_begun(screen: AppTest) -> None:
    screen.run()
    press(screen, "Start")
    (run,) = drawn(screen)["runs"]
    assert len(run["source"]) == USUAL.longest
    assert run["target"] == run["source"][::-1]
    assert run["looks"]["rows"] == []


def test_a_second_run_differs_in_what_its_own_widgets_say(screen: AppTest, pretended: Pretended) -> None:
    screen.run()
    screen.toggle(key="other").set_value(True).run()
    screen.slider(key="other_forcing").set_value(0.25).run()
    press(screen, "Start")
    ((first, second), paused), *_ = pretended.submitted
    assert (first, paused) == (USUAL, False)
    assert second == replace(USUAL, attention="none", teacher_forcing=0.25)
    assert [run["title"] for run in drawn(screen)["runs"]] == [
        "dot attention, 100 % teacher forcing",
        "no attention, 25 % teacher forcing",
    ]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.label)
def test_a_preset_sets_the_widgets_and_says_what_it_shows(screen: AppTest, pretended: Pretended, preset: Any) -> None:
    screen.query_params.update({"longest": "5", "other": "true", "hidden": "16"})
    screen.run()
    press(screen, preset.label)
    assert preset.why in [element.value for element in screen.markdown]
    press(screen, "Start")
    assert pretended.submitted == [(preset.setups, False)]


def test_presets_are_different_and_found_again() -> None:
    assert len({preset.setups for preset in PRESETS}) == len(PRESETS)
    assert all(preset_of(preset.setups) is preset for preset in PRESETS)


def test_one_step_begins_a_run_that_pauses_and_every_button_tells_the_workshop(
    screen: AppTest, pretended: Pretended
) -> None:
    screen.run()
    press(screen, "One step")
    assert pretended.submitted == [((USUAL,), True)]
    assert pressable(screen) == ["Resume", "One step", "Stop"]
    for label in ("One step", "Resume", "Pause", "Stop", "Go on"):
        press(screen, label)
    assert pretended.told == [("run-1", command) for command in ("step", "step", "resume", "pause", "stop", "resume")]


def test_a_full_queue_is_told_and_the_page_stays(screen: AppTest, pretended: Pretended) -> None:
    pretended.submitted = [((USUAL,), False)] * 2
    screen.run()
    press(screen, "Start")
    assert "waiting already" in screen.error[0].value
    assert drawn(screen)["kind"] == "recorded"


def test_a_link_brings_a_run_back(screen: AppTest, pretended: Pretended) -> None:
    pretended.views["earlier"] = view("finished", finished="99 % exact reached")
    screen.query_params["run"] = "earlier"
    screen.run()
    sent_ = drawn(screen)
    assert (sent_["id"], sent_["kind"]) == ("earlier", "finished")
    assert sent_["detail"] == "99 % exact reached after 10 updates and 2 s of training."
    assert pressable(screen) == ["Start", "One step"]


@pytest.mark.parametrize("name", ["gone", "../../etc/passwd", "<script>alert(1)</script>" * 50])
def test_a_run_that_is_not_there_is_said_to_be_gone_and_another_can_be_started(
    screen: AppTest, pretended: Pretended, name: str
) -> None:
    screen.query_params["run"] = name
    screen.run()
    assert GONE in [info.value for info in screen.info]
    assert drawn(screen)["kind"] == "recorded"
    press(screen, "Start")
    assert GONE not in [info.value for info in screen.info]
    assert drawn(screen)["id"] == "run-1"


def test_hostile_settings_in_a_link_fall_back_to_what_is_accepted(screen: AppTest, pretended: Pretended) -> None:
    hostile = {"task": "<b>", "longest": "10000", "attention": "../..", "forcing": "nan", "hidden": "7", "most": "-1"}
    screen.query_params.update(hostile | {"run_seed": "1e99", "numbers": "x", "other": "maybe", "cell": "rnn"})
    screen.run()
    press(screen, "Start")
    assert not screen.exception
    ((setup,), _), *_ = pretended.submitted
    assert setup.task == USUAL.task
    assert setup.longest <= 20


@pytest.mark.parametrize("state", [*LIVE, *GOES_ON, "finished", "out of time"])
def test_every_state_has_a_name_a_sentence_and_a_way_on(screen: AppTest, pretended: Pretended, state: str) -> None:
    pretended.views["run"] = view(state, "Somebody said why.")
    screen.query_params["run"] = "run"
    screen.run()
    assert drawn(screen)["state"] == STATES[state]
    assert len(drawn(screen)["detail"]) > 10
    assert ("Start" in pressable(screen)) == (state not in LIVE)
    assert ("Stop" in pressable(screen)) == (state in LIVE)
    assert {"Resume", "Go on"} & set(pressable(screen)) if state in GOES_ON else True


def test_what_was_sent_is_not_sent_again_until_the_browser_misses_it(screen: AppTest, pretended: Pretended) -> None:
    pretended.views["run"] = view("running")
    screen.query_params["run"] = "run"
    assert [row[0] for row in drawn(screen.run())["runs"][0]["notes"]["rows"]] == [1, 10]
    later = (*NOTES, Note(20, 1.0))
    pretended.views["run"] = replace(view("running"), runs=(Seen(later, LOOKS),))
    notes, looks = (drawn(screen.run())["runs"][0][name] for name in ("notes", "looks"))
    assert notes == {"since": 10, "rows": [[20, 1.0, None]]}
    assert looks == {"since": 10, "rows": []}


def test_a_run_that_went_back_to_its_checkpoint_is_sent_whole() -> None:
    made = payload("run", view("running"), [Sent(40, 40)], film=False)["runs"][0]
    assert made["notes"]["since"] == made["looks"]["since"] == 0
    assert len(made["notes"]["rows"]) == len(made["looks"]["rows"]) == 2
    assert sent(view("running")) == [Sent(10, 10)]


def test_the_weight_on_the_wanted_number_is_checked_by_hand() -> None:
    assert on_wanted(LOOKS[0], ["2", "5"], ["5", "2"]) == pytest.approx((0.5 + 0.7) / 2)
    assert on_wanted(LOOKS[0], ["2", "2"], ["2", "2"]) == pytest.approx((0.75 + 0.9) / 2), "equal ones share the weight"


def test_pace_is_that_of_the_latest_notes_and_a_finished_run_takes_no_time() -> None:
    runs = (Seen(NOTES), Seen(NOTES, finished="all updates done"))
    assert tokens_per_second(runs) == pytest.approx(1000 / 2)
    assert seconds_to_go([replace(USUAL, updates=100)] * 2, runs) == pytest.approx(90 * 2 / 9)
    assert tokens_per_second([Seen()]) == seconds_to_go([USUAL], [Seen()]) == 0


@pytest.mark.parametrize(
    ("number", "read"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (23, "23rd")]
)
def test_places_in_the_queue_are_counted_as_people_count(number: int, read: str) -> None:
    assert ordinal(number) == read


def test_a_screen_reader_hears_what_changes_seldom() -> None:
    before, after = view("running"), replace(view("running"), runs=(Seen((*NOTES, Note(20, 1.0)), LOOKS),))
    assert detail(before) != detail(after)
    assert announcement(before) == announcement(after)
    assert "update 10" in announcement(view("killed"))


@given(
    st.lists(
        st.builds(Setup, attention=st.sampled_from(sorted(ATTENTIONS)), seed=st.integers(0, 2)), min_size=2, max_size=2
    )
)
def test_two_runs_never_have_the_same_name(setups: list[Setup]) -> None:
    (first, _), (second, _) = titles(setups)
    assert first != second


def test_all_tasks_and_attentions_have_a_name() -> None:
    for task, attention in product(("reverse", "copy", "sort", "shift"), ATTENTIONS):
        ((title, about),) = titles([Setup(task=task, attention=attention)])
        assert "attention" in title
        assert task in about


def test_the_curves_to_keep_draw_every_loss_and_every_share_that_was_measured() -> None:
    points = [Point(1, 5.5, 0.0), Point(10, 2.0, nan), Point(50, 1.0, 0.5)]
    figure: Any = practice_curves([("dot attention", points)])
    loss, exact = figure.data
    assert (list(loss.x), list(loss.y)) == ([1, 10, 50], [5.5, 2.0, 1.0])
    assert (list(exact.x), list(exact.y)) == ([1, 50], [0.0, 50.0])


def test_what_is_said_of_the_lengths_is_what_was_measured() -> None:
    rows = [Exactly(8, 200, 0.99, (0.96, 1.0)), Exactly(12, 200, 0.1, (0.07, 0.15))]
    told = finding([("With attention", rows)], 8)
    assert (
        "**With attention** 99.0 % of the sequences of 8 numbers are written exactly, and 10.0 % of those of 12" in told
    )


def test_the_run_of_a_model_that_comes_with_the_program_is_shown_until_one_is_started(
    screen: AppTest, practised: Path
) -> None:
    screen.run()
    (run,) = drawn(screen)["runs"]
    assert [row[0] for row in run["looks"]["rows"]][:2] == [1, 2]
    assert drawn(screen)["film"]
    task = json.loads((practised / SCORES).read_text(encoding="utf-8"))["task"]
    figure = json.loads(screen.get("plotly_chart")[0].proto.spec)
    (line,) = figure["data"]
    assert len(line["x"]) == len(task["by_length"])
    press(screen, "Start")
    assert drawn(screen)["runs"][0]["looks"]["rows"] == []


def test_a_model_that_is_opened_is_asked_the_fixed_example_and_can_be_taken_home(
    screen: AppTest, practised: Path
) -> None:
    screen.run()
    source = " ".join(drawn(screen)["runs"][0]["source"])
    press(screen, "Open in the stepper")
    question = screen.session_state["question"]
    assert (question.model, question.sentence) == (practised.name, source)
    names = zipfile.ZipFile(io.BytesIO(zipped(practised, "mine"))).namelist()
    assert {f"mine/{name}" for name in ("config.json", "tokenizer.json", "model.safetensors")} <= set(names)


@pytest.mark.parametrize("wrong", ["{", "{}", '{"setup": {"task": "dance"}}'])
def test_a_record_that_cannot_be_read_is_named_and_the_rest_stays(screen: AppTest, practised: Path, wrong: str) -> None:
    (practised / TRAINING).write_text(wrong, encoding="utf-8")
    screen.run()
    assert not screen.exception
    assert any(TRAINING in error.value.replace("\\", "") for error in screen.error)
    assert "Start" in pressable(screen)


def test_exact_matches_by_length_have_their_interval_and_the_trained_range() -> None:
    figure: Any = exact_by_length([("dot", [Exactly(8, 100, 0.9, (0.8, 0.95))]), ("none", [])], (1, 8))
    line = figure.data[0]
    assert list(line.y) == [90.0]
    assert [line.error_y.array[0], line.error_y.arrayminus[0]] == pytest.approx([5.0, 10.0])
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (0.5, 8.5)
