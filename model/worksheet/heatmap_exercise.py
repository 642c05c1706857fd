"""A heatmap in numbers, with questions about one of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from regard.model.alignment import Alignment, WordWeights
from regard.model.words import told_apart
from regard.model.worksheet.rounding import printed

MOST_ROWS = 12  # rows or columns that fit on paper


@dataclass(frozen=True)
class HeatmapExercise:
    """Weights between words in percent; `others` is the sum of each row's columns that are left out.

    The answers are the heaviest columns of row `row`, several if their printed numbers are equal, and the row's name if
    rows are named by what is fed in; "" if it has no such name, because then other steps share a row. `alone` is true
    if a single step wrote the row's word, so the row is not a mean.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    others: tuple[str, ...]
    row: int
    alone: bool
    heaviest: tuple[str, ...]
    fed: str


def reading(alignment: Alignment, step: int) -> HeatmapExercise:
    """Build the exercise for the row of the word that `step` produced."""
    merged, shifted = alignment.by_words("output"), alignment.by_words("input")
    row = merged.row_of[step]
    steps, renamed = _steps(merged, row), shifted.row_of[step]
    first = max(0, min(row - MOST_ROWS // 2, len(merged.rows) - MOST_ROWS))
    rows = range(first, min(first + MOST_ROWS, len(merged.rows)))
    shown = merged.weights[rows.start : rows.stop]
    columns = _heaviest([float(weight) for weight in shown.sum(0)])
    cells = tuple(tuple(_percent(float(line[column])) for column in columns) for line in shown)
    left = [column for column in range(len(merged.columns)) if column not in columns]
    asked = cells[row - first]
    greatest = max(asked, key=float)
    names = told_apart(merged.columns)
    return HeatmapExercise(
        rows=tuple(told_apart(merged.rows)[index] for index in rows),
        columns=tuple(names[column] for column in columns),
        cells=cells,
        others=tuple(_percent(float(line[left].sum())) for line in shown) if left else (),
        row=row - first,
        alone=len(steps) == 1,
        heaviest=tuple(names[column] for column, cell in zip(columns, asked, strict=True) if cell == greatest),
        fed=shifted.rows[renamed] if steps == _steps(shifted, renamed) else "",
    )


def _steps(merged: WordWeights, row: int) -> list[int]:
    """Return the steps of a row."""
    return [step for step, its in enumerate(merged.row_of) if its == row]


def _heaviest(totals: Sequence[float]) -> list[int]:
    """Return the columns to keep, in the order of the sentence."""
    return sorted(sorted(range(len(totals)), key=lambda column: -totals[column])[:MOST_ROWS])


def _percent(share: float) -> str:
    return printed(100 * share, 1)
