"""The chosen sentence of a text: its translation, its differences from the reference, and the screens that open it."""

from html import escape

import streamlit as st

from regard.app.navigation import TITLES, script
from regard.app.visitor.text_row import open_row
from regard.app.visitor.translated_text import TranslatedText
from regard.app.wording import lost_marked
from regard.model.text_report.sentence_measures import SentenceMeasures

OPENED_IN = ("translate", "beam", "compare", "why", "explanation")


def sentence(held: TranslatedText, model: str, row: SentenceMeasures) -> None:
    """Draw one sentence, and a button for each screen that opens it."""
    lines = [("", escape(row.source)), ("translation", lost_marked(row.translation, row.reference or row.translation))]
    if row.reference:
        lines.append(("reference", lost_marked(row.reference, row.translation)))
    with st.container(border=True, key="text-sentence", gap="xsmall"):
        label = f"Sentence {row.number:,}"
        st.html(
            f'<p class="about"><b>{label}</b>'
            + "".join(
                f'<br><span dir="auto">{f"<i>{name}</i>: " if name else ""}{text or "—"}</span>' for name, text in lines
            )
            + "</p>"
        )
        if not row.source:
            return
        with st.container(horizontal=True, key="text-open"):
            for screen in OPENED_IN:
                if st.button(
                    TITLES[screen] if screen != "translate" else "Open in the stepper", key=f"open-in-{screen}"
                ):
                    open_row(held, model, row.number, row.reference if screen == "why" else "")
                    st.switch_page(script(screen), query_params={})
