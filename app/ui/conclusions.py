"""Conclusions about attention that the numbers of one translation allow, and those they do not, in plain words; and
the ways in which the source reaches the word written, shown by feeding one translation to two sentences."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from regard.app.models.models import any_pretrained
from regard.app.models.traces import any_trace
from regard.app.theme import component
from regard.app.visitor.suggestions import to_try
from regard.app.wording import SOURCE_IN_STATE, counted, plain_markdown
from regard.model.analysis.claims import apart
from regard.model.config import AnyConfig
from regard.model.trace import AnyTrace

MOST, FEW = 2 / 3, 1 / 3  # shares of words from which on "most", and up to which "few" stay
LARGELY, PARTLY = 0.5, 0.2  # Kendall's τ from which on two orders agree to this degree
ENDS = (
    "This model has no attention: at every step the first and the last annotation weigh one half each. Exchanging "
    "weights only says what each of the two ends carries; nothing here is about attention."
)
ENOUGH = "an even mixture of the annotations was enough for every one of them."
NEVER_ENOUGH = "an even mixture of the annotations was not enough for any of them."
LIMITS = (
    "These numbers cannot show that a source word does not matter just because its weight can be moved. "
    "Every annotation was made from the whole sentence, so the same thing can be found at several of them.",
    "“Explanation” has several meanings. Whether a person finds the weights convincing is one question; whether the "
    "model would have acted differently without them is another. The numbers here are about the second. Whether "
    "attention explains depends on which is meant (Wiegreffe and Pinter 2019).",
)


def conclusions(measures: Mapping[str, Any], config: AnyConfig) -> list[str]:
    """Say what follows from a translation's `AttentionFaithfulness.scores()`."""
    if not config.attends:
        return [ENDS, *LIMITS]
    words, kept = measures["words"], measures["kept"]
    return [
        *(_exchanged(kept, words) if words else ()),
        *_ranked(measures["tau"]),
        *LIMITS,
    ]


def _exchanged(kept: Mapping[str, int], words: int) -> list[str]:
    """Say how many words stay under each test, and what that test alone shows."""
    even, moved, last, alone, without = (
        kept[name] for name in ("uniform", "permuted", "last position", "only the maximum", "all but the maximum")
    )
    return [
        f"**Even weights.** Taken one step at a time, with the same weight on every token, {_stay(even, words)}: "
        + _choose(
            even / words,
            "for most of them, an even mixture of the annotations was enough." if even < words else ENOUGH,
            "an even mixture of the annotations was enough for some of them and not for others.",
            "an even mixture of the annotations was not enough for the others." if even else NEVER_ENOUGH,
        ),
        f"**The same weights elsewhere.** With the model's own weights in another order (seed 0), "
        f"{_stay(moved, words)}; with all weight on the last token, {_stay(last, words)}. "
        + _choose(
            max(moved, last) / words,
            "By at least one of these two tests, where the weights lay mattered little.",
            "Where the weights lay mattered for some words.",
            "By both tests, where the weights lay mattered for most words.",
        ),
        f"**The heaviest token.** Looking only at the token with the greatest weight, {_stay(alone, words)}; looking "
        f"everywhere but there, {_stay(without, words)}. "
        + _choose(
            without / words,
            "So most words do not need that token.",
            "So some words need that token, and others do not.",
            "So most words need that token.",
        ),
    ]


def _ranked(taus: Mapping[str, float | None]) -> list[str]:
    """Say how two measures order the tokens, and what a heavy weight is a sign of by them; neither is the truth."""
    gradient, leaving = taus["gradient_by_input"], taus["leave_one_out"]
    if gradient is None or leaving is None:
        return []
    advice = "Whether a heavy weight is a sign here that a token matters stays open."
    if min(gradient, leaving) >= LARGELY:
        advice = "By both, a heavy weight is mostly a sign that a token matters."
    elif max(gradient, leaving) < PARTLY:
        advice = "By neither is a heavy weight a reliable sign here that a token matters."
    return [
        f"**Two other measures.** The order of the weights {_agrees(gradient)} that of gradient × input "
        f"(mean τ {component(gradient)}), and {_agrees(leaving)} that of leaving a token out "
        f"(mean τ {component(leaving)}). {advice}"
    ]


def _agrees(tau: float) -> str:
    """Say how far an order agrees with another, up to the name of the other."""
    if tau >= PARTLY:
        return f"agrees {'largely' if tau >= LARGELY else 'in part'} with"
    return "hardly agrees with" if tau > -PARTLY else "does not agree at all with"


def _choose(share: float, most: str, some: str, few: str) -> str:
    return most if share >= MOST else some if share > FEW else few


def _stay(kept: int, words: int) -> str:
    return f"{kept} of {counted(words, 'word')} {'stays' if kept == 1 else 'stay'}"


ONLY = "Attention is its only way to the source."
NOT_LOOKING = "This model has no attention: every step gets the same mean of the first and the last annotation."


def known(name: str) -> str:
    """Say what this model's decoder state knows of the source."""
    config = any_pretrained(name).config
    channel = SOURCE_IN_STATE[config.source_in_state]
    if not config.attends:
        return f"{NOT_LOOKING} {channel}"
    return f"{channel} {ONLY}" if config.source_in_state == "never" else channel


def fed_alike(translation: AnyTrace, name: str) -> None:
    """Feed the translation to the decoder of another sentence too, and show how far states and contexts differ."""
    sentence, written = translation.alignment.source.text, translation.text
    other = next((each for each in to_try(any_pretrained(name)).values() if each != sentence), "")
    if not other or not written:
        return
    differences = apart(any_trace(name, sentence, written), any_trace(name, other, written))
    states = (
        f"its states differ by up to **{number(differences.states)}**, although every word it was fed is the same"
        if differences.states
        else "its states differ by **exactly 0.0**: not one number of them has changed"
    )
    st.markdown(
        f"The same words for two sentences: the model reads “{plain_markdown(sentence)}”, then "
        f"“{plain_markdown(other)}”, and both times its decoder is fed “{plain_markdown(written)}”. Over all steps, "
        f"{states}. The contexts differ by up to **{number(differences.contexts)}**."
    )


def number(value: float) -> str:
    """Format with two decimals, or in powers of ten if they would all be zeros."""
    return component(value) if value >= 0.005 or not value else f"{value:.0e}"
