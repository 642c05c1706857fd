"""Import attention: other programs' attention in our stepper."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st

from regard.app.arithmetic.panel import arithmetic, open_clicked
from regard.app.components.stepper.mount import drawn_stepper
from regard.app.components.stepper.payload import of_alignment, of_attention, payload
from regard.app.figures.heatmap import difference, largest
from regard.app.glossary.terms import definitions
from regard.app.models.registry import recurrent_names
from regard.app.screens.attention_files.inputs import PAGE, bring, example, made_here, read_another, read_it
from regard.app.screens.attention_files.text import confident, missing, origin, picked, sums
from regard.app.ui.plots import download, plot
from regard.app.ui.widgets import ScreenHead, head, segments
from regard.app.visitor.question import Opening, Question, opening_step
from regard.app.visitor.sentence_input import begin, readable
from regard.app.wording import plain_markdown
from regard.model.analysis.model_comparison import contrast
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.soft_alignments.derived import ENDS, cut_alike, without
from regard.model.soft_alignments.formats import FORMATS, WRITTEN, ReadFile, writable
from regard.model.soft_alignments.record import ForeignSentence

SHOWN_TEXT = 300  # characters of a translation above its stepper, which has all of it
MOST_CELLS = 10_000  # of a difference that is drawn
NAMED = 5  # sentences that are left out and named
COLOURS = {"linear": "Linear", "logarithmic": "Logarithmic"}
LEFT_OUT = "Without {}, rows renormalised."
LOGARITHMIC = "Colours are logarithmic."


class Opened(NamedTuple):
    """Files on view: the latest input and the one to compare it with, each with its name."""

    called: str
    read: ReadFile
    other_called: str = ""
    other: ReadFile | None = None


def last(top: ScreenHead, question: Question, model: Pretrained) -> Opened | None:
    """Return the latest reading; if there is none yet or the input is wrong, say so and keep the previous one."""
    state, brought = st.session_state, bring(top, question, model)
    try:
        if "elsewhere" not in state:
            opening = example(question, model, next(iter(FORMATS)))
            state.elsewhere = Opened(opening.called, read_it(opening))
        if brought is None:
            st.info(plain_markdown(f"Nothing is open yet. Below is {state.elsewhere.called}."))
        else:
            found = read_it(brought)
            state.elsewhere = Opened(brought.called, found)
            if other := read_another(brought, found):
                state.elsewhere = Opened(brought.called, found, brought.another[0] if brought.another else "", other)
    except InputError as error:
        below = ""
        if "elsewhere" in state:
            alike = brought and brought.called == state.elsewhere.called
            below = f" Below is still {'what was here before' if alike else state.elsewhere.called}."
        message = re.sub("^the ", "The ", f"{error}.{below}")  # it begins with a file's name, or with *the pasted text*
        st.error(plain_markdown(message))
    return state.get("elsewhere")


def pick(reading: ReadFile) -> int:
    """Choose one sentence of a file with several; another file has another field, whose sentences are its own."""
    if len(reading.sentences) == 1:
        return 0
    chosen = st.selectbox(
        f"One of {len(reading.sentences)} sentences",
        range(len(reading.sentences)),
        format_func=lambda index: picked(reading, index),
        key=f"picked-{st.session_state.read_key}",
    )
    return chosen if chosen is not None and chosen < len(reading.sentences) else 0


def left_out(reading: ReadFile) -> None:
    """Name the sentences that could not be read."""
    if count := len(reading.left_out):
        more = f" and {count - NAMED:,} more" if count > NAMED else ""
        st.warning(plain_markdown(f"Left out: {'; '.join(reading.left_out[:NAMED])}{more}."))


def about(reading: ReadFile, foreign: ForeignSentence) -> None:
    """Show the translation, its format and remarks."""
    text = foreign.alignment.target.text or "—"
    short = text if len(text) <= SHOWN_TEXT else f"{text[: SHOWN_TEXT - 1]}…"
    said = [f"Read as {FORMATS[reading.format].title}.", missing(foreign), sums(foreign), *foreign.notes]
    st.html(
        f'<p class="translation" dir="auto">{escape(short)}</p>'
        f'<p class="about" data-testid="about-file">{escape(" ".join(filter(None, said)))}</p>'
    )


class View(NamedTuple):
    """Options for drawing the weights of another program: columns to leave out, and logarithmic colours."""

    left_out: tuple[str, ...] = ()
    logarithmic: bool = False

    def of(self, foreign: ForeignSentence) -> ForeignSentence:
        """Return the sentence as it is drawn. Raises InputError if no column is left."""
        return foreign if foreign.links or not self.left_out else without(foreign, self.left_out)

    def drawn(self, foreign: ForeignSentence, name: str) -> dict[str, Any]:
        """Return the payload of a sentence, which says on each picture what was done to its weights."""
        if foreign.trace is not None:
            return payload([foreign.trace])
        drawn = of_attention(foreign.given, from_file=True) if foreign.given else of_alignment(foreign)
        (trace,) = drawn["traces"]
        trace["name"] = name
        if not foreign.links:
            said = [LEFT_OUT.format(" and ".join(self.left_out))] if self.left_out else []
            said += [LOGARITHMIC] if self.logarithmic else []
            trace["file"] |= {"said": " ".join(said), "divided": bool(self.left_out), "logarithmic": self.logarithmic}
        return drawn


def view_of(top: ScreenHead) -> View:
    """Choose how weights are drawn; the file's own are the default."""
    with top.options:
        left_out = st.pills("Leave out columns", [*ENDS], selection_mode="multi", key="left_out", bind="query-params")
        colours = segments("Colours", COLOURS, "linear", "colours")
        st.caption("Links, and traces of Regard, are drawn as they are.")
    return View(tuple(left_out), colours == "logarithmic")


