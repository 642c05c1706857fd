"""The answer: the translation in large letters, its probability, why it ended, and the translation before a change.

A model that has a memory translates with its help on request: its share in each next token is the λ of kNN-MT.
"""

from dataclasses import replace
from html import escape

import streamlit as st

from regard.app.components.stepper.labels import gain, language_tag
from regard.app.models.analyses import remembers
from regard.app.models.models import attends, doubt, title, with_attention
from regard.app.models.traces import any_trace
from regard.app.theme import component, percent
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import visit
from regard.app.wording import counted, lost_marked, marked, out_of_ten
from regard.model.memory.datastore import NEIGHBOURS, TEMPERATURE
from regard.model.trace import AnyTrace

MOST, STEP = 0.9, 0.05
ABOUT = (
    f"At each step the {NEIGHBOURS} nearest states of training vote for what came next there, and the next token is "
    "the likeliest by *p* = (1 − λ) *p*(model) + λ *p*(neighbours), with a vote of exp(−*d*² / "
    f"{TEMPERATURE:g}) at distance *d* (Khandelwal et al. 2021). *Met in training*, at any step, opens the votes."
)


def answer(question: Question, before: AnyTrace, shown: AnyTrace) -> None:
    """Show the translation, large, with its probability and why it ended; after a change, also the one before."""
    target, helped = shown.alignment.target, helps(question, shown)
    given = bool(question.given) or helped
    likely = (
        f"log-probability {component(shown.log_probability)}, probability per token {percent(shown.mean_probability)}"
    )
    own = shown is before and not given  # the estimate holds only for a model's own translations
    fit = doubt(question.model) if own else None
    doubted = out_of_ten(fit.of(shown)) if fit else ""
    written = marked(shown, doubtful=own)
    ended = "stopped at the limit before the model ended the sentence" if shown.stop == "limit" else ""
    who = told(question) if helped else "a given translation" if given else "the model's translation"
    if shown is not before:
        who += ", with what you changed"
    was = otherwise(question, before, shown)
    count = counted(len(shown.target), "token")
    parts = (doubted, ended, escape(shown.carried_note), who, likely, count)  # a narrow page cuts off the last
    facts = " · ".join(filter(None, parts))
    shown_facts = facts.replace(" ·", "\N{NO-BREAK SPACE}·")  # no line begins with the dot
    st.html(
        f'<div class="answer"><p class="translation" lang="{language_tag(target.language)}" dir="auto" tabindex="0" '
        f'role="region" aria-label="Translation">{written or "—"}</p>'  # a long one scrolls
        f'<div class="facts"><p class="about" title="{facts}">{shown_facts}</p>{was}</div>'
        '<button type="button" class="copy">Copy</button></div>'  # the stepper hears the click
    )


def otherwise(question: Question, before: AnyTrace, shown: AnyTrace) -> str:
    """Return the line with the translation before the changes, without the memory, or with attention; "" for none."""
    if shown is not before:
        language = language_tag(before.alignment.target.language)
        return (
            f'<p class="about" data-testid="before">before: <span lang="{language}" dir="auto">'
            f"{escape(before.text) or '—'}</span> · {' '.join(gain(before, shown))}</p>"
        )
    if helps(question, shown):
        return by_the_model_alone(question, shown)
    return "" if question.given or attends(question.model) else lost_without_attention(question, shown)


def lost_without_attention(question: Question, shown: AnyTrace) -> str:
    """Return the translation of the model that differs only in having attention, marking the words lost without it."""
    other = with_attention(question.model)
    if not other:
        return ""
    attended = any_trace(other, question.sentence, "")
    language = attended.alignment.target.language
    return (
        f'<p class="about" data-testid="with-attention">with attention ({escape(title(other))}): '
        f'<span lang="{language}" dir="auto">{lost_marked(attended.text, shown.text)}</span></p>'
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
    alone = any_trace(question.model, question.sentence, "")
    language = escape(alone.alignment.target.language)
    same = alone.text == shown.text
    alone_text = "the same" if same else f'<span lang="{language}" dir="auto">{escape(alone.text)}</span>'
    return f'<p class="about" data-testid="model-alone">the model alone: {alone_text}</p>'
