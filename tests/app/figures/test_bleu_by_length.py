import csv
import io
from typing import Any, cast

import pytest

from regard.app.figures.bleu_by_length import Bucket, buckets, finding, lengths, named, searches
from regard.app.figures.table import to_csv
from regard.app.models.models import scores
from regard.app.models.registry import languages, model_names
from regard.model.evaluation.typed_first import TYPED_LANGUAGES

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


def test_buckets_come_from_short_to_long_with_their_intervals() -> None:
    assert buckets(SCORES, "held_out", "greedy") == [
        Bucket((1, 5), 1200, 40.0, (39.0, 41.5)),
        Bucket((6, 9), 40, 30.0, (28.0, 33.0)),
    ]


def test_what_was_not_measured_has_no_buckets() -> None:
    assert searches(SCORES) == [("held_out", "greedy"), ("held_out", "beam_5")]
    assert searches({}) == []
    assert buckets(SCORES, "without", "greedy") == buckets({}, "held_out", "greedy") == []


def test_the_csv_has_the_bleu_and_its_interval_of_each_model() -> None:
    rows = buckets(SCORES, "held_out", "greedy")
    figure = lengths([("general", rows), ("none", buckets(SCORES, "held_out", "beam_5"))], strong=1)
    drawn = list(csv.DictReader(io.StringIO(to_csv(figure))))
    assert [(row["series"], float(row["value"])) for row in drawn] == [
        ("general", 40.0),
        ("general", 30.0),
        ("none", 12.5),
    ]
    assert [row["x"] for row in drawn] == ["1 to 5, 1,200 pairs", "6 to 9, 40 pairs", "7, 1 pair"]
    assert [float(row[end]) for row in drawn[:2] for end in ("low", "high")] == [39.0, 41.5, 28.0, 33.0]
    assert (drawn[2]["low"], drawn[2]["high"]) == ("", "")


def test_lengths_stand_in_order_even_where_models_have_other_buckets() -> None:
    figure = lengths([("a", [bucket((9, 12), 1, 2)]), ("b", [bucket((1, 8), 1, 2), bucket((9, 12), 1, 2)])], strong=2)
    axis = cast(Any, figure.layout).xaxis
    assert [name.partition("<")[0] for name in axis.categoryarray] == ["1 to 8", "9 to 12"]


def test_a_bucket_of_one_length_and_one_pair_is_named_so() -> None:
    figure = lengths([("none", buckets(SCORES, "held_out", "beam_5"))], strong=1)
    assert cast(Any, figure.data)[0].x == ("7<br>1 pair",)


def test_the_sentence_tells_higher_lower_and_undecided_apart() -> None:
    one = [
        bucket((1, 5), 40, 42),
        bucket((6, 9), 20, 30),
        bucket((10, 15), 10, 14),
        bucket((16, 20), 30, 32),
        bucket((21, 30), 20, 30),
    ]
    other = [
        bucket((1, 5), 30, 34),
        bucket((6, 9), 29, 35),
        bucket((10, 15), 20, 22),
        bucket((16, 20), 20, 22),
        bucket((21, 30), 15, 21),
    ]
    assert finding(one, other) == (
        "With attention BLEU is higher by 9.0 at 1 to 5 words and 10.0 at 16 to 20 words. "
        "With attention BLEU is lower by 9.0 at 10 to 15 words. "
        "At 6 to 9 and 21 to 30 words the intervals overlap, which is inconclusive: only a paired test could decide."
    )


def test_a_model_is_not_told_apart_from_itself() -> None:
    one = [bucket((1, 5), 40, 42), bucket((6, 9), 20, 30)]
    assert finding(one, one).startswith("At 1 to 5 and 6 to 9 words the intervals overlap")


def test_without_intervals_nothing_is_concluded() -> None:
    assert finding([Bucket((1, 5), 9, 40.0)], [Bucket((1, 5), 9, 10.0)]).startswith("No intervals were measured")


@pytest.mark.parametrize("name", [name for name in model_names() if languages(name) == TYPED_LANGUAGES])
def test_the_scores_that_ship_are_drawn(name: str) -> None:
    assert searches(scores(name))
    for test, search in searches(scores(name)):
        found = buckets(scores(name), test, search)
        drawn = cast(Any, lengths([(name, found)], strong=1).data)[0]
        assert list(drawn.y) == [row.bleu for row in found]
        assert named(test) != test or test not in ("held_out", "greedy")
