"""The plot of a text's sentences draws those that have all numbers asked for."""

from typing import Any

from regard.app.figures.sentence_measures import scatter
from regard.model.text_report.sentence_measures import SentenceMeasures

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
