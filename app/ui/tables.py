"""A table of text that a keyboard can scroll and a screen reader can name; nothing in it is read as markup."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st


def table(rows: Sequence[Mapping[str, str]], label: str) -> None:
    """Draw rows with the same columns; the first column names its row, `label` says what the table contains."""
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in rows[0])
    lines = "".join(f"<tr>{_cells(list(row.values()))}</tr>" for row in rows)
    st.html(
        f'<div class="table" role="region" tabindex="0" aria-label="{escape(label)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _cells(values: Sequence[str]) -> str:
    first, *others = (escape(value) for value in values)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{value}</td>" for value in others)
