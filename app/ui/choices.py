"""A choice among a few options: buttons side by side, stored in a parameter of the link."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

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
