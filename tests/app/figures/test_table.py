import numpy as np
import plotly.graph_objects as go

from regard.app.figures.heatmap import heatmap, plain
from regard.app.figures.table import HEADS
from regard.model.alignment import Alignment
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.figures import csv_rows


def test_a_line_has_its_points_and_their_interval() -> None:
    errors = {"type": "data", "symmetric": False, "array": [2, 3], "arrayminus": [1, 4]}
    figure = go.Figure(go.Scatter(x=["1 to 5", "6 to 10"], y=[40, 30], error_y=errors, name="general"))
    assert csv_rows(figure) == [
        dict(zip(HEADS, ("general", "1 to 5", "", "40", "39", "42"), strict=True)),
        dict(zip(HEADS, ("general", "6 to 10", "", "30", "26", "33"), strict=True)),
    ]


def test_a_heatmap_has_a_line_for_each_cell(tiny_model: Pretrained) -> None:
    alignment: Alignment = translate(tiny_model, ["I love the cat."])[0].alignment
    merged = alignment.by_words("output")
    found = csv_rows(heatmap(alignment, "words", "output"))
    assert np.array_equal(np.array([row["value"] for row in found], dtype=np.float32), 100 * merged.weights.ravel())
    assert found[0]["x"] == merged.columns[0]
    assert found[-1]["x"] == merged.columns[-1]


def test_names_stand_as_they_read_and_typed_tags_stay() -> None:
    names = ["<b>la</b><br>changed", "c<sub>1</sub>", plain("</s> & <b>")]
    figure = go.Figure(go.Scatter(x=names, y=[1, 2, 3], name=plain("<i>")))
    assert [row["x"] for row in csv_rows(figure)] == ["la, changed", "c1", "</s> & <b>"]
    assert csv_rows(figure)[0]["series"] == "<i>"


def test_words_of_a_visitor_are_no_formulas_for_a_spreadsheet() -> None:
    figure = go.Figure(go.Bar(x=["=HYPERLINK(1)", "+1", " @a", "-b"], y=[1, -2, 3, 4], name="=1"))
    found = csv_rows(figure)
    assert [row["x"] for row in found] == ["'=HYPERLINK(1)", "'+1", "' @a", "'-b"]
    assert [row["value"] for row in found] == ["1", "-2", "3", "4"]
    assert {row["series"] for row in found} == {"'=1"}
