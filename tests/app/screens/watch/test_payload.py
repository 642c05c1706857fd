import csv
import io
from itertools import product
from math import nan
from typing import Any

import pytest

from regard.app.figures.measures import Point, practice_curves
from regard.app.figures.table import to_csv
from regard.app.screens.watch.inputs import PRESETS, preset_of
from regard.app.screens.watch.payload import on_wanted, payload, symbols, titles, tokens_per_second
from regard.app.training_jobs.scheduler import RunStatus
from regard.model.synthetic.setup import ATTENTIONS, Setup
from tests.support.seen_run import NOTES, WEIGHTS, view


@pytest.mark.parametrize(
    ("written", "seen"),
    [("12 7", ["12", "7"]), ("@@ 5", ["@", "@", "5"]), ("9\ufffdA", ["9", "\ufffd", "A"]), ("\x07 3", ["\ufffd", "3"])],
)
def test_numbers_are_symbols_and_so_is_every_other_character(written: str, seen: list[str]) -> None:
    assert symbols(written) == seen


def test_presets_are_different_and_found_again() -> None:
    assert len({preset.setups for preset in PRESETS}) == len(PRESETS)
    assert all(preset_of(preset.setups) is preset for preset in PRESETS)


def test_the_weight_on_the_wanted_number_is_checked_by_hand() -> None:
    assert on_wanted(WEIGHTS, ["2", "5"], ["5", "2"]) == pytest.approx((0.5 + 0.7) / 2)
    assert on_wanted(WEIGHTS, ["2", "2"], ["2", "2"]) == pytest.approx((0.75 + 0.9) / 2), "equal ones share the weight"


def test_the_speed_is_that_of_unfinished_runs() -> None:
    runs = (RunStatus(NOTES), RunStatus(NOTES, finished="all updates done"))
    assert tokens_per_second(runs) == pytest.approx(1000 / 2)
    assert tokens_per_second([RunStatus()]) == 0


def test_a_screen_reader_hears_what_changes_seldom() -> None:
    assert "update 10" in payload("run", view("running"))["detail"]
    assert payload("run", view("running"))["announce"] == "Training"
    assert "update 10" in payload("run", view("failed"))["announce"]


def test_all_tasks_and_attentions_have_a_name() -> None:
    for task, attention in product(("reverse", "copy", "sort", "shift"), ATTENTIONS):
        ((title, about),) = titles([Setup(task=task, attention=attention)])
        assert "attention" in title
        assert task in about
    ((title, about),) = titles([Setup(network="transformer", positions="none", heads=2)])
    assert title == "Transformer, no positions"
    assert "2 layers of 2 heads" in about


def test_the_curves_to_keep_draw_every_loss_and_every_share_that_was_measured() -> None:
    points = [Point(1, 5.5, 0.0), Point(10, 2.0, nan), Point(50, 1.0, 0.5)]
    figure: Any = practice_curves([("dot attention", points)])
    numbers = [(row["quantity"], row["x"], row["value"]) for row in csv.DictReader(io.StringIO(to_csv(figure)))]
    loss, exact = "loss, nats per token", "exact sequences, percent"
    assert numbers == [
        (loss, "1", "5.5"),
        (loss, "10", "2.0"),
        (loss, "50", "1.0"),
        (exact, "1", "0.0"),
        (exact, "50", "50.0"),
    ]
