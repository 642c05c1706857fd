"""Errors of what a visitor asks for, shown in place of the result."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from regard.app.wording import plain_markdown
from regard.model.input_error import InputError


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show an InputError as a message and go on after the block."""
    try:
        yield
    except InputError as error:
        st.error(plain_markdown(str(error)))
