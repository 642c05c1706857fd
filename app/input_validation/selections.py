"""Selections that a browser sends: rows chosen in a table, or boxes drawn on a figure."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_POINTS = 2000  # selected in a figure

_Row = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]  # names in JSON are always text


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Selection(_Strict):
    """The selection in a table; here only rows can be selected."""

    rows: list[Annotated[int, Field(strict=True)]] = []
    columns: Annotated[list[str], Field(max_length=0)] = []
    cells: Annotated[list[object], Field(max_length=0)] = []


class TableState(_Strict):
    """The edits that Streamlit's table sends; here rows are neither added nor deleted, and cells hold text."""

    selection: Selection = Selection()
    edited_rows: dict[_Row, dict[str, str | None]] = {}
    added_rows: Annotated[list[object], Field(max_length=0)] = []
    deleted_rows: Annotated[list[object], Field(max_length=0)] = []


class PlotBox(BaseModel):
    """A box on a figure, by its ranges on both axes."""

    x: Annotated[list[float], Field(max_length=2, min_length=2)]
    y: Annotated[list[float], Field(max_length=2, min_length=2)]


class PlotSelection(_Strict):
    """The selection in a figure; only boxes count, the points in them are found again."""

    points: Annotated[list[object], Field(max_length=MOST_POINTS)] = []
    point_indices: Annotated[list[int], Field(max_length=MOST_POINTS)] = []
    box: Annotated[list[PlotBox], Field(max_length=4)] = []
    lasso: Annotated[list[object], Field(max_length=0)] = []


class BoxState(_Strict):
    """The state that Streamlit's figure sends."""

    selection: PlotSelection = PlotSelection()
