"""The part above a translation: the banner of a first visit, the fields, sentences to try, and choices made."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from regard.app.glossary.terms import OPENERS, is_first
from regard.app.models.analyses import remembers
from regard.app.models.models import attends, card, title, with_attention, without_attention
from regard.app.models.registry import model_names, own
from regard.app.navigation import FIRST_WORDS, script
from regard.app.ui.offline_file import offer
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import MORE, ask, attention_switch, given_field, model_field, use, visit
from regard.app.visitor.suggestions import to_try
from regard.app.wording import on_its_own, plain_markdown
from regard.model.checkpoint import AnyModel
from regard.model.memory.datastore import NEIGHBOURS, TEMPERATURE
from regard.model.transformer.transformer import TransformerConfig

ABOUT = """Regard shows how a neural network translates, one word at a time. When it writes a word, *attention* gives
each word of your sentence a weight: how much of what the network reads at that moment comes from there. The lines and
the heatmap are those weights.

Every number on screen is the model's own; press it to see the arithmetic it came from. Drag a line, mask a word or
write another one to see what the model would have done. The models are small and their mistakes are real: use them to
understand attention, not to translate.
"""
MEMORY = (
    f"At each step the {NEIGHBOURS} nearest states of training vote for what came next there, and the next token is "
    "the likeliest by *p* = (1 − λ) *p*(model) + λ *p*(neighbours), with a vote of exp(−*d*² / "
    f"{TEMPERATURE:g}) at distance *d* (Khandelwal et al. 2021). *Met in training*, at any step, opens the votes."
)
MOST, STEP = 0.9, 0.05  # of the memory's share
SHOWN = 4  # sentences to try
HEADS, FIGURES = "head-table", "figures"  # keys of what is drawn below the stepper on request


def newcomer(question: Question) -> None:
    """Draw the banner of a first visit: what this is, and three doors. The browser shows it until another page."""
    off = not attends(question.model)
    other = with_attention(question.model) if off else without_attention(question.model)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="newcomer"):
        st.html(f"<p>{FIRST_WORDS}</p>", width="content")
        if other:
            label = "Attention is off: turn it on" if off else "Turn attention off"
            st.button(label, key="door-off", on_click=use, args=(other,))
        st.page_link(script("watch"), label="Watch one learn")
        if st.button("Take it home", key=OPENERS[3], help="Regard as one file that needs no network") and is_first(
            OPENERS[3]
        ):
            offer((question.model,), question)
        with st.popover("For teachers", type="tertiary", key="teachers", width="content"):
            st.page_link(
                script("learn"), label="Lesson plan", icon=":material/event_note:", query_params={"plan": "true"}
            )
            st.page_link(script("worksheet"), label="Worksheets", icon=":material/print:")
            st.button(
                "Present", icon=":material/present_to_all:", type="tertiary", key="present-here"
            )  # the stepper hears it


def fields(question: Question, model: AnyModel) -> None:
    """Draw the attention switch, and behind *More* what few visitors change."""
    attention_switch(question)
    with st.popover("More", type="tertiary", width="content", key=MORE, on_change="rerun"):  # closed from here
        model_field(question)
        given_field(model)
        _memory_share(question)
        if isinstance(model.config, TransformerConfig):
            st.toggle("What each head does, below", key=HEADS)
        st.toggle("Figures to study and save, below", key=FIGURES)
        about = st.button(
            "About Regard and the model",
            type="tertiary",
            icon=":material/info:",
            key=OPENERS[1],
            on_click=lambda: st.session_state.update({MORE: False}),
        )
    if about and is_first(OPENERS[1]):
        _about(question.model)


def _memory_share(question: Question) -> None:
    """Draw the slider, for a model that has a memory."""
    if not remembers(question.model):
        return
    st.session_state.memory_share = min(MOST, question.memory)
    st.slider(
        "Let memory help, λ",
        0.0,
        MOST,
        step=STEP,
        key="memory_share",
        disabled=bool(question.given),
        on_change=lambda: _remember(st.session_state.memory_share),
        help="A translation that you force is not changed by memory." if question.given else MEMORY,
    )


def _remember(share: float) -> None:
    state = visit()
    state.question = replace(state.question, memory=round(share, 2))
    state.unasked, state.opened = False, ()


@st.dialog("About Regard", width="large")
def _about(name: str) -> None:
    """Describe the app, then show the model's card: its training, its quality and its limits."""
    st.markdown(ABOUT)
    st.subheader(f"The model “{plain_markdown(title(name))}”")
    if name in own():  # an uploaded model's words are shown as plain text
        st.code(card(name).strip(), language=None, wrap_lines=True)
    else:
        st.markdown(card(name))


def made(question: Question) -> None:
    """Draw a chip for each choice made under *More*; a press takes it back."""
    with st.container(horizontal=True, gap="xsmall", key="made", width="content"):
        for label, back in _made(question):
            st.button(f"{label} ×", key=f"made-{label}", help="Take back", on_click=back)


def _made(question: Question) -> Iterator[tuple[str, Callable[[], None]]]:
    state, (usual, *_) = st.session_state, model_names()
    if question.model != usual and attends(question.model):
        yield plain_markdown(on_its_own(title(question.model))), lambda: use(usual)
    if question.given:
        yield "forced translation", lambda: ask(question.sentence)
    elif question.memory:
        yield f"memory {question.memory:.0%}", lambda: _remember(0)
    for key, label in ((HEADS, "heads"), (FIGURES, "figures")):
        if state.get(key):
            yield label, lambda key=key: state.update({key: False})


def tried(model: AnyModel) -> DeltaGenerator:
    """Draw sentences to try; return the place after them."""
    offered = list(to_try(model).items())[:SHOWN]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="examples"):
        st.html(f'<p class="about">{"Try" if offered else "&nbsp;"}</p>', width="content")
        for label, text in offered:
            st.button(plain_markdown(label), type="tertiary", help=plain_markdown(text), on_click=ask, args=(text,))
        return st.container(key="again-part")
