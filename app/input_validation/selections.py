"""Selections that a browser sends: rows chosen in a table, or boxes drawn on a figure."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MOST_POINTS = 2000  # selected in a figure

_Row = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]  # names in JSON are always text


class Selection(BaseModel):
    """The selection in a table; here only rows can be selected."""

    model_config = ConfigDict(extra="forbid")

    rows: list[Annotated[int, Field(strict=True)]] = []
    columns: Annotated[list[str], Field(max_length=0)] = []
    cells: Annotated[list[object], Field(max_length=0)] = []


class TableState(BaseModel):
    """The edits that Streamlit's table sends; here rows are neither added nor deleted, and cells hold text."""

    model_config = ConfigDict(extra="forbid")

    selection: Selection = Selection()
    edited_rows: dict[_Row, dict[str, str | None]] = {}
    added_rows: Annotated[list[object], Field(max_length=0)] = []
    deleted_rows: Annotated[list[object], Field(max_length=0)] = []


class PlotBox(BaseModel):
    """A box on a figure, by its ranges on both axes."""

    x: Annotated[list[float], Field(max_length=2, min_length=2)]
    y: Annotated[list[float], Field(max_length=2, min_length=2)]


class PlotSelection(BaseModel):
    """The selection in a figure; only boxes count, the points in them are found again."""

    model_config = ConfigDict(extra="forbid")

    points: Annotated[list[object], Field(max_length=MOST_POINTS)] = []
    point_indices: Annotated[list[int], Field(max_length=MOST_POINTS)] = []
    box: Annotated[list[PlotBox], Field(max_length=4)] = []
    lasso: Annotated[list[object], Field(max_length=0)] = []


class BoxState(BaseModel):
    """The state that Streamlit's figure sends."""

    model_config = ConfigDict(extra="forbid")

    selection: PlotSelection = PlotSelection()
