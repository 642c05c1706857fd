"""A table of an exercise as HTML: what is given, and cells that are empty until the answers are shown."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple


class TableCell(NamedTuple):
    """A number or a word; `asked` means that the reader has to find it."""

    text: str
    asked: bool = False
    language: str = ""


class Table(NamedTuple):
    """A table whose heads are our own HTML. The first cell names its row; a wide table fills the page."""

    heads: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    label: str
    wide: bool = False
    marked: int = -1


def table(drawn: Table, answers: bool) -> str:
    heads = "".join(f'<th scope="col">{head}</th>' for head in drawn.heads)
    rows = "".join(
        f"<tr{' class=marked' if number == drawn.marked else ''}>{_row(row, answers)}</tr>"
        for number, row in enumerate(drawn.rows)
    )
    return (
        f'<div class="scroll{" wide" if drawn.wide else ""}" role="region" tabindex="0" '
        f'aria-label="{escape(drawn.label)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def given(numbers: Iterable[str]) -> list[TableCell]:
    return [TableCell(minus(number)) for number in numbers]


def asked(numbers: Iterable[str]) -> list[TableCell]:
    return [TableCell(minus(number), asked=True) for number in numbers]


def minus(number: str) -> str:
    """Return the number with a real minus sign."""
    return number.replace("-", "−", 1)


def blank(text: str, answers: bool, language: str = "") -> str:
    """Return a line to write on, or its answer."""
    return f'<span class="line"{_spoken(language)}>{escape(text) if answers else "&nbsp;"}</span>'


def word(text: str, language: str) -> str:
    """Return a word or sentence as HTML in its language."""
    return f"<strong{_spoken(language)}>{escape(text)}</strong>"


def _row(row: Sequence[TableCell], answers: bool) -> str:
    first, *others = row
    return f'<th scope="row"{_spoken(first.language)}>{escape(first.text)}</th>' + "".join(
        f'<td class="asked">{escape(cell.text) if answers else ""}</td>'
        if cell.asked
        else f"<td>{escape(cell.text)}</td>"
        for cell in others
    )


def _spoken(language: str) -> str:
    return f' lang="{escape(language)}"' if language else ""
