"""Payload of the matrices: one step's matrices as drawn, and the name, cells and sum of every entry.

All arithmetic is done here; the browser displays it. Rows and columns are those of the drawing, where a vector may be a
column.
"""

from collections.abc import Sequence
from typing import Any

from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.number_format import fixed, places, shortest, typeset
from regard.app.components.matrices.plain_symbols import pieces, plain
from regard.app.components.matrices.printed_values import NONE, Place, PrintedBeside, all_wrong, beside
from regard.app.components.matrices.sums import written
from regard.model.examples.entries import Operand, Values, grid
from regard.model.examples.example import Example, Given, Step

FULL = 15  # decimals of a number shown in full


def payload(example: Example, step: Step, values: Values, printed: bool = True) -> dict[str, Any]:
    """Return the data of a step; `printed` adds the document's numbers."""
    printed_beside = beside(example, step, values) if printed else NONE
    first = all_wrong(example, values)[:1] if printed else []
    points = [place for name, place in first if name == step.name]
    return {
        "name": f"{example.name} {step.name}",
        "operands": [_matrix(_about(example, each.name), each, values) for each in step.making.operands(values)],
        "result": _result(step, values, printed_beside),
        "printed": _printed(step, printed_beside, _turns(step, values)) if printed_beside.wrong.any() else {},
        "remark": printed_beside.remark,
        "open": _turned(points[0], _turns(step, values)) if points else Place(0, 0),
        "points": bool(points),
    }


def labels(names: Sequence[str], count: int) -> list[str]:
    """Return the names of rows or columns; beyond the names given, they are numbered."""
    return [*names[:count], *(str(number + 1) for number in range(len(names), count))] if names else []


def _about(example: Example, name: str) -> Given | Step:
    """Return the description of a value of the function."""
    return next(known for known in (*example.steps, *example.givens) if known.name == name)


def _turns(step: Step, values: Values) -> bool:
    """True if the result is a column vector, as one among its operands is."""
    upright = any(operand.turn and values[operand.name].ndim == 1 for operand in step.making.operands(values))
    return upright and values[step.name].ndim == 1


def _turned(place: Place, turn: bool) -> Place:
    return Place(place.column, place.row) if turn else place


def _matrix(about: Given | Step, operand: Operand, values: Values) -> dict[str, Any]:
    whole = grid(values[operand.name])
    rows, columns = labels(about.rows, whole.shape[0]), labels(about.columns, whole.shape[1])
    if operand.turn:
        whole, rows, columns = whole.T, columns, rows
    flipped = operand.turn and values[operand.name].ndim > 1
    symbol = about.symbol + (r"^\top" if flipped else "")
    return {
        "symbol": pieces(symbol),
        "called": plain(symbol),
        "sign": operand.sign,
        "shape": f"{whole.shape[0]} × {whole.shape[1]}" if values[operand.name].ndim else "a number",
        "rows": rows,
        "columns": columns,
        "cells": _texts(whole, places(whole)),
    }


def _texts(whole: Float[ndarray, "R C"], after: int) -> list[list[str]]:
    return [[typeset(fixed(value, after)) for value in row] for row in whole]


def _result(step: Step, values: Values, beside: PrintedBeside) -> dict[str, Any]:
    turn = _turns(step, values)
    shown = _matrix(step, Operand(step.name, turn, "="), values)
    rows, columns = grid(values[step.name]).shape
    entries = [[_entry(step, values, Place(row, column), beside) for column in range(columns)] for row in range(rows)]
    return shown | {"entries": [list(column) for column in zip(*entries, strict=True)] if turn else entries}


def _entry(step: Step, values: Values, place: Place, beside: PrintedBeside) -> dict[str, Any]:
    """Return the entry's place, full number, cells to highlight (operand, row, column), sum and printed number."""
    operands, whole = step.making.operands(values), grid(values[step.name])
    made = step.making.entry(values, *place)
    return {
        "where": _where(step, values, place),
        "full": typeset(shortest(whole[place], FULL)),
        "lit": [
            (cell.operand, *_turned(Place(cell.row, cell.column), operands[cell.operand].turn)) for cell in made.cells
        ],
        "sum": written(made, fixed(whole[place], places(whole))),
        "told": beside.told(place) if beside.wrong.any() and beside.wrong[place] else "",
    }


def _where(step: Step, values: Values, place: Place) -> str:
    """Describe the place, such as: row “I”, column 2."""
    if values[step.name].ndim == 1:
        known = place.column < len(step.columns)
        return f"of “{step.columns[place.column]}”" if known else f"number {place.column + 1}"
    return f"row {_one(step.rows, place.row)}, column {_one(step.columns, place.column)}"


def _one(names: Sequence[str], place: int) -> str:
    return f"“{names[place]}”" if place < len(names) else str(place + 1)


def _printed(step: Step, beside: PrintedBeside, turn: bool) -> dict[str, Any]:
    """Return the document's matrix as drawn beside the computed one."""
    numbers, marks = (beside.printed.T, beside.wrong.T) if turn else (beside.printed, beside.wrong)
    return {"cells": _texts(numbers, step.digits), "wrong": marks.tolist()}
