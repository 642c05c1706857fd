"""A choice among options, stored in a parameter of the link: buttons side by side, or a list to open."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

import streamlit as st

Option = TypeVar("Option")


def segments(
    label: str,
    options: Mapping[Option, str] | Sequence[Option],
    first: Option,
    key: str,
    about: str = "",
    bare: bool = False,
) -> Option:
    """Draw the options, named by a mapping, and return the chosen one. `key` is its name in the link; with `bare` the
    label is only read aloud."""
    return st.segmented_control(
        label,
        list(options),
        default=first,
        required=True,
        format_func=options.__getitem__ if isinstance(options, Mapping) else str,
        key=key,
        bind="query-params",
        help=about or None,
        label_visibility="collapsed" if bare else "visible",
    )


def select(
    label: str,
    options: Mapping[Option, str] | Sequence[Option],
    first: Option,
    key: str,
    about: str = "",
    width: int | Literal["stretch"] = "stretch",
    bare: bool = False,
    on_change: Callable[[], None] | None = None,
) -> Option:
    """Draw a list of the options and return the chosen one, or `first` if the link names none of them."""
    names = list(options)
    chosen = st.selectbox(
        label,
        names,
        names.index(first),
        format_func=lambda name: options.get(name, str(name)) if isinstance(options, Mapping) else str(name),
        key=key,
        bind="query-params",
        help=about or None,
        label_visibility="collapsed" if bare else "visible",
        width=width,
        on_change=on_change,
    )
    return chosen if chosen in names else first
