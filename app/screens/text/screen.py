"""A text: many sentences translated at once, measured, sorted and opened."""

from html import escape

import streamlit as st

from regard.app.glossary.terms import DEFINITIONS, definitions
from regard.app.models.models import title
from regard.app.navigation import TITLES, script
from regard.app.screens.text.parts import (
    downloads,
    filtered,
    inputs,
    open_inputs,
    sentences,
    translate_rest,
    two_models,
    whole,
)
from regard.app.ui.widgets import head
from regard.app.visitor.sentence_input import any_readable, begin
from regard.app.visitor.translated_text import TranslatedText, bring_example, current, open_row
from regard.app.wording import compared, counted, plain_markdown
from regard.model.readable import language
from regard.model.text_report.sentence_measures import SentenceMeasures, known

SAME = " in this language"  # added to the second of two equal names of columns
DEFINED_AS = {"least_coverage": "coverage"}  # the term in the glossary of a number that has another name there
OPENED_IN = ("translate", "beam", "compare", "why", "explanation")


def sentence(held: TranslatedText, model: str, row: SentenceMeasures) -> None:
    """Draw one sentence, and a button for each screen that opens it."""
    translation, reference = compared(row.translation, row.reference or row.translation)
    lines = [("", escape(row.source)), ("translation", translation)]
    if row.reference:
        lines.append(("reference", reference))
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


question = begin("text")
top = head(
    "Which sentences of a text go wrong?",
    "Translate many at once, find the ones worth looking at, and open them in the stepper.",
    question,
)
model = any_readable(question.model)
held = current()
if held is None or held.example_of not in (None, model.tokenizer.languages):
    bring_example(model.name)
    held = current()
with top.row:
    st.button("Paste or upload a text", icon=":material/article:", on_click=open_inputs, key="text-another")
    if held:
        count = sum(bool(line.source) for line in held.text.lines)
        st.html(f'<p class="about">{escape(held.name)}: {counted(count, "sentence")}</p>', width="content")
inputs(model.name)
if held is None:
    st.info("There is no example for this model. Paste or upload a text.")
    st.stop()
for note in held.text.notes:
    st.caption(plain_markdown(note))
progress = st.empty()
rows = held.rows(model.name)
if rows:
    source, target = map(language, model.tokenizer.languages)
    shown = filtered(held, rows, f"{held.name} · model {title(model.name)}")
    sentences(held, shown, (source, target if target != source else target + SAME), model.name)
    chosen = held.measures[model.name].get(held.row)
    if chosen:
        sentence(held, model.name, chosen)
    else:
        st.caption("Tick the box at the left of a row to open its sentence; click a heading to sort by it.")
    downloads(rows, held.name, model.name)
if rows and not held.pending(model.name):
    with st.expander("The whole text", key="text-whole", on_change="rerun") as opened:
        if opened.open:
            whole(rows, model.tokenizer.languages)
    with st.expander("Two models on this text", key="text-two-models", on_change="rerun") as opened:
        if opened.open:
            two_models(held, model.name)
if rows:
    terms = [DEFINED_AS.get(name, name) for name in known(rows)]
    bootstrap = ("paired_bootstrap",) if "bleu" in terms else ()
    definitions(*(name for name in terms if name in DEFINITIONS), *bootstrap)
translate_rest(held, model.name, progress)
