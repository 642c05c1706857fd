from typing import Any

import numpy as np
import pytest

from regard.app.figures.measures import (
    Bucket,
    Sweep,
    bleu_finding,
    buckets,
    curves,
    exact_finding,
    exactness,
    growth,
    lengths,
    scatter,
    searches,
    sharpening,
    sweep,
)
from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.trace import Trace
from tests.support.figures import csv_rows, marks

SCORES: dict[str, Any] = {
    "tests": {
        "held_out": {
            "searches": {
                "greedy": {
                    "by_length": [
                        {"words": [6, 9], "pairs": 40, "bleu": 30.0, "interval": [28.0, 33.0]},
                        {"words": [1, 5], "pairs": 1200, "bleu": 40.0, "interval": [39.0, 41.5]},
                    ]
                },
                "beam_5": {"by_length": [{"words": [7, 7], "pairs": 1, "bleu": 12.5}]},
            }
        },
        "without": {"searches": {"greedy": {"bleu": {"score": 1.0}}}},
    }
}


def bucket(words: tuple[int, int], low: float, high: float) -> Bucket:
    return Bucket(words, 50, (low + high) / 2, (low, high))


def test_buckets_come_from_short_to_long_where_they_were_measured() -> None:
    assert buckets(SCORES, "held_out", "greedy") == [
        Bucket((1, 5), 1200, 40.0, (39.0, 41.5)),
        Bucket((6, 9), 40, 30.0, (28.0, 33.0)),
    ]
    assert searches(SCORES) == [("held_out", "greedy"), ("held_out", "beam_5")]
    assert buckets(SCORES, "without", "greedy") == buckets({}, "held_out", "greedy") == []


def test_the_csv_has_the_bleu_and_its_interval_of_each_model() -> None:
    rows = buckets(SCORES, "held_out", "greedy")
    figure = lengths([("general", rows), ("none", buckets(SCORES, "held_out", "beam_5"))], strong=1)
    drawn = csv_rows(figure)
    assert [(row["series"], float(row["value"])) for row in drawn] == [
        ("general", 40.0),
        ("general", 30.0),
        ("none", 12.5),
    ]
    assert [row["x"] for row in drawn] == ["1 to 5, 1,200 pairs", "6 to 9, 40 pairs", "7, 1 pair"]
    assert [float(row[end]) for row in drawn[:2] for end in ("low", "high")] == [39.0, 41.5, 28.0, 33.0]
    assert (drawn[2]["low"], drawn[2]["high"]) == ("", "")


def test_the_sentence_tells_higher_lower_and_undecided_apart() -> None:
    one = [bucket((1, 5), 40, 42), bucket((6, 9), 20, 30), bucket((10, 15), 10, 14), bucket((16, 20), 30, 32)]
    other = [bucket((1, 5), 30, 34), bucket((6, 9), 29, 35), bucket((10, 15), 20, 22), bucket((16, 20), 20, 22)]
    assert bleu_finding([Bucket((1, 5), 9, 40.0)], other).startswith("No intervals were measured")
    assert bleu_finding(one, other) == (
        "With attention BLEU is higher by 9.0 at 1 to 5 words and 10.0 at 16 to 20 words. "
        "With attention BLEU is lower by 9.0 at 10 to 15 words. "
        "At 6 to 9 words the intervals overlap, which is inconclusive: only a paired test could decide."
    )


def found(title: str, *shares: float) -> Sweep:
    rows = [
        {"length": length, "share": share, "interval": [max(0.0, share - 0.1), min(1.0, share + 0.1)]}
        for length, share in enumerate(shares, 1)
    ]
    read = sweep(title, {"task": {"lengths": [1, 2], "by_length": rows}})
    assert read
    return read