@st.fragment
def steps(sentences: Sequence[ForeignSentence], names: Sequence[str], view: View, question: Question) -> None:
    """Draw one sentence, or two side by side, and the file's value of the number that was clicked last."""
    foreign = sentences[0]
    step = opening_step(len(foreign.alignment.target.tokens)) if question.step is None else question.step
    drawn = view.drawn(foreign, names[0])
    for other, name in zip(sentences[1:], names[1:], strict=True):
        drawn["traces"] += view.drawn(other, name)["traces"]
    with st.container(key="stage"):  # keeps its place until it is drawn
        clicked = drawn_stepper(drawn, Opening(step, question.units, question.rows, question.large), key="stepper")
    same = made_here(foreign.trace) if foreign.trace and len(sentences) == 1 else None
    if same:
        if clicked:
            open_clicked(clicked)
        arithmetic([same])
        return
    values = clicked.values if clicked else None
    place = values.get("trace") if values else 0
    shown = sentences[place] if type(place) is int and 0 <= place < len(sentences) else foreign
    divided = bool(view.left_out) and not shown.links
    st.html(f'<p class="about" aria-live="polite" data-testid="origin">{escape(origin(shown, values, divided))}</p>')


def contrasted(sentences: Sequence[ForeignSentence], names: Sequence[str]) -> None:
    """Draw the difference of two files' weights between words."""
    one, other = cut_alike(sentences[0].alignment, sentences[1].alignment)
    try:
        differences = contrast(one, other)
    except InputError as error:
        st.info(plain_markdown(f"These two cannot be compared word by word: {error}."))
        return
    st.html(f"<p>{largest(differences, names[0], names[1], ('', ''))}</p>")
    plot(
        difference(differences, names[0], names[1]),
        "difference",
        f"Weights between words: {names[0]} less {names[1]}",
        f"“{one.source.text}” → “{one.target.text}”",
    )


def downloads(foreign: ForeignSentence) -> None:
    """Offer this sentence in the formats that can express it."""
    with st.container(horizontal=True, key="downloads"):
        for name in writable(foreign):
            known = WRITTEN[name]
            download(known.title, lambda known=known: known.write(foreign), known.file_name, key=f"as-{name}")
    if said := confident(foreign):
        st.caption(said)


question = begin("attention_files")
top = head(
    "What did another program look at?",
    "Open the attention that it wrote, and step through it as through our own.",
    options=True,
)
view = view_of(top)
model = readable(question.model if question.sentence else recurrent_names()[0])  # one that has an example
with st.container(key="brought"):  # a separate container, so that the parts below keep their place
    opened = last(top, question, model)
if opened is not None:
    left_out(opened.read)
    with st.container(key="picking"):
        index = pick(opened.read)
    foreign = opened.read.sentences[index]
    about(opened.read, foreign)
    sentences, names = [foreign], [opened.called]
    if opened.other:
        left_out(opened.other)
        if index < len(opened.other.sentences):
            sentences, names = [*sentences, opened.other.sentences[index]], [*names, opened.other_called]
        else:
            st.info(plain_markdown(f"{opened.other_called} has no sentence {index + 1} to compare with."))
    try:
        shown = [view.of(one) for one in sentences]
    except InputError as error:
        st.error(plain_markdown(f"{error}."))
        view, shown = View(logarithmic=view.logarithmic), sentences
    steps(shown, names, view, question)
    if len(shown) > 1:
        contrasted(shown, names)
    downloads(foreign)
definitions("weight", "alignment", "links")
with st.expander("The formats, with examples", key="formats", on_change="rerun") as formats:
    if formats.open:
        st.markdown(PAGE.read_text(encoding="utf-8").partition("\n")[2])
