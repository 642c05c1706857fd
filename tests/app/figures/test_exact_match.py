from typing import Any

import pytest

from regard.app.figures.exact_match import Sweep, exactness, finding, sweep


def scores(*shares: float) -> dict[str, Any]:
    rows = [
        {"length": length, "sequences": 20, "right": round(20 * share), "share": share, "interval": [share / 2, 1.0]}
        for length, share in enumerate(shares, 1)
    ]
    return {"format": 1, "tests": {}, "task": {"name": "reverse", "lengths": [1, 2], "by_length": rows}}


def found(title: str, *shares: float) -> Sweep:
    read = sweep(title, scores(*shares))
    assert read
    return read


def test_a_model_that_was_never_swept_has_no_sweep() -> None:
    assert sweep("dot", {}) is sweep("dot", {"task": {"lengths": [1, 8]}}) is None


def test_a_line_has_the_share_of_each_length_and_its_bar_reaches_over_the_interval() -> None:
    line = exactness([found("dot", 1.0, 0.5)]).to_dict()["data"][0]
    assert (list(line["x"]), list(line["y"]), line["name"]) == ([1, 2], [1.0, 0.5], "dot")
    assert list(line["error_y"]["array"]) == pytest.approx([0.0, 0.5])
    assert list(line["error_y"]["arrayminus"]) == pytest.approx([0.5, 0.25])


def test_the_dotted_line_stands_behind_the_longest_that_was_trained_on() -> None:
    (mark,) = exactness([found("dot", 1.0, 0.5, 0.2), found("none", 1.0, 0.4)]).to_dict()["layout"]["shapes"]
    assert mark["x0"] == mark["x1"] == 2.5


def test_words_say_from_which_length_on_a_model_fails_or_that_it_does_not() -> None:
    told = finding([found("dot", 1.0, 1.0, 0.9), found("none", 0.9, 0.4, 0.0)])
    assert "**dot** writes at least half at every length exactly" in told
    assert "**none** writes fewer than half of the sequences of 2 numbers exactly" in told
    assert told.endswith("up to 2 numbers (dotted line).")


def test_different_lengths_of_training_are_told_in_the_order_of_the_models() -> None:
    longer, shorter = found("dot", 1.0, 1.0)._replace(trained=20), found("none", 1.0, 1.0)._replace(trained=10)
    assert finding([longer, shorter]).endswith("up to 20 and 10 numbers, in this order (dotted lines).")
