"""Worked examples as text: in Markdown and LaTeX, and as a self-contained HTML file, filled in or with blanks."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import numpy as np

from regard.app.components.matrices.mount import labels, symbol_text
from regard.app.components.matrices.sums import fixed, places, typeset
from regard.app.export.document import page_to_print
from regard.app.wording import counted, plain_markdown
from regard.model.examples.example import Array, Example, Given, Step
from regard.model.examples.operations import grid

SUBSCRIPT = re.compile(r"\b([A-Za-z])_([A-Za-z0-9])\b")
TAGS = {"_": "sub", "^": "sup"}
STYLE = Path(__file__).with_name("paper.css")
TO_DO = "Fill in the empty cells: round as stated in brackets, and continue with the rounded numbers."
CHANGED = "Numbers changed by hand, starting from those of "
AS_STATED = "Numbers: "


def document(example: Example, matrices: Mapping[str, Array], *, blank: bool) -> str:
    """Return the whole file, with these matrices; if `blank`, the results of the steps are left to the reader."""
    values, title = example.run(matrices), escape(example.title)
    givens = "".join(_drawn(given, matrices[given.name], given.text) for given in example.givens)
    steps = "".join(_step(number, step, values[step.name], blank) for number, step in enumerate(example.steps, 1))
    own = example.matrices()
    same = all(np.array_equal(own[name], matrices[name]) for name in own)
    names = "<p>Name <span></span> Date <span></span></p>" if blank else ""
    origin = f"{AS_STATED if same else CHANGED}{_prose(example.source)}."
    return page_to_print(
        title,
        STYLE.read_text(encoding="utf-8"),
        f'<div class="head"><h1>{title}</h1>{names}</div><p>{_prose(example.text)}</p>'
        f"{f'<p>{TO_DO}</p>' if blank else ''}<h2>Given</h2>{givens}{steps}"
        f'<p class="source">Regard, worked example. {origin}</p>',
    )


def _step(number: int, step: Step, found: Array, blank: bool) -> str:
    formula = symbol(step.symbol)
    if step.formula != step.symbol:
        formula += f" = {symbol(step.formula)}"
    return f"<section><h2>{number}. {formula}</h2>{_drawn(step, found, step.text, blank)}</section>"


def _drawn(about: Given | Step, numbers: Array, text: str, blank: bool = False) -> str:
    """Draw a matrix as a table, with the names of its rows and columns."""
    whole = grid(numbers)
    after = places(whole)
    rows, columns = (
        labels(names, count) for names, count in zip((about.rows, about.columns), whole.shape, strict=True)
    )
    head = f"<thead><tr>{'<td></td>' * bool(rows)}{_heads(columns, 'col')}</tr></thead>" if columns else ""
    body = ""
    for place, row in enumerate(whole):
        cells = "".join(f"<td>{'' if blank else typeset(fixed(value, after))}</td>" for value in row)
        body += f"<tr>{_heads(rows[place : place + 1], 'row')}{cells}</tr>"
    rounds = f" ({counted(after, 'decimal')})" if blank else ""
    kind = " class=asked" if blank else ""
    return (
        f"<p>{_prose(text)}{rounds}</p><table><caption>{symbol(about.symbol)}</caption>{head}"
        f"<tbody{kind}>{body}</tbody></table>"
    )


def _prose(text: str) -> str:
    """Typeset names such as W_c in a sentence as symbols."""
    return SUBSCRIPT.sub(r"<i>\1<sub>\2</sub></i>", escape(text))


def _heads(names: Sequence[str], scope: str) -> str:
    return "".join(f'<th scope="{scope}">{escape(name)}</th>' for name in names)


def symbol(latex: str) -> str:
    """Typeset a symbol without KaTeX: italic letters, subscripts and superscripts."""
    parts = filter(None, re.split(r"([_^](?:\{[^}]*\}|.))", symbol_text(latex)))
    tagged = ((TAGS.get(part[0], "i"), escape(part.strip("_^{}"))) for part in parts)
    return "".join(f"<{tag}>{text}</{tag}>" for tag, text in tagged)


ESCAPED_SUBSCRIPT = re.compile(r"\b([A-Za-z])\\_([A-Za-z0-9])\b")  # in escaped text


def prose(text: str) -> str:
    """Typeset names such as W_c in a sentence as symbols; nothing else is markup."""
    return ESCAPED_SUBSCRIPT.sub(r"$\1_\2$", plain_markdown(text))


def equation(step: Step) -> str:
    """Return a step's symbol with its formula, unless they are equal."""
    return f"${step.symbol}$" if step.symbol == step.formula else f"${step.symbol} = {step.formula}$"
