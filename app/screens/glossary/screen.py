"""Glossary: every term of the app by theme, with a search and a link for each."""

from collections.abc import Iterable

import streamlit as st

from regard.app.glossary.terms import DEFINITIONS, FIELD, THEMES, definition_text, found
from regard.app.navigation import TITLES
from regard.app.ui.widgets import head
from regard.app.visitor.sentence_input import begin


def terms(names: Iterable[str], key: str) -> None:
    """Draw terms with their definitions and links to screens; style.css knows each `key`."""
    with st.container(key=f"terms-{key}"):
        for name in names:
            known = DEFINITIONS[name]
            with st.container():
                st.html(f"<h2>{known.term}</h2>")
                st.markdown(definition_text(known))
                if known.seen:
                    st.page_link(f"screens/{known.seen}/screen.py", label=f"See it: {TITLES[known.seen]}")


def browse(opened: str) -> None:
    """Draw the open term, or else a theme."""
    first = None if opened in DEFINITIONS else next(iter(THEMES))
    if not first:
        terms([opened], "opened")
    theme = st.pills(
        "Theme",
        list(THEMES),
        default=first,
        required=bool(first),
        key="theme",
        bind="query-params",
        on_change=forget,
        label_visibility="collapsed",
    )
    if shown := theme or first:
        terms(THEMES[shown], "part")


def forget() -> None:
    """Remove the term from the link."""
    st.query_params.pop("term", None)


begin("glossary")
top = head(
    "Glossary",
    f"The {len(DEFINITIONS)} terms of these screens: what each means, its formula, its shape and where it comes from.",
)
with top.row:
    typed = st.text_input(
        "Find a term",
        "",
        key="find",
        bind="query-params",
        on_change=forget,
        width=380,
        label_visibility="collapsed",
        **FIELD,
    )
if typed.strip():
    terms(found(typed), "found")
else:
    browse(st.query_params.get("term", ""))
