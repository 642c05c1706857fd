"""Regard in one file: the models and the stepper as one HTML document to download."""

from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

import streamlit as st

from regard.app.export.translator.document import page
from regard.app.glossary.terms import OPENERS, is_first
from regard.app.models.models import any_pretrained, title
from regard.app.models.registry import alike_among, model_names
from regard.app.models.result_cache import remembered
from regard.app.ui.plots import download
from regard.app.visitor.question import Question
from regard.app.wording import between, plain_markdown
from regard.model.input_error import InputError

FILE = "regard.html"
ABOUT = (
    "One HTML file that holds the model itself. Open it from disk, or put it on any web site: type a sentence, step, "
    "ask *What if*, open any number. It needs no network and no Python, and nothing typed into it leaves the machine."
)
ROUNDED = "The numbers are then those of the rounded weights, and the page says so."


def take_along(names: Sequence[str], question: Question) -> None:
    """Draw the button, and behind it the file with these models and the code to embed it."""
    pressed = st.button("Take it with you", icon=":material/save_alt:", key=OPENERS[2], help="Regard as one HTML file")
    if pressed and is_first(OPENERS[2]):
        offer(tuple(names), question)


@st.dialog("Take it with you", width="large")
def offer(names: tuple[str, ...], question: Question) -> None:
    """Draw the file with these models, and the code to embed it."""
    st.markdown(ABOUT)
    choices = alike_among(names[0], model_names())
    chosen = names
    if len(choices) > 1:
        chosen = st.pills(
            "Models in the file", choices, selection_mode="multi", default=names, format_func=title, key="taken"
        )
    rounded = st.toggle("Half the size: weights rounded to 8 bits", key="taken-rounded", help=ROUNDED)
    if not chosen:
        st.info("Choose one model or more.")
        return
    try:
        with st.spinner("Packing the weights", show_time=True):
            document = _document(chosen[0], tuple(chosen[1:]), rounded)
    except InputError as error:
        st.error(plain_markdown(str(error)))
        return
    download(f"Download {FILE}, {len(document) / 1e6:.1f} MB", document, FILE)
    st.caption("Copy embed code, for a page in the same folder as the file:")
    st.code(embed_code(question, several=len(chosen) > 1), language="html", wrap_lines=True)


def embed_code(question: Question, *, several: bool) -> str:
    """Return a frame that opens with the same sentence, with all models side by side if there are several."""
    asked = {"sentence": question.sentence, "given": question.given, "compare": "1" if several else ""}
    address = f"{FILE}#{urlencode({name: value for name, value in asked.items() if value})}"
    languages = escape(between(any_pretrained(question.model).tokenizer.languages))
    return (
        f'<iframe src="{escape(address)}" sandbox="allow-scripts" title="Regard: {languages}" '
        'width="100%" height="900" style="border: 0"></iframe>'
    )


@remembered()
def _document(name: str, others: tuple[str, ...], rounded: bool) -> bytes:
    return page([any_pretrained(one) for one in (name, *others)], rounded=rounded).encode("utf-8")
