"""Choices about the translation on view: a step by its token, a Transformer's head, and how rows are read."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from regard.app.models.analyses import afterwards
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import visit
from regard.app.wording import plain_markdown
from regard.model.alignment import AFTER, READ_AS, Posterior, token_label
from regard.model.config import AnyConfig
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.transformer import TransformerConfig
from regard.model.word_alignment.from_attention import MEAN, CrossHead

KEY = "cross_head"
ONLY = CrossHead(MEAN, MEAN)  # the choice for a network with a single attention


def choose(label: str, places: range, first: int, key: str, shown: Callable[[int], str]) -> int:
    """Choose a place, from 0, labelled by number and Markdown; `first` if the link names none."""
    state = st.session_state
    if state.get(key, 0) not in places:
        state[key] = first
    state.setdefault(key, first)
    chosen = st.pills(
        label,
        places,
        required=True,
        key=key,
        bind="query-params",
        wrap=True,
        label_visibility="collapsed",
        format_func=lambda place: f"{place + 1} {shown(place)}",
    )
    if chosen is None:  # after going back to a link without one
        del state[key]
        st.rerun()
    return chosen


def choose_step(trace: AnyTrace, question: Question, opening: int) -> int:
    """Choose the step to view, from 0 and at first `opening`: by its token, or by the arrow keys."""
    state, steps = st.session_state, range(len(trace.target))
    subject = question.model, question.sentence, question.given
    if state.setdefault("explained", subject) != subject:
        state.explained, state.token = subject, opening
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="stepping"):
        label = "Step: choose it by its token, or by the arrow keys"
        step = choose(label, steps, opening, "token", lambda step: as_markdown(trace.target[step]))
        for name, key, to in (("Previous step", "Left", step - 1), ("Next step", "Right", step + 1)):  # for the keys
            move = partial(state.update, token=to)
            st.button(name, on_click=move, shortcut=key, disabled=to not in steps, key=f"step-{key}")
    return step


def as_markdown(token: str) -> str:
    """Return a token as a person reads it, with every punctuation mark escaped."""
    return plain_markdown(token_label(token))


def head_field(config: AnyConfig) -> CrossHead:
    """Choose a Transformer's head, the mean of a layer's heads (at first the last layer's) or of all."""
    if not isinstance(config, TransformerConfig):
        return ONLY
    names = head_names(config)
    usual = CrossHead(config.decoder_layers - 1, MEAN)
    if st.session_state.get(KEY, usual) not in names:  # chosen for another model, which has more heads
        del st.session_state[KEY]
    return st.selectbox(
        "Cross-attention",
        list(names),
        list(names).index(usual),
        format_func=names.__getitem__,
        key=KEY,
        bind="query-params",
        width=230,
    )


def head_names(config: TransformerConfig) -> dict[CrossHead, str]:
    """Return the names of the heads, layer by layer."""
    names = {}
    for layer in range(config.decoder_layers):
        names |= {CrossHead(layer, head): f"layer {layer + 1}, head {head + 1}" for head in range(config.heads)}
        names[CrossHead(layer, MEAN)] = f"layer {layer + 1}, mean of the heads"
    return {**names, CrossHead(MEAN, MEAN): "mean of all heads"}


def hear_rows(sent: str) -> None:
    """Set how rows are read from the browser's message; unknown values change nothing."""
    state = visit()
    if sent in READ_AS:
        state.question = replace(state.question, rows=sent)
        state.answered = state.answered and replace(state.answered, rows=sent)


def asked_for(traces: Sequence[AnyTrace]) -> list[Posterior]:
    """Return the posterior of each trace if it is chosen, else none: it takes as long as the translation or longer. It
    is defined for a single attention; traces with many heads have none."""
    recurrent = [trace for trace in traces if isinstance(trace, Trace)]
    chosen = visit().question.rows == AFTER and len(recurrent) == len(traces)
    return [afterwards(trace) for trace in recurrent] if chosen else []
