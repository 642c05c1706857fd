"""One step of a worked example as its matrices: operands, the sign between them, the result, and the sum of each entry.

Every entry of the result is a button. The selected entry, or the one under the pointer, highlights the cells it is made
from and shows its sum. All arithmetic is done here: the browser has every sum from the start and does not ask the
server. Rows and columns are those of the drawing, where a vector may be a column. Numbers that the document prints
stand beside those that its own matrices give.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from regard.app.components.matrices.sums import fixed, places, shortest, typeset, written
from regard.app.components.shared.served import served
from regard.model.examples.example import Example, Given, Step, changed, wrong
from regard.model.examples.operations import Operand, Values, grid

SIGNS = {"top": "⊤", "ell": "ℓ", "cdot": "·", "odot": "⊙", "times": "×", "sum": "Σ", "sqrt": "√", "infty": "∞"}
ACCENTS = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304"}
BRACED = r"\{(?:[^{}]|\{[^{}]*\})*\}"
PART = re.compile(
    rf"\\(?:text|mathrm|mathbf)(?P<word>{BRACED})"
    rf"|\\(?P<accent>{'|'.join(ACCENTS)})\s*(?P<under>{BRACED}|\w)"
    rf"|(?P<shift>[_^])(?P<shifted>{BRACED}|\\[A-Za-z]+|.)"
    r"|\\(?P<sign>[A-Za-z]+)\s*|(?P<space>\\[,;:! ]|\s+)|(?P<letter>[^\\{}])"
)


class SymbolPiece(NamedTuple):
    """Some letters of a symbol; `kind` is "", "sub", "sup", or "word" for upright letters."""

    text: str
    kind: str = ""


def pieces(latex: str) -> list[SymbolPiece]:
    """Return the pieces of the symbol, from left to right."""
    symbols: list[SymbolPiece] = []
    for match in PART.finditer(latex):
        piece = _piece(match)
        if symbols and symbols[-1].kind == piece.kind == "":
            piece = SymbolPiece(symbols.pop().text + piece.text)
        symbols.append(piece)
    return symbols


def plain(latex: str) -> str:
    """Return the symbol as a line of text, such as: W_c."""
    return "".join(f"_{piece.text}" if piece.kind == "sub" else piece.text for piece in pieces(latex))


def _piece(match: re.Match[str]) -> SymbolPiece:
    if match["word"]:
        return SymbolPiece(_inside(match["word"]), "word")
    if match["accent"]:
        return SymbolPiece(_inside(match["under"]) + ACCENTS[match["accent"]])
    if match["shift"]:
        return SymbolPiece(plain(_inside(match["shifted"])), "sub" if match["shift"] == "_" else "sup")
    if match["sign"]:
        return _sign(match["sign"])
    return SymbolPiece(" " if match["space"] else match["letter"].replace("-", "−").replace("'", "′"))


def _inside(text: str) -> str:
    return text[1:-1] if text.startswith("{") else text


def _sign(name: str) -> SymbolPiece:
    """Return a Greek letter, a known sign, or the name itself, such as tanh."""
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return SymbolPiece(SIGNS.get(name) or unicodedata.lookup(f"GREEK {case} LETTER {name}"))
    except KeyError:
        return SymbolPiece(f"{name} ", "word")


SAME = "The document prints the same numbers."
CHANGED = "The document's numbers belong to its own matrices. These differ, so only the computed numbers are shown."
EMPTY = np.zeros((0, 0))


class CellPlace(NamedTuple):
    """A row and a column, counted from 0; a vector counts as one row."""

    row: int
    column: int


@dataclass(frozen=True, eq=False)
class PrintedNumbers:
    """Printed numbers, the computed ones and which are wrong; empty if the document has none for these matrices."""

    printed: Float[ndarray, "R C"]
    computed: Float[ndarray, "R C"]
    wrong: Bool[ndarray, "R C"]
    digits: int = 0
    remark: str = ""  # shown instead of the printed numbers

    def difference(self, place: CellPlace) -> str:
        """Describe a difference, such as: printed 0.02, computed −0.12."""
        printed, computed = (typeset(fixed(array[place], self.digits)) for array in (self.printed, self.computed))
        return f"printed {printed}, computed {computed}"


NONE = PrintedNumbers(EMPTY, EMPTY, EMPTY.astype(bool))


def printed_numbers(example: Example, step: Step, values: Values) -> PrintedNumbers:
    """Return the printed numbers of a step."""
    if step.printed is None:
        return NONE
    if changed(example, values):
        return replace(NONE, remark=CHANGED)
    computed = values[step.name]
    marks = wrong(step, computed)
    return PrintedNumbers(
        grid(step.printed), grid(computed), np.atleast_2d(marks), step.digits, "" if marks.any() else SAME
    )


def all_wrong(example: Example, values: Values) -> list[tuple[str, CellPlace]]:
    """Return step and place of all errors of the example, in the order of its steps and of reading."""
    return [
        (step.name, CellPlace(int(row), int(column)))
        for step in example.steps
        for row, column in np.argwhere(printed_numbers(example, step, values).wrong)
    ]


FULL = 15  # decimals of a number shown in full


def payload(example: Example, step: Step, values: Values, printed: bool = True) -> dict[str, Any]:
    """Return the data of a step; `printed` adds the document's numbers."""
    document = printed_numbers(example, step, values) if printed else NONE
    first = all_wrong(example, values)[:1] if printed else []
    points = [place for name, place in first if name == step.name]
    return {
        "name": f"{example.name} {step.name}",
        "operands": [_matrix(_about(example, each.name), each, values) for each in step.operation.operands(values)],
        "result": _result(step, values, document),
        "printed": _printed(step, document, _turns(step, values)) if document.wrong.any() else {},
        "remark": document.remark,
        "open": _turned(points[0], _turns(step, values)) if points else CellPlace(0, 0),
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
    upright = any(operand.turn and values[operand.name].ndim == 1 for operand in step.operation.operands(values))
    return upright and values[step.name].ndim == 1


def _turned(place: CellPlace, turn: bool) -> CellPlace:
    return CellPlace(place.column, place.row) if turn else place


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


def _result(step: Step, values: Values, document: PrintedNumbers) -> dict[str, Any]:
    turn = _turns(step, values)
    shown = _matrix(step, Operand(step.name, turn, "="), values)
    rows, columns = grid(values[step.name]).shape
    entries = [
        [_entry(step, values, CellPlace(row, column), document) for column in range(columns)] for row in range(rows)
    ]
    return shown | {"entries": [list(column) for column in zip(*entries, strict=True)] if turn else entries}


def _entry(step: Step, values: Values, place: CellPlace, document: PrintedNumbers) -> dict[str, Any]:
    """Return the entry's place, full number, cells to highlight (operand, row, column), sum and printed number."""
    operands, whole = step.operation.operands(values), grid(values[step.name])
    made = step.operation.entry(values, *place)
    return {
        "where": _where(step, values, place),
        "full": typeset(shortest(whole[place], FULL)),
        "lit": [
            (cell.operand, *_turned(CellPlace(cell.row, cell.column), operands[cell.operand].turn))
            for cell in made.cells
        ],
        "sum": written(made, fixed(whole[place], places(whole))),
        "difference": document.difference(place) if document.wrong.any() and document.wrong[place] else "",
    }


def _where(step: Step, values: Values, place: CellPlace) -> str:
    """Describe the place, such as: row “I”, column 2."""
    if values[step.name].ndim == 1:
        known = place.column < len(step.columns)
        return f"of “{step.columns[place.column]}”" if known else f"number {place.column + 1}"
    return f"row {_one(step.rows, place.row)}, column {_one(step.columns, place.column)}"


def _one(names: Sequence[str], place: int) -> str:
    return f"“{names[place]}”" if place < len(names) else str(place + 1)


def _printed(step: Step, document: PrintedNumbers, turn: bool) -> dict[str, Any]:
    """Return the document's matrix as drawn beside the computed one."""
    numbers, marks = (document.printed.T, document.wrong.T) if turn else (document.printed, document.wrong)
    return {"cells": _texts(numbers, step.digits), "wrong": marks.tolist()}


mounted = served("matrices", "matrices.js", ("colours", "matrices"))


def matrices(example: Example, step: Step, values: Values, *, key: str, printed: bool = True) -> None:
    """Draw one step of a run of the example; `printed` adds the numbers that the document prints."""
    mounted()(key=key, data=payload(example, step, values, printed))
