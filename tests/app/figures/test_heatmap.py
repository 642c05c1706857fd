from dataclasses import replace
from typing import Any, cast

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.colors import get_colorscale

from regard.app.figures.cell_numbers import TURNING, luminance, number_cells
from regard.app.figures.context_composition import composition
from regard.app.figures.heatmap import heatmap, plain, weight_matrix
from regard.app.figures.table import to_csv
from regard.app.theme import SIGNED, SIGNED_DARK, WEIGHTS
from regard.model.alignment import WordWeights
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import translate
from tests.support.javascript import SHARED, evaluated
from tests.support.theme_colours import contrast


@pytest.fixture(scope="module")
def trace(tiny_model: Pretrained) -> Trace:
    return translate(tiny_model, ["the cat sat on the mat"])[0]


def drawn_traces(figure: go.Figure) -> tuple[Any, ...]:
    """Return the traces as Plotly draws them; its own types have no attributes."""
    return tuple(cast(Any, figure.data))


@pytest.mark.parametrize("rows", ["output", "input"])
def test_the_heatmap_of_words_shows_the_merged_weights_in_percent(trace: Trace, rows: str) -> None:
    drawn = drawn_traces(heatmap(trace.alignment, "words", rows))[0].z
    assert np.allclose(drawn, 100 * trace.alignment.by_words(rows).weights)


def test_the_heatmap_of_tokens_shows_the_weights_themselves(trace: Trace) -> None:
    assert np.allclose(drawn_traces(heatmap(trace.alignment, "tokens", "output"))[0].z, 100 * trace.weights)


def test_a_word_that_comes_twice_keeps_two_columns(trace: Trace) -> None:
    layout: Any = heatmap(trace.alignment, "words", "output").layout
    axis = layout.xaxis
    assert list(axis.ticktext).count("the") == 2
    assert len(set(axis.tickvals)) == len(axis.tickvals)


def test_the_stacked_annotations_add_up_to_the_context(trace: Trace) -> None:
    parts = drawn_traces(composition(trace, 0))
    bars = sum(np.array(part.y) for part in parts if part.type == "bar")
    mark = next(part for part in parts if part.type == "scatter")
    assert np.allclose(bars, mark.y, atol=1e-6)


def test_names_of_columns_stay_upright_where_all_are_short() -> None:
    def angle(columns: tuple[str, ...]) -> object:
        return weight_matrix(WordWeights(("a",), columns, np.ones((1, 2)), (0,))).layout.xaxis.tickangle  # type: ignore[attr-defined]

    assert angle(("1", "12")) == 0
    assert angle(("1", "three")) is None


def test_a_label_cannot_carry_markup() -> None:
    assert plain("<b>$x$&") == "&lt;b&gt;&#36;x&#36;&amp;"


def test_columns_lie_as_the_words_of_the_source_do(trace: Trace) -> None:
    arabic = replace(trace.alignment, source=replace(trace.alignment.source, text="«أحبك» he said"))
    ways = [cast(Any, heatmap(one, "words", "output").layout).xaxis.autorange for one in (trace.alignment, arabic)]
    assert ways == [None, "reversed"]


@pytest.mark.parametrize("scale", [get_colorscale(WEIGHTS), SIGNED, SIGNED_DARK])
def test_the_better_of_two_inks_has_enough_contrast_on_every_colour(scale: Any) -> None:
    cells = luminance(scale, np.linspace(0, 1, 1001)) + 0.05
    assert np.where(cells > TURNING + 0.05, cells / 0.05, 1.05 / cells).min() >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_number_is_written_once_in_the_better_ink_and_csv_has_it_once(theme: str) -> None:
    weights = np.linspace(0, 1, 20).reshape(4, 5)
    names = tuple("abcde")
    figure = weight_matrix(WordWeights(names[:4], names, weights, tuple(range(4))))
    before = to_csv(figure)
    number_cells(figure, theme)
    cells, *inks = drawn_traces(figure)
    assert cells.texttemplate is None
    assert {one.textfont.color for one in inks} == {"#FFFFFF", "#000000"}
    written = np.array([np.char.strip(np.array(one.text, str)) for one in inks])
    assert (np.count_nonzero(written != "", axis=0) == 1).all()
    assert "".join(written[:, 0, 0]) == "0.0"
    assert to_csv(figure) == before


def test_weights_in_the_browser_have_an_ink_with_enough_contrast() -> None:
    every = "Array.from({ length: 1001 }, (_, i) => weightColours(i / 1000))"
    for one in evaluated(every, {SHARED / "numbers.js": "weightColours"}):
        fill = "#" + "".join(f"{int(channel):02x}" for channel in one["fill"][4:-1].split())
        assert contrast(fill, {"#000": "#000000", "#fff": "#ffffff"}[one["ink"]]) >= 4.5
