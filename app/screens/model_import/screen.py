"""Import a model: checks a zip and makes its model available on every screen to this visitor alone."""

from html import escape
from itertools import cycle

import streamlit as st

from regard.app.models import registry
from regard.app.models.models import card
from regard.app.screens.model_import.text import ABOUT, SIZE, facts
from regard.app.screens.model_import.upload import give_back, let_go, take
from regard.app.ui.widgets import head
from regard.app.visitor.sentence_input import any_readable, begin, use
from regard.app.wording import plain_markdown
from regard.model.input_error import InputError

CARD_HEIGHT = 320  # pixels


def receive() -> None:
    """Draw the field for a zip. The upload is released at once, so that the field is empty for the next. It takes any
    file: a wrong kind is refused here, in words, where Streamlit would show an icon."""
    state = st.session_state
    file = st.file_uploader("A model's folder as a zip", key=f"zip-{state.setdefault('zips', 0)}", max_upload_size=SIZE)
    if file is not None:
        with st.spinner("Checking every file before anything is loaded"):
            try:
                take(file)
                state.zip_refused = ""
            except InputError as error:
                state.zip_refused = f"{file.name[:60]} was refused: {error}."
        let_go(file)
        state.zips += 1
        st.rerun()
    if state.get("zip_refused"):
        st.error(plain_markdown(state.zip_refused))


def brought(name: str, title: str) -> None:
    """Show one of the visitor's models."""
    with st.container(border=True, key=f"brought-{name}"):
        st.html(f'<h2 class="part">{escape(title)}</h2>')
        st.html(facts(any_readable(name)))
        with st.container(horizontal=True):
            if st.button("Open in the stepper", key=f"open-{name}", icon=":material/translate:"):
                use(name)
                st.switch_page("screens/translate/screen.py", query_params={})
            st.button("Remove", key=f"remove-{name}", icon=":material/delete:", on_click=give_back, args=(name,))
        with st.expander("Its card", key=f"card-{name}", on_change="rerun") as opened:
            if opened.open:
                st.code(card(name).strip(), language=None, wrap_lines=True, height=CARD_HEIGHT)


begin("model_import")
head(
    "What does your own model look at?",
    "Step through a model that you trained elsewhere with this program, and look at it in every screen.",
)
receive()
for name, owned in registry.own().items():
    brought(name, owned.title)
for column, (part, text) in zip(cycle(st.columns(2, gap="large")), ABOUT.items(), strict=False):
    with column:
        st.html(f'<h2 class="part">{part}</h2>')
        st.markdown(text)
