"""Inputs: a pasted or uploaded text, kept for the visit."""

import streamlit as st

from regard.app.models.models import any_pretrained
from regard.app.visitor.translated_text import bring, bring_example
from regard.app.wording import plain_markdown
from regard.model.input_error import InputError
from regard.model.readable import TEXT_BYTES, language
from regard.model.text_report.text_input import LINES, RULE, read

PASTED = 120_000  # characters of the field; a file may have more
OPEN, FIELD, FILE = "text_open", "pasted_text", "text_file"
EXPECTED = (
    "One sentence a line, or paragraphs; or {0} TAB {1}, which is taken as the reference; or both sides as words "
    "separated by spaces, then TAB and word links such as `0-0 1p2`. Up to {2:,} sentences. The text stays on this "
    "server until your visit ends, and is never in a link."
)


def inputs(model: str) -> None:
    """Draw the fields for another text, if the visitor opened them."""
    state = st.session_state
    if not state.get(OPEN):
        return
    with st.container(border=True, key="bringing"):
        names = map(language, any_pretrained(model).tokenizer.languages)
        st.caption(EXPECTED.format(*names, LINES))
        left, right = st.columns([3, 2])
        left.text_area("Text", key=FIELD, max_chars=PASTED, height=160)
        right.file_uploader("or a plain-text file", key=FILE, max_upload_size=TEXT_BYTES // 10**6)
        right.toggle("Divide paragraphs into sentences", True, key="text_split", help=f"By one rule: {RULE}.")
        with st.container(horizontal=True):
            st.button("Translate the text", on_click=_take, args=(model,), icon=":material/translate:")
            st.button("Use the example", on_click=_example, args=(model,))
            st.button("Close", on_click=state.update, args=({OPEN: False},), type="tertiary")
        if state.get("text_refused"):
            st.error(plain_markdown(state.text_refused))


def open_inputs() -> None:
    st.session_state[OPEN], st.session_state.text_refused = True, ""


def _example(model: str) -> None:
    st.session_state[OPEN] = False
    bring_example(model)


def _take(model: str) -> None:
    """Read the file, or else the field; keep the fields and say why if it cannot be read."""
    state = st.session_state
    file, pasted = state.get(FILE), state.get(FIELD) or ""
    name = (file.name[:60] or "the file") if file else "the pasted text"
    try:
        content = file.getvalue() if file else pasted.encode("utf-8", errors="replace")
        bring(name, read(content, any_pretrained(model).tokenizer.languages, bool(state.get("text_split", True))))
        state[OPEN], state.text_refused = False, ""
    except InputError as error:
        state.text_refused = f"{name[0].upper()}{name[1:]} cannot be read: {error}."
