from typing import Any, cast

import pytest

from regard.app.figures.measures import (
    ABOVE,
    ROW,
    Bucket,
    Rate,
    Sweep,
    bleu_finding,
    buckets,
    error_rates,
    exact_finding,
    exactness,
    lengths,
    named,
    scatter,
    searches,
    sweep,
)
from regard.app.models.models import scores
from regard.app.models.registry import languages, model_names
from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.pretrained.recipe.lists import TYPED_LANGUAGES
from tests.support.figures import csv_rows

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
    drawn = csv_rows(figure)
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
    assert bleu_finding(one, other) == (
        "With attention BLEU is higher by 9.0 at 1 to 5 words and 10.0 at 16 to 20 words. "
        "With attention BLEU is lower by 9.0 at 10 to 15 words. "
        "At 6 to 9 and 21 to 30 words the intervals overlap, which is inconclusive: only a paired test could decide."
    )


def test_a_model_is_not_told_apart_from_itself() -> None:
    one = [bucket((1, 5), 40, 42), bucket((6, 9), 20, 30)]
    assert bleu_finding(one, one).startswith("At 1 to 5 and 6 to 9 words the intervals overlap")


def test_without_intervals_nothing_is_concluded() -> None:
    assert bleu_finding([Bucket((1, 5), 9, 40.0)], [Bucket((1, 5), 9, 10.0)]).startswith("No intervals were measured")


@pytest.mark.parametrize("name", [name for name in model_names() if languages(name) == TYPED_LANGUAGES])
def test_the_scores_that_ship_are_drawn(name: str) -> None:
    assert searches(scores(name))
    for test, search in searches(scores(name)):
        found = buckets(scores(name), test, search)
        drawn = cast(Any, lengths([(name, found)], strong=1).data)[0]
        assert list(drawn.y) == [row.bleu for row in found]
        assert named(test) != test or test not in ("held_out", "greedy")


def swept_scores(*shares: float) -> dict[str, Any]:
    rows = [
        {
            "length": length,
            "sequences": 20,
            "right": round(20 * share),
            "share": share,
            "interval": [max(0.0, share - 0.1), min(1.0, share + 0.1)],
        }
        for length, share in enumerate(shares, 1)
    ]
    return {"format": 1, "tests": {}, "task": {"name": "reverse", "lengths": [1, 2], "by_length": rows}}


def found(title: str, *shares: float) -> Sweep:
    read = sweep(title, swept_scores(*shares))
    assert read
    return read


def test_a_model_that_was_never_swept_has_no_sweep() -> None:
    assert sweep("dot", {}) is sweep("dot", {"task": {"lengths": [1, 8]}}) is None


def test_a_line_has_the_share_of_each_length_and_its_bar_reaches_over_the_interval() -> None:
    line = exactness([found("dot", 1.0, 0.5)]).to_dict()["data"][0]
    assert (list(line["x"]), list(line["y"]), line["name"]) == ([1, 2], [1.0, 0.5], "dot")
    assert list(line["error_y"]["array"]) == pytest.approx([0.0, 0.1])
    assert list(line["error_y"]["arrayminus"]) == pytest.approx([0.1, 0.1])


def test_the_dotted_line_stands_behind_the_longest_that_was_trained_on() -> None:
    (mark,) = exactness([found("dot", 1.0, 0.5, 0.2), found("none", 1.0, 0.4)]).to_dict()["layout"]["shapes"]
    assert mark["x0"] == mark["x1"] == 2.5


def test_words_say_from_which_length_on_a_model_fails_or_that_it_does_not() -> None:
    told = exact_finding([found("dot", 1.0, 1.0, 0.9), found("none", 0.9, 0.45, 0.0), found("new", 0.9, 0.55)])
    assert "**dot** writes at least half at every length exactly" in told
    assert "**none** writes fewer than half of the sequences of 3 numbers exactly" in told  # 0.45 may be chance
    assert "**new** writes perhaps fewer than half of the sequences of 2 numbers exactly" in told
    assert told.endswith("up to 2 numbers (dotted line).")


def test_different_lengths_of_training_are_told_in_the_order_of_the_models() -> None:
    longer, shorter = found("dot", 1.0, 1.0)._replace(trained=20), found("none", 1.0, 1.0)._replace(trained=10)
    assert exact_finding([longer, shorter]).endswith("up to 20 and 10 numbers, in this order (dotted lines).")


def test_every_error_rate_stands_at_its_name() -> None:
    found = [
        Rate("dot", "output", 0.41, 0.5, 0.5),
        Rate("dot", "input", 0.83, 0.5, 0.5),
        Rate("the diagonal", "", 0.597, 0.5, 0.5),
    ]
    told = [(row["series"], float(row["x"]), row["y"]) for row in csv_rows(error_rates(found))]
    assert told == [
        ("weights, row of the word produced", 0.41, "dot"),
        ("weights, row of the word fed in", 0.83, "dot"),
        ("baseline", 0.597, "the diagonal"),
    ]


def test_the_lines_of_baselines_leave_out_the_names_of_the_rows() -> None:
    rates = [Rate("Bahdanau", "output", 0.4, 0.6, 0.6), Rate("the diagonal", "", 0.6, 0.4, 0.4)]
    layout = cast(Any, error_rates(rates).layout)
    assert {line.x0 for line in layout.shapes} == {0.6}
    for name in layout.annotations:
        middle, half = name.y - ABOVE / ROW, 8 / ROW  # letters of up to 16 pixels
        assert all(line.y1 < middle - half or line.y0 > middle + half for line in layout.shapes)


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
