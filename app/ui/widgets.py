"""Parts that most screens have: a heading, a choice that the link stores, an error message, a table of text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, Literal, TypeVar

import streamlit as st

from regard.app.wording import plain_markdown
from regard.model.input_error import InputError


def heading(title: str, text: str = "") -> None:
    """Draw the screen's title, and a sentence about it; both are HTML."""
    st.html(f"<header class='regard'><h1>{title}</h1>{f'<p>{text}</p>' if text else ''}</header>")


Option = TypeVar("Option")
Options = Mapping[Option, str] | Sequence[Option]  # with their names on screen, or named as they are


def segments(
    label: str, options: Options[Option], first: Option, key: str, about: str = "", bare: bool = False
) -> Option:
    """Draw the options side by side and return the chosen one. `key` is its name in the link; with `bare` the label is
    only read aloud."""
    names = list(options)
    return st.segmented_control(label, names, default=first, required=True, **_field(options, key, about, bare))


def select(
    label: str,
    options: Options[Option],
    first: Option,
    key: str,
    about: str = "",
    width: int | Literal["stretch"] = "stretch",
    bare: bool = False,
    on_change: Callable[[], None] | None = None,
) -> Option:
    """Draw a list of the options and return the chosen one, or `first` if the link names none of them."""
    names, field = list(options), _field(options, key, about, bare)
    chosen = st.selectbox(label, names, names.index(first), width=width, on_change=on_change, **field)
    return chosen if chosen in names else first


def _field(options: Options[Any], key: str, about: str, bare: bool) -> dict[str, Any]:
    """Return what both kinds of choice have in common."""
    return {
        "format_func": lambda name: options.get(name, str(name)) if isinstance(options, Mapping) else str(name),
        "key": key,
        "bind": "query-params",
        "help": about or None,
        "label_visibility": "collapsed" if bare else "visible",
    }


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show an InputError as a message and go on after the block."""
    try:
        yield
    except InputError as error:
        st.error(plain_markdown(str(error)))


def table(rows: Sequence[Mapping[str, str]], label: str) -> None:
    """Draw rows with the same columns; the first column names its row, `label` says what the table contains.

    A keyboard can scroll it, and nothing in it is read as markup.
    """
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in rows[0])
    lines = "".join(f"<tr>{_cells(list(row.values()))}</tr>" for row in rows)
    st.html(
        f'<div class="table" role="region" tabindex="0" aria-label="{escape(label)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _cells(values: Sequence[str]) -> str:
    first, *others = (escape(value) for value in values)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{value}</td>" for value in others)
