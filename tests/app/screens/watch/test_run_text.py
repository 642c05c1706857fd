import csv
import io
from dataclasses import replace
from itertools import product
from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.figures.table import to_csv
from regard.app.figures.training import Point, practice_curves
from regard.app.screens.watch.inputs import PRESETS, preset_of
from regard.app.screens.watch.payload import Sent, on_wanted, payload, sent
from regard.app.screens.watch.run_text import announcement, detail, ordinal, seconds_to_go, titles, tokens_per_second
from regard.app.training_jobs.job import RunStatus
from regard.model.synthetic.setup import ATTENTIONS, Setup
from regard.model.synthetic.trainer import Note
from tests.support.seen_run import LOOKS, NOTES, USUAL, view


def test_presets_are_different_and_found_again() -> None:
    assert len({preset.setups for preset in PRESETS}) == len(PRESETS)
    assert all(preset_of(preset.setups) is preset for preset in PRESETS)


def test_a_run_that_went_back_to_its_checkpoint_is_sent_whole() -> None:
    made = payload("run", view("running"), [Sent(40, 40)])["runs"][0]
    assert made["notes"]["since"] == made["looks"]["since"] == 0
    assert len(made["notes"]["rows"]) == len(made["looks"]["rows"]) == 2
    assert sent(view("running")) == [Sent(10, 10)]


def test_the_weight_on_the_wanted_number_is_checked_by_hand() -> None:
    assert on_wanted(LOOKS[0], ["2", "5"], ["5", "2"]) == pytest.approx((0.5 + 0.7) / 2)
    assert on_wanted(LOOKS[0], ["2", "2"], ["2", "2"]) == pytest.approx((0.75 + 0.9) / 2), "equal ones share the weight"


def test_pace_is_that_of_the_latest_notes_and_a_finished_run_takes_no_time() -> None:
    runs = (RunStatus(NOTES), RunStatus(NOTES, finished="all updates done"))
    assert tokens_per_second(runs) == pytest.approx(1000 / 2)
    assert seconds_to_go([replace(USUAL, updates=100)] * 2, runs) == pytest.approx(90 * 2 / 9)
    assert tokens_per_second([RunStatus()]) == seconds_to_go([USUAL], [RunStatus()]) == 0


@pytest.mark.parametrize(
    ("number", "read"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (23, "23rd")]
)
def test_places_in_the_queue_are_counted_as_people_count(number: int, read: str) -> None:
    assert ordinal(number) == read


def test_a_screen_reader_hears_what_changes_seldom() -> None:
    before, after = view("running"), replace(view("running"), runs=(RunStatus((*NOTES, Note(20, 1.0)), LOOKS),))
    assert detail(before) != detail(after)
    assert announcement(before) == announcement(after)
    assert "update 10" in announcement(view("killed"))


@given(
    st.lists(
        st.builds(
            Setup,
            network=st.sampled_from(["recurrent", "transformer"]),
            attention=st.sampled_from(sorted(ATTENTIONS)),
            positions=st.sampled_from(["sinusoids", "none"]),
            seed=st.integers(0, 2),
        ),
        min_size=2,
        max_size=2,
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
    ((title, about),) = titles([Setup(network="transformer", positions="none", heads=2)])
    assert title == "Transformer, no positions"
    assert "2 layers of 2 heads" in about
    assert "GRU" not in about


def test_the_curves_to_keep_draw_every_loss_and_every_share_that_was_measured() -> None:
    points = [Point(1, 5.5, 0.0), Point(10, 2.0, nan), Point(50, 1.0, 0.5)]
    figure: Any = practice_curves([("dot attention", points)])
    loss, exact = figure.data
    assert (list(loss.x), list(loss.y)) == ([1, 10, 50], [5.5, 2.0, 1.0])
    assert (list(exact.x), list(exact.y)) == ([1, 50], [0.0, 50.0])
    numbers = [(row["quantity"], row["x"], row["value"]) for row in csv.DictReader(io.StringIO(to_csv(figure)))]
    assert numbers[2:4] == [("loss, nats per token", "50", "1.0"), ("exact sequences, percent", "1", "0.0")]
