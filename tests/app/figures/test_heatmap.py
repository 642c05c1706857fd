import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from plotly.colors import get_colorscale

from regard.app.figures.heatmap import (
    TURNING,
    contexts,
    difference,
    heatmap,
    largest,
    largest_change,
    link_map,
    luminance,
    number_cells,
    plain,
    weight_matrix,
)
from regard.app.figures.table import to_csv
from regard.app.theme import SIGNED, SIGNED_DARK, WEIGHTS
from regard.model.alignment import WordWeights, token_label
from regard.model.analysis.model_comparison import Contrast
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import force, translate
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.word_alignment.from_attention import Compared
from tests.support.figures import csv_rows, marks
from tests.support.javascript import SHARED, evaluated
from tests.support.theme_colours import contrast


@pytest.mark.parametrize("rows", ["output", "input"])
def test_the_heatmap_of_words_shows_the_merged_weights_in_percent(before: Trace, rows: str) -> None:
    drawn = marks(heatmap(before.alignment, "words", rows))[0].z
    assert np.allclose(drawn, 100 * before.alignment.by_words(rows).weights)


def test_a_label_cannot_carry_markup() -> None:
    assert plain("<b>$x$&") == "&lt;b&gt;&#36;x&#36;&amp;"


def test_columns_lie_as_the_words_of_the_source_do(before: Trace) -> None:
    arabic = replace(before.alignment, source=replace(before.alignment.source, text="«أحبك» he said"))
    ways = [cast(Any, heatmap(one, "words", "output").layout).xaxis.autorange for one in (before.alignment, arabic)]
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
    cells, *inks = marks(figure)
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


LANGUAGES = ("en", "fr")


def found(*rows: tuple[float, ...], words: tuple[str, ...] = ("voiture", "bleue")) -> Contrast:
    return Contrast(words, ("blue", "car"), np.array(rows, np.float32))


def test_the_cells_are_the_difference_in_points() -> None:
    drawn = marks(difference(found((-0.231, 0.231), (0.05, -0.05)), "general", "dot"))[0]
    assert np.allclose(drawn.z, [[-23.1, 23.1], [5, -5]])
    assert [list(row) for row in drawn.text] == [["−23.1", "+23.1"], ["+5.0", "−5.0"]]


def test_the_largest_difference_is_told_in_a_sentence() -> None:
    one_way = found((0.1, -0.1), (0.231, -0.23))
    assert largest(one_way, "general", "dot", LANGUAGES) == (
        'For <em lang="fr">bleue</em>, general gives 23.1 points more weight to <em lang="en">blue</em> than dot does.'
    )
    other_way = found((0.1, -0.1), (-0.231, 0.23))
    assert "dot gives 23.1 points more" in largest(other_way, "general", "dot", LANGUAGES)
    assert "look alike" in largest(found((0.0004, -0.0004), (0, 0)), "general", "dot", LANGUAGES)
    twice = found((0, 0), (0.5, -0.4), words=("le", "le"))
    assert '<em lang="fr">le (2)</em>' in largest(twice, "general", "dot", LANGUAGES)
    typed = largest(found((0, 0), (0.5, -0.4), words=("le", "<img src=x>")), "<b>", "dot", LANGUAGES)
    assert not re.search("<(img|b)", typed)


SURE, POSSIBLE = frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (2, 1), (1, 2)})
COMPARED = Compared(
    GoldPair("0", "the <b>x the", "le le $x$", SURE, POSSIBLE),
    ("the", "<b>x", "the"),
    ("le", "le", "$x$"),
    np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.5, 0.3, 0.1], [0.1, 0.2, 0.1, 0.6]]),
)


def test_the_csv_has_each_weight_and_each_link_once() -> None:
    found = csv_rows(link_map(COMPARED))
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


def test_each_row_of_colours_is_the_context_of_its_step(before: Trace) -> None:
    drawn = marks(contexts(before, 1.0))[0]
    assert np.array_equal(drawn.z, before.contexts)
    assert list(drawn.x) == list(range(1, before.contexts.shape[1] + 1))


def test_rows_of_contexts_are_told_apart_where_a_token_repeats(tiny_model: Pretrained) -> None:
    trace = force(tiny_model, [("I love you.", "le chat et le chien")])[0]
    assert trace.target.count(trace.target[0]) == 2
    found = list(dict.fromkeys(row["y"] for row in csv_rows(contexts(trace, 1.0))))
    assert len(found) == len(trace.target)
    assert found[0] == f"{token_label(trace.target[0])} (1)"


def test_without_attention_the_context_never_moves(before: Trace, make_model: Callable[..., Pretrained]) -> None:
    (without,) = translate(make_model(score="none", initial_state="encoder"), ["I love you."])
    assert largest_change(without.contexts) == 0 < largest_change(before.contexts)
    assert np.allclose(without.contexts, (without.annotations[0] + without.annotations[-1]) / 2, atol=1e-6)
