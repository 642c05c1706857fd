"""The memory's share in each next token (λ of kNN-MT), as a slider, and the translation without it."""

from dataclasses import replace
from html import escape

import streamlit as st

from regard.app.models.analyses import remembers
from regard.app.models.traces import any_trace
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import visit
from regard.model.memory.interpolation import NEIGHBOURS, TEMPERATURE
from regard.model.trace import AnyTrace

MOST, STEP = 0.9, 0.05
ABOUT = (
    f"At each step the {NEIGHBOURS} nearest states of training vote for what came next there, and the next token is "
    "the likeliest by *p* = (1 − λ) *p*(model) + λ *p*(neighbours), with a vote of exp(−*d*² / "
    f"{TEMPERATURE:g}) at distance *d* (Khandelwal et al. 2021). *Met in training*, at any step, opens the votes."
)


def memory_share(question: Question) -> None:
    """Draw the slider, for a model that has a memory."""
    if not remembers(question.model):
        return
    with st.popover(
        f"Memory {question.memory:.0%}" if question.memory else "Memory",
        icon=":material/history_edu:",
        type="secondary" if question.memory else "tertiary",
        width="content",
    ):
        st.session_state.memory_share = min(MOST, question.memory)
        st.slider(
            "Let memory help, λ",
            0.0,
            MOST,
            step=STEP,
            key="memory_share",
            disabled=bool(question.given),
            on_change=_choose,
            help="A translation that you force is not changed by memory." if question.given else None,
        )
        st.caption(ABOUT)


def _choose() -> None:
    state = visit()
    state.question = replace(state.question, memory=round(st.session_state.memory_share, 2))
    state.unasked, state.opened = False, ()


def helps(question: Question, shown: AnyTrace) -> bool:
    """Return True if the memory influenced the translation on screen."""
    return question.memory > 0 and not question.given and shown.stop == "forced"


def told(question: Question) -> str:
    """Return the line that says how much memory was in a translation."""
    return f"written with {question.memory:.0%} memory; the probabilities are the model's own"


def by_the_model_alone(question: Question, shown: AnyTrace) -> str:
    """Return the line with the model's translation without its memory."""
    alone = any_trace(question.model, question.sentence, "").alignment.target
    same = alone.text == shown.text
    alone_text = "the same" if same else f'<span lang="{escape(alone.language)}" dir="auto">{escape(alone.text)}</span>'
    return f'<p class="about" data-testid="model-alone">the model alone: {alone_text}</p>'
