"""Inputs: the word a visitor wants, and the penalty for departing from the model's own attention."""

import streamlit as st

from regard.app.figures.attention_search import share
from regard.app.ui.widgets import errors_shown
from regard.app.wording import plain_markdown
from regard.model.alignment import token_label
from regard.model.analysis.attention_search import PENALTY
from regard.model.changes.rewording import tokens_of
from regard.model.checkpoint import AnyModel
from regard.model.readable import language
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace

PENALTIES = (0.0, 0.01, 0.03, PENALTY, 0.3, 1.0, 3.0, 10.0)
WORD_CHARACTERS = 40  # characters of a typed word
WORD, WANTED, LAMBDA = "word", "wanted", "penalty"  # keys, and names in the link


def choose_word(model: AnyModel, trace: AnyTrace, step: int) -> tuple[int, ...]:
    """Return the tokens of one of the step's likeliest alternatives, or of a typed word; unreadable text is
    reported.
    """
    state, offered = st.session_state, _alternatives(trace, step)
    left, right = st.columns([3, 1])
    typed = right.text_input(
        "Or any other",
        key=WORD,
        bind="query-params",
        max_chars=WORD_CHARACTERS,
        placeholder=f"A word in {language(model.tokenizer.languages[1])}",
    )[:WORD_CHARACTERS]
    if typed.strip() or state.get(WANTED) not in offered:
        state[WANTED] = None if typed.strip() else next(iter(offered))
    chosen = left.pills(
        "Which word should the model write here?",
        list(offered),
        key=WANTED,
        bind="query-params",
        wrap=True,
        format_func=lambda token: offered.get(token, str(token)),
        on_change=lambda: state.update({WORD: ""}),
    )
    return _read(model, trace, step, typed) or (chosen or next(iter(offered)),)


def choose_penalty() -> float:
    """Choose λ of the search."""
    return st.select_slider(
        "Penalty λ for departing from the model's own attention",
        PENALTIES,
        PENALTY,
        format_func=lambda penalty: f"{penalty:g}",
        key=LAMBDA,
        bind="query-params",
        help=(
            "With 0, the token becomes as likely as possible, whatever it takes. The higher λ, the closer the weights "
            "stay to the model's own."
        ),
    )


def _alternatives(trace: AnyTrace, step: int) -> dict[int, str]:
    """Return the likeliest tokens but the first, with their probabilities."""
    rows = zip(trace.top_ids[step].tolist(), trace.top_tokens[step], trace.top_probabilities[step], strict=True)
    listed = [
        (token, f"{plain_markdown(token_label(text))} {share(float(probability))}")
        for token, text, probability in rows
        if token >= STOP
    ]
    return dict(listed[1:])


def _read(model: AnyModel, trace: AnyTrace, step: int, typed: str) -> tuple[int, ...]:
    """Tokenize the typed word; no tokens if it is empty or unreadable."""
    if typed.strip():
        with errors_shown():
            return tokens_of(model.tokenizer, trace.target_ids[:step].tolist(), typed, step)
    return ()
