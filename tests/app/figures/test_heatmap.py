from dataclasses import replace
from typing import Any, cast

import numpy as np
import plotly.graph_objects as go
import pytest

from regard.app.figures.context_composition import composition
from regard.app.figures.heatmap import heatmap, plain
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import translate


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


def test_a_label_cannot_carry_markup() -> None:
    assert plain("<b>$x$&") == "&lt;b&gt;&#36;x&#36;&amp;"


def test_columns_lie_as_the_words_of_the_source_do(trace: Trace) -> None:
    arabic = replace(trace.alignment, source=replace(trace.alignment.source, text="«أحبك» he said"))
    ways = [cast(Any, heatmap(one, "words", "output").layout).xaxis.autorange for one in (trace.alignment, arabic)]
    assert ways == [None, "reversed"]
