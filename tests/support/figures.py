"""A Plotly figure in tests: its marks, and the rows of its CSV."""

import csv
import io
from typing import Any, cast

import plotly.graph_objects as go

from regard.app.figures.table import to_csv


def marks(figure: go.Figure) -> list[Any]:
    """Return the traces as Plotly draws them; its own types have no attributes."""
    return list(cast(Any, figure.data))


def csv_rows(figure: go.Figure) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv(figure))))
