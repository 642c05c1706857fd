"""A choice among options, stored in a parameter of the link: buttons side by side, or a list to open."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

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
