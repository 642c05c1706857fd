"""The answer: the translation in large letters, its probability, why it ended, and the translation before a change."""

from html import escape

import streamlit as st

from regard.app.components.stepper.labels import gain, language_tag
from regard.app.models.models import attends, doubt, title, with_attention
from regard.app.models.traces import any_trace
from regard.app.screens.translate.memory_share import by_the_model_alone, helps, told
from regard.app.theme import component, percent
from regard.app.visitor.question import Question
from regard.app.wording import counted, lost_marked, out_of_ten, weakest_marked
from regard.model.trace import AnyTrace


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
    written = weakest_marked(shown) if own else escape(target.text)
    ended = "stopped at the limit before the model ended the sentence" if shown.stop == "limit" else ""
    who = told(question) if helped else "a given translation" if given else "the model's translation"
    if shown is not before:
        who += ", with what you changed"
    was = otherwise(question, before, shown)
    parts = (doubted, ended, who, likely, counted(len(shown.target), "token"))  # a narrow page cuts off the last
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
    target = any_trace(other, question.sentence, "").alignment.target
    return (
        f'<p class="about" data-testid="with-attention">with attention ({escape(title(other))}): '
        f'<span lang="{target.language}" dir="auto">{lost_marked(target.text, shown.text)}</span></p>'
    )
