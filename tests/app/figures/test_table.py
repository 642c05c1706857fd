import plotly.graph_objects as go

from regard.app.figures.heatmap import plain
from regard.app.figures.table import HEADS
from tests.support.figures import csv_rows


def test_a_line_has_its_points_and_their_interval() -> None:
    errors = {"type": "data", "symmetric": False, "array": [2, 3], "arrayminus": [1, 4]}
    figure = go.Figure(go.Scatter(x=["1 to 5", "6 to 10"], y=[40, 30], error_y=errors, name="general"))
    assert csv_rows(figure) == [
        dict(zip(HEADS, ("general", "1 to 5", "", "40", "39", "42"), strict=True)),
        dict(zip(HEADS, ("general", "6 to 10", "", "30", "26", "33"), strict=True)),
    ]


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
