import csv
import io
from typing import Any, cast

import numpy as np
import plotly.graph_objects as go

from regard.app.figures.error_rates import Rate, error_rates
from regard.app.figures.table import to_csv
from regard.app.figures.word_alignment import link_map
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.comparison import Compared

SURE, POSSIBLE = frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (2, 1), (1, 2)})
COMPARED = Compared(
    GoldPair("0", "the <b>x the", "le le $x$", SURE, POSSIBLE),
    ("the", "<b>x", "the"),
    ("le", "le", "$x$"),
    np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.5, 0.3, 0.1], [0.1, 0.2, 0.1, 0.6]]),
)


def drawn(figure: go.Figure, name: str) -> list[Any]:
    traces: tuple[Any, ...] = tuple(cast(Any, figure.data))
    return [trace for trace in traces if trace.name == name]


def places(trace: Any) -> set[tuple[int, int]]:
    return set(zip(trace.x, trace.y, strict=True))


def rows(figure: go.Figure) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(figure))))


def test_each_link_stands_on_its_cell() -> None:
    figure = link_map(COMPARED)
    assert all(places(trace) == SURE for trace in drawn(figure, "sure link"))
    assert all(places(trace) == POSSIBLE - SURE for trace in drawn(figure, "possible link"))
    assert [places(trace) for trace in drawn(figure, "the model's link")] == [COMPARED.proposed]


def test_sure_possible_and_proposed_differ_in_shape() -> None:
    figure = link_map(COMPARED)
    names = ("sure link", "possible link", "the model's link")
    shapes = {drawn(figure, name)[-1].marker.symbol for name in names}
    assert len(shapes) == 3
    assert [sum(trace.showlegend for trace in drawn(figure, name)) for name in names] == [1, 1, 1]


def test_hovering_a_cell_tells_its_links() -> None:
    told = cast(Any, figure_cells(link_map(COMPARED))).customdata
    assert told[0, 0].tolist() == ["le", "the", " · sure link · the model's link"]
    assert told[2, 1].tolist() == ["&#36;x&#36;", "&lt;b&gt;x", " · possible link"]
    assert told[1, 0][2] == ""


def figure_cells(figure: go.Figure) -> Any:
    return cast(Any, figure.data)[0]


def test_the_csv_has_each_weight_and_each_link_once() -> None:
    found = rows(link_map(COMPARED))
    weights = [float(row["value"]) for row in found if row["series"] == ""]
    assert np.allclose(weights, 100 * COMPARED.weights.ravel())
    links = [(row["series"], row["x"], row["y"]) for row in found if row["series"]]
    assert sorted(links) == [
        ("possible link", "<b>x", "$x$"),
        ("sure link", "the", "le"),
        ("sure link", "the", "le"),
        ("the model's link", "<b>x", "le"),
        ("the model's link", "the", "le"),
    ]


def test_a_long_sentence_makes_the_figure_wider_and_its_cells_no_smaller() -> None:
    def width(words: int) -> float:
        source = tuple(["word"] * words)
        pair = GoldPair("0", " ".join(source), "un", frozenset(), frozenset())
        figure = link_map(Compared(pair, source, ("un",), np.zeros((1, words + 1))))
        return cast(Any, figure.layout)["width"]

    assert width(50) - width(40) == width(60) - width(50) >= 10 * 24


def test_a_pair_without_links_is_drawn() -> None:
    empty = Compared(GoldPair("0", "a", "b", frozenset(), frozenset()), ("a",), ("b",), np.array([[0.0, 1.0]]))
    assert all(len(trace.x) == 0 for trace in cast(Any, link_map(empty).data)[1:])


def test_every_error_rate_stands_at_its_name() -> None:
    found = [
        Rate("dot", "output", 0.41, 0.5, 0.5),
        Rate("dot", "input", 0.83, 0.5, 0.5),
        Rate("the diagonal", "", 0.597, 0.5, 0.5),
    ]
    told = [(row["series"], float(row["x"]), row["y"]) for row in rows(error_rates(found))]
    assert told == [
        ("weights, row of the word produced", 0.41, "dot"),
        ("weights, row of the word fed in", 0.83, "dot"),
        ("baseline", 0.597, "the diagonal"),
    ]
