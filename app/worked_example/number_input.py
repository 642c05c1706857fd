"""Number input: numbers typed by people, in cells and as text, and errors for other input."""

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from regard.model.examples.entries import grid
from regard.model.examples.example import Array, Example, Given
from regard.model.input_error import InputError

Cells = tuple[tuple[str, ...], ...]
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
QUOTED_CHARACTERS = 40  # characters of typed text that are quoted
LONGEST_CELL, LONGEST_TEXT = 100, 8000  # characters read from a cell, and from all matrices as text


class Mistake(NamedTuple):
    """A cell without an accepted number; rows and columns count from 0."""

    given: Given
    row: int
    column: int
    typed: str

    @property
    def text(self) -> str:
        """The message, such as: row “love”, column 2: “x” is not a number. Enter a number from −1000 to 1000."""
        shown = self.typed if len(self.typed) <= QUOTED_CHARACTERS else f"{self.typed[: QUOTED_CHARACTERS - 1]}…"
        what = f"“{shown}” is not accepted" if _is_number(self.typed) else f"“{shown}” is not a number"
        return f"{self.place}: {what if self.typed.strip() else 'it is empty'}. Enter {self.given.accepted}."

    @property
    def place(self) -> str:
        rows, columns = self.given.rows, self.given.columns
        row = f"row “{rows[self.row]}”" if self.row < len(rows) else f"row {self.row + 1}"
        column = f"column “{columns[self.column]}”" if self.column < len(columns) else f"column {self.column + 1}"
        return {0: "the number", 1: column.replace("column ", "number ")}.get(len(self.given.sizes), f"{row}, {column}")


def cells(array: Array) -> Cells:
    """Return the numbers as exact text; a vector is one row."""
    return tuple(tuple(repr(float(number)).removesuffix(".0") for number in row) for row in grid(array))


def read_cells(given: Given, typed: Cells) -> tuple[Array, list[Mistake]]:
    """Return the matrix, and the cells without a number for it, which are 0 there."""
    numbers = np.zeros((len(typed), len(typed[0])))
    mistakes = []
    for (row, column), _ in np.ndenumerate(numbers):
        text = typed[row][column]
        if _is_number(text) and given.accepts(float(_plain(text))):
            numbers[row, column] = float(_plain(text))
        else:
            mistakes.append(Mistake(given, row, column, text))
    return numbers.reshape(numbers.shape[2 - len(given.sizes) :]), mistakes


def is_form(given: Given, typed: Cells) -> bool:
    """True if the cells form a matrix, a row or a single number, as the given one does."""
    widths, axes = {len(row) for row in typed}, len(given.sizes)
    return len(widths) == 1 and (axes == 2 or len(typed) == 1) and (axes > 0 or widths == {1})


def written(example: Example, matrices: Mapping[str, Array]) -> str:
    """Return a line for each matrix, such as: W = [[0.8, -0.2], [0.5, 0.6]]."""
    return "\n".join(f"{given.name} = {_brackets(matrices[given.name])}" for given in example.givens)


def read_text(example: Example, text: str) -> dict[str, Array]:
    """Read matrices from such lines; rows may also be separated by semicolons, numbers by spaces. Raises InputError
    naming the matrix, what was found and what is accepted."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"the text has {len(text):,} characters; up to {LONGEST_TEXT:,} are read")
    known, texts = {given.name: given for given in example.givens}, {}
    for line in filter(None, map(str.strip, re.sub(r"\][\s,]*\[", "], [", text).splitlines())):
        name, _, numbers = (part.strip() for part in line.partition("="))
        if name not in known:
            raise InputError(f"“{name[:QUOTED_CHARACTERS]}” is not a matrix of this example; it has {', '.join(known)}")
        texts[name] = _matrix(known[name], numbers)
    return texts


def _matrix(given: Given, numbers: str) -> Array:
    rows = [row for row in re.split(r"[\[\];]+", numbers) if row.strip(", \t")]
    typed = tuple(tuple(filter(None, re.split(r"[,\s]+", row))) for row in rows)
    if not is_form(given, typed):
        counts = " and ".join(map(str, sorted({len(row) for row in typed}))) or "no"
        raise InputError(f"{given.name} has {len(typed)} rows of {counts} numbers; {_form(given)}")
    array, mistakes = read_cells(given, typed)
    if mistakes:
        raise InputError(f"{given.name}, {mistakes[0].text}".removesuffix("."))
    return array


def _form(given: Given) -> str:
    forms = ("one number is accepted", "one row is accepted", "rows of the same length are accepted")
    return forms[len(given.sizes)]


def _brackets(array: Array) -> str:
    rows = [", ".join(row) for row in cells(array)]
    if array.ndim < 2:
        return f"[{rows[0]}]" if array.ndim else rows[0]
    return f"[{', '.join(f'[{row}]' for row in rows)}]"


def _plain(text: str) -> str:
    """Write the minus sign and the decimal point as Python does."""
    plain = text.strip().replace("−", "-")
    return plain.replace(",", ".") if plain.count(",") == 1 and "." not in plain else plain


def _is_number(text: str) -> bool:
    return bool(NUMBER.fullmatch(_plain(text)))