def test_a_line_has_the_share_of_each_length_and_its_bar_reaches_over_the_interval() -> None:
    figure = exactness([found("dot", 1.0, 0.5), found("none", 1.0, 0.4)]).to_dict()
    line, (mark,) = figure["data"][0], figure["layout"]["shapes"]
    assert (list(line["x"]), list(line["y"]), line["name"]) == ([1, 2], [100, 50], "dot")
    assert list(line["error_y"]["array"]) == pytest.approx([0, 10])
    assert list(line["error_y"]["arrayminus"]) == pytest.approx([10, 10])
    assert (mark["x0"], mark["x1"]) == (0.5, 2.5)
    assert sweep("dot", {"task": {"lengths": [1, 8]}}) is None


def test_words_say_from_which_length_on_a_model_fails_or_that_it_does_not() -> None:
    told = exact_finding([found("dot", 1.0, 0.9), found("none", 0.9, 0.45, 0.0)])
    assert "**dot** is at no length shown to write fewer than half exactly" in told
    assert "**none** writes fewer than half of the sequences of 3 numbers exactly" in told  # 0.45 may be chance


ROWS = (
    SentenceMeasures(1, "a", "b", "c", "end", mean_probability=0.5, chrf=30.0, least_coverage=0.2),
    SentenceMeasures(2, "a <b>", "b", "", "end", mean_probability=0.6, least_coverage=0.4),
    SentenceMeasures(3, "", "", "", "end"),
)


def test_a_sentence_without_one_of_the_numbers_has_no_point() -> None:
    points: Any = scatter(ROWS, "mean_probability", "least_coverage", "").data[0]
    assert ([*points.x], [*points.y]) == ([0.5, 0.6], [0.2, 0.4])
    assert points.text[1] == "2: a &lt;b&gt;"
    points = scatter(ROWS, "mean_probability", "least_coverage", "chrf").data[0]
    assert [*points.marker.color] == [30.0]


def test_probabilities_and_likeness_are_drawn_in_percent(before: Trace) -> None:
    drawn = marks(growth([4, 11], [("a", [before, before]), ("b", [before])], [1.0, 0.25]))
    share = 100 * before.mean_probability
    assert [list(line.y) for line in drawn] == [[share, share], [share], [100.0, 25.0]]
    assert list(drawn[0].x) == list(drawn[2].x) == [4, 11]


HISTORY = [
    {"update": 500.0, "loss": 6.0, "validation_loss": 4.0},
    {"update": 1000.0, "loss": 4.5, "validation_loss": 3.0},
]
UPDATES = [1, 7, 1000]


def drawn(chosen: int = 1) -> Any:
    return curves(HISTORY, UPDATES, np.array([9.0, 8.0, 1.0]), np.array([2.0, 1.9, 0.5]), chosen)


def test_all_four_curves_are_as_recorded() -> None:
    lines = {line.name: (list(line.x), list(line.y)) for line in drawn().data}
    assert lines == {
        "training, smoothed labels": ([500, 1000], [6.0, 4.5]),
        "validation": ([500, 1000], [4.0, 3.0]),
        "this translation": (UPDATES, [9.0, 8.0, 1.0]),
        "entropy of this sentence": (UPDATES, [2.0, 1.9, 0.5]),
    }


@pytest.mark.parametrize("chosen", range(3))
def test_the_moment_chosen_is_marked_in_both_parts(chosen: int) -> None:
    figure = drawn(chosen)
    assert {shape.x0 for shape in figure.layout.shapes} == {UPDATES[chosen]}
    assert [int(np.argmax(line.marker.size)) for line in figure.data[2:]] == [chosen, chosen]


def test_the_steepest_fall_is_told() -> None:
    told = sharpening([1, 7, 49, 8000], np.array([2.0, 1.9, 0.6, 0.5]))
    assert "most between updates 7 and 49" in told
    assert "fell from 1.90 to 0.60 bits, and over the whole training from 2.00 to 0.50." in told


@pytest.mark.parametrize("entropies", [[2.3, 2.299], [2.299, 2.3], [2.302, 2.5, 2.3], [2.298]])
def test_attention_that_did_not_sharpen_by_the_digits_shown_is_told_so(entropies: list[float]) -> None:
    told = sharpening(list(range(1, len(entropies) + 1)), np.array(entropies))
    assert told.endswith("did not sharpen: its mean entropy went from 2.30 to 2.30 bits.")
