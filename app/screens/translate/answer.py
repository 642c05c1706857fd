"""The answer: the translation in large letters, and above it the one before a change, or with attention.

A model that has a memory translates with its help on request: its share in each next token is the λ of kNN-MT.
"""

from html import escape

import streamlit as st

from regard.app.components.stepper.payload import gain, language_tag
from regard.app.models.models import any_pretrained, attends, doubt, with_attention
from regard.app.models.traces import any_trace
from regard.app.theme import component, percent
from regard.app.visitor.question import Question
from regard.app.wording import compared, counted, listed, marked, out_of_ten
from regard.model.changes.marks import change_texts
from regard.model.trace import AnyTrace

BLIND = (
    "This is another model, trained without attention: it could not look back at any word, and got the same summary at "
    "every step."
)


def answer(question: Question, before: AnyTrace, shown: AnyTrace) -> None:
    """Show the translation, large, with its probability and why it ended; or under the one that it differs from."""
    target, other = shown.alignment.target, compared_with(question, before, shown)
    language = f'lang="{language_tag(target.language)}" dir="auto"'
    forced = bool(question.given) or helps(question, shown)
    own = shown is before and not forced  # the estimate holds only for a model's own translations
    facts = _facts(question, shown, own, changed=shown is not before)
    if other:
        name, shown_name, text, why = other
        lost, written = compared(text, shown.text, "s")
        rows = (
            f'<span class="side">{name}</span><p class="was" {language} data-testid="before">'
            f'{lost or "—"}</p><span class="side">{shown_name}</span>'
        )
        note = escape(f"{why} {shown.carried_note}".strip())
    else:
        rows, note = "", facts.replace(" ·", "\N{NO-BREAK SPACE}·")  # no line begins with the dot
        written = marked(shown, doubtful=own)
    st.html(
        f'<div class="answer{" compared" if other else ""}"><div class="texts">{rows}<p class="translation" {language} '
        f'role="region" aria-label="Translation">{written or "—"}</p></div>'
        f'<div class="facts" title="{facts}"><p class="about">{note}</p></div></div>'
    )


def _facts(question: Question, shown: AnyTrace, own: bool, changed: bool) -> str:
    fit = doubt(question.model) if own else None
    helped = helps(question, shown)
    who = memory_note(question) if helped else "a given translation" if question.given else "the model's translation"
    parts = (
        out_of_ten(fit.of(shown)) if fit else "",
        "stopped at the limit before the model ended the sentence" if shown.stop == "limit" else "",
        escape(shown.carried_note),
        who + (", with what you changed" if changed else ""),
        f"log-probability {component(shown.log_probability)}, probability per token {percent(shown.mean_probability)}",
        counted(len(shown.target), "token"),  # a narrow page cuts off the last
    )
    return " · ".join(filter(None, parts))


def compared_with(question: Question, before: AnyTrace, shown: AnyTrace) -> tuple[str, str, str, str] | None:
    """Return a translation to compare with, that before the changes, without the memory, or with attention: its name,
    the name of the one on screen, its text, and why the two differ; None if there is none."""
    if shown is not before:
        gained, by = gain(before, shown)
        why = f"{consequence(question, before, shown)} Log-probability {gained}: {by}."
        return "before", "after", before.text, why
    if helps(question, shown):
        alone = any_trace(question.model, question.sentence, "").text
        why = memory_note(question)
        return "the model alone", "with memory", alone, f"{why[0].upper()}{why[1:]}."
    attending = "" if question.given or attends(question.model) else with_attention(question.model)
    if not attending:
        return None
    return "with attention", "without", any_trace(attending, question.sentence, "").text, BLIND


def consequence(question: Question, before: AnyTrace, shown: AnyTrace) -> str:
    """Say in a sentence what the decoder could not see, or what else was changed."""
    source, hidden = shown.alignment.source, set(shown.intervention.hidden)
    if hidden:
        words = dict.fromkeys(source.words[source.word_of[position]] for position in sorted(hidden))
        return f"The decoder could not see {listed([f'“{word}”' for word in words], 'or')}."
    texts = change_texts(any_pretrained(question.model).tokenizer, question.sentence, before, shown)
    return f"You changed: {'; '.join(text for text, _ in texts)}."


def helps(question: Question, shown: AnyTrace) -> bool:
    """Return True if the memory influenced the translation on screen."""
    return question.memory > 0 and not question.given and shown.stop == "forced"


def memory_note(question: Question) -> str:
    """Return the line that says how much memory was in a translation."""
    return f"written with {question.memory:.0%} memory; the probabilities are the model's own"
