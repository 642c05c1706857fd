"""Text row: the sentence of a visitor's text shown on other screens, with links to its neighbours and back."""

import streamlit as st

from regard.app.navigation import script
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import ask
from regard.app.visitor.translated_text import TranslatedText, current
from regard.app.visitor.visit_state import visit


def open_row(held: TranslatedText, model: str, number: int, given: str = "") -> None:
    """Make a sentence of the text, as it was read, the question."""
    held.row = number
    ask(held.measures[model][number].source, given, as_typed=True)


def text_row(question: Question) -> None:
    """Draw the place in the text, if the question is one of its sentences."""
    held = current()
    if held is None or not (model := _translator(held, question)):
        return
    rows = held.measures[model]
    order = [number for number in held.shown or sorted(rows) if number in rows and rows[number].source]
    place = order.index(held.row) if held.row in order else -1
    beside_own = visit().screen == "why"  # where the reference is the visitor's own translation
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="text-row"):
        if st.button("Back to the text", type="tertiary", icon=":material/arrow_back:", key="text-back"):
            st.switch_page(script("text"), query_params={})
        for label, icon, other in (("Previous", "chevron_left", place - 1), ("Next", "chevron_right", place + 1)):
            row = rows[order[other]] if place >= 0 and 0 <= other < len(order) else None
            st.button(
                label,
                type="tertiary",
                icon=f":material/{icon}:",
                key=f"text-{label.lower()}",
                disabled=row is None,
                on_click=open_row,
                args=(held, model, row.number, row.reference if beside_own else "") if row else (),
            )
        st.html(f'<p class="about">Sentence {held.row:,} of {len(held.text.lines):,}</p>', width="content")


def _translator(held: TranslatedText, question: Question) -> str:
    """Return the question's model, or else another, whose chosen row has the question's sentence; "" if none has."""
    found = (
        name
        for name in (question.model, *held.measures)
        if (row := held.measures.get(name, {}).get(held.row)) and row.source == question.sentence
    )
    return next(found, "")
