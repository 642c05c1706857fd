"""The steps from Luong's attention to the Transformer's, in words: what stays and what changes in each."""

from html import escape
from typing import Any, NamedTuple

import streamlit as st

from regard.model.files import toml_beside

STAYS, CHANGES = "stays", "changes"


class Move(NamedTuple):
    """One of the three moves of all attention: compare, weigh, sum."""

    what: str  # STAYS, CHANGES, or a word of its own
    text: str


class TransformerPart(NamedTuple):
    """One idea of the screen."""

    title: str  # short, for the row of choices
    lead: str  # Markdown
    compare: Move
    weigh: Move
    sum: Move
    terms: tuple[str, ...] = ()  # of the glossary


def _part(fields: dict[str, Any]) -> TransformerPart:
    moves = {name: Move(*fields[name]) for name in ("compare", "weigh", "sum")}
    return TransformerPart(fields["title"], fields["lead"], **moves, terms=tuple(fields.get("terms", ())))


PARTS = {name: _part(fields) for name, fields in toml_beside(__file__, "parts.toml").items()}


def moves(part: TransformerPart) -> None:
    """Show the three moves, and if each stays or changes."""
    cells = "".join(
        f'<div class="{CHANGES if move.what == CHANGES else STAYS}"><dt>{name} <span>{escape(move.what)}</span></dt>'
        f"<dd>{escape(move.text)}</dd></div>"
        for name, move in (("Compare", part.compare), ("Weigh", part.weigh), ("Sum", part.sum))
    )
    st.html(f'<dl class="moves">{cells}</dl>')
