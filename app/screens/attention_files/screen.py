"""Import attention: other programs' attention in our stepper."""

import re
from html import escape

import streamlit as st

from regard.app.arithmetic.panel import arithmetic, open_clicked
from regard.app.components.stepper.mount import drawn_stepper
from regard.app.components.stepper.payload import of_alignment, of_attention, payload
from regard.app.models.registry import recurrent_names
from regard.app.screens.attention_files.inputs import PAGE, bring, example, made_here, read_it
from regard.app.screens.attention_files.text import missing, origin, picked, sums
from regard.app.ui.definitions import definitions
from regard.app.ui.head import ScreenHead, head
from regard.app.ui.plots import download
from regard.app.visitor.question import Opening, Question, opening_step
from regard.app.visitor.sentence_input import begin, readable
from regard.app.wording import plain_markdown
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.soft_alignments.formats import FORMATS, WRITTEN, ReadFile, writable
from regard.model.soft_alignments.record import ForeignSentence

NAMED = 5  # sentences that are left out and named


def last(top: ScreenHead, question: Question, model: Pretrained) -> ReadFile | None:
    """Return the latest reading; if there is none yet or the input is wrong, say so and keep the previous one."""
    state, brought = st.session_state, bring(top, question, model)
    try:
        if "elsewhere" not in state:
            opening = example(question, model, next(iter(FORMATS)))
            state.elsewhere = opening.called, read_it(opening)
        if brought is None:
            st.info(plain_markdown(f"Nothing is open yet. Below is {state.elsewhere[0]}."))
        else:
            state.elsewhere = brought.called, read_it(brought)
    except InputError as error:
        kept = ""
        if "elsewhere" in state:
            alike = brought and brought.called == state.elsewhere[0]
            kept = f" Below is still {'what was here before' if alike else state.elsewhere[0]}."
        told = re.sub("^the ", "The ", f"{error}.{kept}")  # it begins with a file's name, or with *the pasted text*
        st.error(plain_markdown(told))
    return state.elsewhere[1] if "elsewhere" in state else None


def pick(reading: ReadFile) -> int:
    """Choose one sentence of a file with several; another file has another field, whose sentences are its own."""
    if len(reading.sentences) == 1:
        return 0
    chosen = st.selectbox(
        f"One of {len(reading.sentences)} sentences",
        range(len(reading.sentences)),
        format_func=lambda index: picked(reading, index),
        key=f"picked-{st.session_state.read_digest[:16]}",
    )
    return chosen if chosen is not None and chosen < len(reading.sentences) else 0


def left_out(reading: ReadFile) -> None:
    """Name the sentences that could not be read."""
    if count := len(reading.left_out):
        more = f" and {count - NAMED:,} more" if count > NAMED else ""
        st.warning(plain_markdown(f"Left out: {'; '.join(reading.left_out[:NAMED])}{more}."))


def about(reading: ReadFile, foreign: ForeignSentence) -> None:
    """Show the translation, its format and remarks."""
    target = foreign.alignment.target
    said = [f"Read as {FORMATS[reading.format].title}.", missing(foreign), sums(foreign), *foreign.notes]
    st.html(
        f'<p class="translation" dir="auto">{escape(target.text) or "—"}</p>'
        f'<p class="about" data-testid="about-file">{escape(" ".join(filter(None, said)))}</p>'
    )


@st.fragment
def steps(foreign: ForeignSentence, question: Question) -> None:
    """Draw the stepper, and the file's value of the number that was clicked last."""
    step = opening_step(len(foreign.alignment.target.tokens)) if question.step is None else question.step
    if foreign.given is not None:
        drawn = of_attention(foreign.given, from_file=True)
    else:
        drawn = of_alignment(foreign) if foreign.trace is None else payload([foreign.trace])
    with st.container(key="stage"):  # keeps its place until it is drawn
        clicked = drawn_stepper(drawn, Opening(step, question.units, question.rows, question.large), key="stepper")
    same = foreign.trace and made_here(foreign.trace)
    if same:
        if clicked:
            open_clicked(clicked)
        arithmetic([same])
    else:
        about = escape(origin(foreign, clicked.values if clicked else None))
        st.html(f'<p class="about" aria-live="polite" data-testid="origin">{about}</p>')


def downloads(foreign: ForeignSentence) -> None:
    """Offer this sentence in the formats that can express it."""
    with st.container(horizontal=True, key="downloads"):
        for name in writable(foreign):
            known = WRITTEN[name]
            download(known.title, lambda known=known: known.write(foreign), known.file_name, key=f"as-{name}")


question = begin("attention_files")
top = head(
    "What did another program look at?",
    "Open the attention that it wrote, and step through it as through our own.",
)
model = readable(question.model if question.sentence else recurrent_names()[0])  # one that has an example
with st.container(key="brought"):  # a separate container, so that the parts below keep their place
    reading = last(top, question, model)
if reading is not None:
    left_out(reading)
    with st.container(key="picking"):
        foreign = reading.sentences[pick(reading)]
    about(reading, foreign)
    steps(foreign, question)
    downloads(foreign)
definitions("weight", "alignment", "links")
with st.expander("The formats, with examples", key="formats", on_change="rerun") as formats:
    if formats.open:
        st.markdown(PAGE.read_text(encoding="utf-8").partition("\n")[2])
