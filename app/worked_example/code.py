"""A worked example as code: the NumPy lines that run here, their PyTorch version, and downloads of both."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from regard.app.ui.plots import download
from regard.app.worked_example.paper import document
from regard.model.examples.example import Array, Example
from regard.model.examples.in_torch import in_torch
from regard.model.examples.program import in_numpy, notebook, script

LIBRARIES = ("NumPy", "PyTorch")
ABOUT = {
    "NumPy": "These lines computed the numbers above.",
    "PyTorch": "The same calculation in PyTorch; tests check that both agree.",
}
DOWNLOADS = (
    ("Script", ".py", script, "download", "A program that runs from top to bottom with only NumPy"),
    ("Notebook", ".ipynb", notebook, "download", "The same in cells, with the formulas"),
    ("Page (HTML)", ".html", partial(document, blank=False), "download",
     "All steps with their numbers in one file, to read or print"),
    ("Worksheet", "-worksheet.html", partial(document, blank=True), "print",
     "A sheet with empty cells to fill in by hand; the page has the answers"),
)  # fmt: skip


def source(text: str) -> None:
    """Draw the lines; long ones are wrapped, because a keyboard could not scroll to their end."""
    st.code(text, language="python", wrap_lines=True)


def code(example: Example, matrices: Mapping[str, Array], *, key: str) -> None:
    """Show the example's code with these matrices; `key` is unique on the page."""
    with st.container(key=f"code-{key}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            library = st.segmented_control(
                "The same as code",
                LIBRARIES,
                default=LIBRARIES[0],
                required=True,
                key=f"library-{key}",
                label_visibility="collapsed",
            )
            st.html(f'<p class="about">{ABOUT[library]}</p>', width="content")
            _downloads(example, matrices, key)
        text = in_numpy(example) if library == LIBRARIES[0] else in_torch(example, matrices)
        source(text)


def _downloads(example: Example, matrices: Mapping[str, Array], key: str) -> None:
    with st.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):
        for label, ending, make, icon, text in DOWNLOADS:
            download(
                label,
                lambda make=make: make(example, matrices),
                f"regard-{example.name}{ending}",
                f"{text}; it has the numbers as they are now.",
                key=f"{label}-{key}",
                icon=icon,
                quiet=True,
            )
