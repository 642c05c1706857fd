import csv
import io
from typing import Any, cast

import numpy as np
import pytest

from regard.app.figures.attention_difference import LEAST, difference, largest, signed
from regard.app.figures.heatmap import NUMBERS_UP_TO
from regard.app.figures.table import to_csv
from regard.app.theme import SIGNED
from regard.model.analysis.model_comparison import Contrast

LANGUAGES = ("en", "fr")


def found(*rows: tuple[float, ...], words: tuple[str, ...] = ("voiture", "bleue")) -> Contrast:
    return Contrast(words, ("blue", "car"), np.array(rows, np.float32))


SHARP = found((-0.231, 0.231), (0.05, -0.05))


def drawn(contrast: Contrast) -> Any:
    return cast(Any, difference(contrast, "general", "dot").data)[0]


def test_the_cells_are_the_difference_in_points() -> None:
    assert np.allclose(drawn(SHARP).z, [[-23.1, 23.1], [5, -5]])
    assert [list(row) for row in drawn(SHARP).text] == [["−23.1", "+23.1"], ["+5.0", "−5.0"]]


@pytest.mark.parametrize("contrast", [SHARP, found((0.001, -0.001), (0, 0))])
def test_the_scale_reaches_as_far_below_nothing_as_above_it(contrast: Contrast) -> None:
    heat = drawn(contrast)
    assert -heat.zmin == heat.zmax >= max(LEAST, np.abs(heat.z).max())
    assert [colour for _, colour in heat.colorscale] == [colour for _, colour in SIGNED]


def test_the_ends_of_the_scale_name_their_models() -> None:
    title = drawn(SHARP).colorbar.title.text
    assert title.index("dot") < title.index("general")


def test_a_large_figure_leaves_its_numbers_to_the_pointer() -> None:
    rows = NUMBERS_UP_TO + 1
    crowded = Contrast(("le",) * rows, ("the",), np.zeros((rows, 1), np.float32))
    assert drawn(crowded).texttemplate is None
    assert drawn(SHARP).texttemplate


def test_the_csv_holds_every_difference_by_its_words() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(difference(SHARP, "general", "dot")))))
    assert [(row["y"], row["x"]) for row in rows[:2]] == [("voiture", "blue"), ("voiture", "car")]
    assert float(rows[1]["value"]) == pytest.approx(23.1, abs=1e-4)


def test_the_largest_difference_is_told_in_a_sentence() -> None:
    one_way = found((0.1, -0.1), (0.231, -0.23))
    assert largest(one_way, "general", "dot", LANGUAGES) == (
        'For <em lang="fr">bleue</em>, general gives 23.1 points more weight to <em lang="en">blue</em> than dot does.'
    )
    other_way = found((0.1, -0.1), (-0.231, 0.23))
    assert "dot gives 23.1 points more" in largest(other_way, "general", "dot", LANGUAGES)


def test_a_word_that_comes_twice_is_told_by_its_place() -> None:
    twice = found((0, 0), (0.5, -0.4), words=("le", "le"))
    assert '<em lang="fr">le</em> (word 2)' in largest(twice, "general", "dot", LANGUAGES)


def test_models_that_look_alike_are_said_to() -> None:
    assert "look alike" in largest(found((0.0004, -0.0004), (0, 0)), "general", "dot", LANGUAGES)


def test_words_and_names_cannot_carry_markup() -> None:
    typed = found((0, 0), (0.5, -0.4), words=("le", "<img src=x>"))
    assert "<img" not in largest(typed, "<b>", "dot", LANGUAGES)
    assert "<b>" not in largest(typed, "<b>", "dot", LANGUAGES)


def test_nothing_has_no_sign() -> None:
    assert [signed(value) for value in (0.04, -0.04, 0.06, -12.34)] == ["0.0", "0.0", "+0.1", "−12.3"]
