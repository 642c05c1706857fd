"""One step of a worked example as its matrices: operands, the sign between them, the result, and the sum of each entry.

Every entry of the result is a button. The selected entry, or the one under the pointer, highlights the cells it is made
from and shows its sum. All arithmetic is done here: the browser has every sum from the start and does not ask the
server. Rows and columns are those of the drawing, where a vector may be a column. Numbers that the document prints
stand beside those that its own matrices give.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.sums import fixed, places, shortest, typeset, written
from regard.app.components.shared.component import served
from regard.model.arithmetic.quantity import as_text
from regard.model.examples.example import Example, Given, Step, changed, slips, wrong
from regard.model.examples.operations import Operand, Values, grid


def symbol_text(latex: str) -> str:
    """Return a symbol as text, where `_` sets below the line and `^` above it, such as: W_a^⊤."""
    return as_text(latex.replace(r"^\top", "^⊤").replace("'", "′"))


def plain(latex: str) -> str:
    """Return a symbol as a line of text, such as: W_c."""
    return re.sub("[{}^]", "", symbol_text(latex))


SAME = "The document prints the same numbers."
CHANGED = "The document's numbers belong to its own matrices. These differ, so only the computed numbers are shown."
FULL = 15  # decimals of a number shown in full
Place = tuple[int, int]  # a row and a column, counted from 0; a vector counts as one row


def payload(example: Example, step: Step, values: Values, printed: bool = True) -> dict[str, Any]:
    """Return the data of a step; `printed` adds the document's numbers."""
    operation, whole = step.operation, grid(values[step.name])
    operands = operation.operands(values)
    # the result is a column vector if one among its operands is
    turn = values[step.name].ndim == 1 and any(each.turn and values[each.name].ndim == 1 for each in operands)
    about = {known.name: known for known in (*example.givens, *example.steps)}
    stated = step.printed if printed else None
    document = None if stated is None or changed(example, values) else grid(stated)
    marks = np.zeros(whole.shape, dtype=bool) if document is None else np.atleast_2d(wrong(step, values[step.name]))
    numbers = _texts(np.zeros((0, 0)) if document is None else document, step.digits)

    def entry(place: Place) -> dict[str, Any]:
        """Return the entry's place, full number, cells to highlight (operand, row, column), sum and printed number."""
        made, row, column = operation.entry(values, *place), *place
        lit = [(cell.operand, *_turned((cell.row, cell.column), operands[cell.operand].turn)) for cell in made.cells]
        computed = typeset(fixed(whole[place], step.digits))
        return {
            "where": _where(step, values, place),
            "full": typeset(shortest(whole[place], FULL)),
            "lit": lit,
            "sum": written(made, fixed(whole[place], places(whole))),
            "difference": f"printed {numbers[row][column]}, computed {computed}" if marks[place] else "",
        }

    entries = [[entry((row, column)) for column in range(whole.shape[1])] for row in range(whole.shape[0])]
    first = [(int(row), int(column)) for row, column in np.argwhere(marks)[:1]]
    carried = marks & ~np.atleast_2d(slips(example, step)) if document is not None else marks
    shown = {
        "cells": _upright(numbers, turn),
        "wrong": _upright(marks.tolist(), turn),
        "carried": _upright(carried.tolist(), turn),
    }
    return {
        "name": f"{example.name} {step.name}",
        "operands": [_matrix(about[each.name], each, values) for each in operands],
        "result": _matrix(step, Operand(step.name, turn, "="), values) | {"entries": _upright(entries, turn)},
        "printed": shown if marks.any() else {},
        "remark": "" if stated is None or marks.any() else CHANGED if document is None else SAME,
        "open": _turned(first[0], turn) if first else (0, 0),
    }


def labels(names: Sequence[str], count: int) -> list[str]:
    """Return the names of rows or columns; beyond the names given, they are numbered."""
    return [*names[:count], *(str(number + 1) for number in range(len(names), count))] if names else []


def _turned(place: Place, turn: bool) -> Place:
    return (place[1], place[0]) if turn else place


def _upright(rows: list[list[Any]], turn: bool) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if turn else rows


def _matrix(about: Given | Step, operand: Operand, values: Values) -> dict[str, Any]:
    whole = grid(values[operand.name])
    rows, columns = labels(about.rows, whole.shape[0]), labels(about.columns, whole.shape[1])
    if operand.turn:
        whole, rows, columns = whole.T, columns, rows
    symbol = about.symbol + (r"^\top" if operand.turn and values[operand.name].ndim > 1 else "")
    return {
        "symbol": symbol_text(symbol),
        "called": plain(symbol),
        "sign": operand.sign,
        "shape": f"{whole.shape[0]} × {whole.shape[1]}" if values[operand.name].ndim else "a number",
        "rows": rows,
        "columns": columns,
        "cells": _texts(whole, places(whole)),
    }


def _texts(whole: Float[ndarray, "R C"], after: int) -> list[list[str]]:
    return [[typeset(fixed(value, after)) for value in row] for row in whole]


def _where(step: Step, values: Values, place: Place) -> str:
    """Describe the place, such as: row “I”, column 2."""
    row, column = (
        f"“{names[at]}”" if at < len(names) else str(at + 1)
        for names, at in zip((step.rows, step.columns), place, strict=True)
    )
    if values[step.name].ndim == 1:
        return f"of {column}" if place[1] < len(step.columns) else f"number {column}"
    return f"row {row}, column {column}"


mounted = served("matrices", "matrices.js", ("colours", "matrices"))


def matrices(example: Example, step: Step, values: Values, *, key: str, printed: bool = True) -> None:
    """Draw one step of a run of the example; `printed` adds the numbers that the document prints."""
    mounted()(key=key, data=payload(example, step, values, printed))
