"""Attention search: finds weights with which a step would write a word of the visitor's choice."""

from dataclasses import replace

import streamlit as st

from regard.app.figures.attention_search import corners, descent, shifts, weights_found
from regard.app.models.analyses import attention_search
from regard.app.models.models import attends
from regard.app.models.traces import any_trace
from regard.app.screens.attention_search.inputs import PENALTIES, choose_penalty, choose_word
from regard.app.screens.attention_search.text import (
    TOLD,
    by_penalty,
    compared,
    conclusions,
    price,
    spelled,
    verdict,
)
from regard.app.ui.definitions import definitions
from regard.app.ui.plots import plot, subject
from regard.app.ui.widgets import question_heading, table
from regard.app.visitor.fields import fields
from regard.app.visitor.pickers import choose_step
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop
from regard.app.wording import many_heads, plain_markdown
from regard.model.alignment import token_label
from regard.model.analysis.attention_search import AttentionSearch
from regard.model.checkpoint import AnyModel
from regard.model.trace import AnyTrace


@st.fragment
def study(model: AnyModel, trace: AnyTrace, question: Question) -> None:
    """Choose a step and a word, and search for weights that produce it."""
    step = choose_step(trace, question)
    wanted = choose_word(model, trace, step)
    if note := spelled([model.tokenizer.token(token) for token in wanted]):
        st.caption(plain_markdown(note))
    asked = attention_search(question.model, question.sentence, question.given, step, wanted[0], choose_penalty())
    answer(trace, question, asked)
    seen(trace, asked)
    searched(trace, asked)
    penalties(question, step, wanted[0])


def answer(trace: AnyTrace, question: Question, asked: AttentionSearch) -> None:
    """Show the verdict in words, and a link to the translation with these weights."""
    st.html(
        f'<p class="translation" data-testid="verdict">{verdict(trace, asked)}</p>'
        f'<p class="price">{price(trace, asked)}</p>'
    )
    if not attends(question.model):
        st.info(
            "This model has no attention: it sees only its first and last token, with equal weights. "
            "The search moves weight between these two ends."
        )
    following = changed(question, asked)
    with st.container(key="following"):
        st.page_link(
            "screens/translate/screen.py",
            label="See what follows",
            icon=":material/arrow_forward:",
            query_params={"sentence": following.sentence} | following.to_link(),
            help="Open Translate with these weights at this step; the model continues from there.",
        )


def changed(question: Question, asked: AttentionSearch) -> Question:
    """Return the translation with the weights found; a forced one is left to the model from that step on."""
    change = asked.intervention
    if question.given:
        change = replace(change, tokens=((asked.step, asked.shifts[0].token),))
    return replace(question, intervention=change, step=asked.step + 1)


def seen(trace: AnyTrace, asked: AttentionSearch) -> None:
    """Show the weights before and after, and their effect on the likeliest tokens."""
    token = token_label(asked.text)
    left, right = st.columns([3, 2])
    with left:
        st.header("The weights, before and after")
        plot(
            weights_found(trace, asked),
            "found",
            f"Weights of step {asked.step + 1}: the model's own, and those found",
            subject(trace),
        )
    with right:
        st.header("The next token, before and after")
        plot(shifts(asked), "shifts", f"Likeliest tokens before and after, with “{token}” among them", subject(trace))
    table(compared(asked), "The model's own weights and those found")
    definitions("weight", "divergence", "total_variation", "searched_attention")


def searched(trace: AnyTrace, asked: AttentionSearch) -> None:
    """Show the descent that led to the weights, and each source token alone."""
    left, right = st.columns([3, 2])
    with left:
        st.header("How the search went")
        st.caption(
            f"The descent that {'found the weights' if asked.first else 'came nearest'}, out of {asked.starts}. It "
            f"began with {TOLD['starts'][asked.path.start]}; the dotted line marks the iteration that the "
            "weights are from."
        )
        plot(descent(asked), "path", "Two probabilities and the cost at each iteration of the search", subject(trace))
    with right:
        st.header("Looking at one token alone")
        st.caption(
            "All weight on a single source token: the token that would be written, and the probability of "
            f"“{plain_markdown(token_label(asked.text))}”. Any other weights mix these."
        )
        plot(
            corners(trace, asked),
            "corners",
            f"Probability of “{token_label(asked.text)}” with each token alone",
            subject(trace),
        )


def penalties(question: Question, step: int, token: int) -> None:
    """Show the same search with every penalty on offer."""
    with st.expander("What the penalty does", key="penalties", on_change="rerun") as opened:
        if not opened.open:
            return
        st.caption("For each penalty the weights with the lowest objective, −log p + λ · KL.")
        bar, rows = st.progress(0.0, "Searching"), []
        for count, penalty in enumerate(PENALTIES, start=1):
            subject = question.model, question.sentence, question.given
            rows.append(attention_search(*subject, step, token, penalty))
            bar.progress(count / len(PENALTIES), f"Searched with λ = {penalty:g}")
        bar.empty()
        table(by_penalty(rows), "The search with each penalty")


asked = begin("attention_search")
model = any_readable(asked.model)
question_heading(
    asked,
    "Which attention would change the word?",
    "Choose a word that the model did not write. A search looks for attention that makes it the likeliest, and "
    "reports its cost, or that it found none.",
)
fields(model)
question = question_or_stop(asked, model)
translation = any_trace(question.model, question.sentence, question.given)
if heads := many_heads(model.config):
    st.caption(f"{heads} {TOLD['searched']}")
study(model, translation, question)
st.header("What this shows, and what it does not")
st.markdown("\n".join(f"- {sentence}" for sentence in conclusions(model.config)))
