"""Fields of the question: the sentence, a translation to force, the model, the languages, sentences to try."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Literal, TypeVar

import streamlit as st

from regard.app.models.models import attends, titles, with_attention, without_attention
from regard.app.models.registry import languages, model_names
from regard.app.models.traces import any_trace
from regard.app.navigation import script
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import ask, names_on, read_and_ask, use, visit
from regard.app.visitor.suggestions import LANGUAGES, Failure, failure_of, failures, to_try
from regard.app.wording import between, invitation, on_its_own, plain_markdown, sentence_label
from regard.model.analysis.model_preference import parting_step
from regard.model.checkpoint import AnyModel
from regard.model.readable import language
from regard.model.words import normalise, visible_note

MORE = "more"  # key of the popover with the field for a translation to force
ROOM = 20_000  # characters that a field accepts; text longer than SENTENCE_CHARACTERS is refused with a message


def entered(field: Literal["sentence", "given"] = "sentence") -> str:
    """Return the text in a field, or the question's text where the field is not drawn (yet)."""
    return st.session_state.get(field, getattr(visit().question, field))


def _fill(field: Literal["sentence", "given"]) -> None:
    """Fill a text field with the question's text if the last run did not draw it: Streamlit forgets its text then. A
    text set in an earlier run would not be shown: a browser shows a new field with what the same run sets."""
    st.session_state.setdefault(field, getattr(visit().question, field))


def _ask() -> None:
    ask(entered())


def sentence_field(
    model: AnyModel, label: Literal["visible", "collapsed"] = "visible", asked: Callable[[], None] = _ask
) -> None:
    """Draw the text field; the entered text becomes the question.

    A visitor who returns to another server may have typed into the old page, which the link does not know yet.
    """
    source, now = model.tokenizer.languages[0], visit()
    if not now.returning:
        _fill("sentence")
    typed = st.text_input(
        sentence_label(source),
        now.question.sentence if now.returning else "",
        key="sentence",
        placeholder=invitation(source),
        max_chars=ROOM,
        label_visibility=label,
        on_change=asked,
    )
    if now.returning and typed != now.question.sentence:
        read_and_ask(typed, "", False)
        st.rerun()


def given_field(model: AnyModel, label: str = "", shown: Literal["visible", "collapsed"] = "visible") -> None:
    """Draw the field for a translation to force, with its usual label or this one."""
    target = language(model.tokenizer.languages[1])
    _fill("given")
    st.text_input(
        label or f"Force a translation ({target}, optional)",
        key="given",
        placeholder=f"See how likely the model finds your {target}",
        max_chars=ROOM,
        on_change=_force,
        label_visibility=shown,
        help=f"The decoder is fed your {target} instead of its own; every number is for your words.",
    )


def _force() -> None:
    """Ask with the forced translation, and close the popover in which it was typed, which would hide the result."""
    state = st.session_state
    ask(entered(), entered("given"))
    if MORE in state:
        state[MORE] = False


def model_field(question: Question) -> None:
    """Draw the choice of a model for the same sentence, if there are several."""
    known = titles()
    called = {name: on_its_own(known.get(name, name)) for name in names_on(visit().screen)}
    if len(called) > 1:
        _select("Model", called, question.model, use, 264)


Option = TypeVar("Option")


def _select(label: str, options: dict[Option, str], now: Option, use: Callable[[Option], None], width: int) -> None:
    """Draw a list without a label, and call `use` with what is chosen in it."""
    key = label.lower()
    st.session_state[key] = now
    st.selectbox(
        label,
        list(options),
        format_func=options.__getitem__,
        key=key,
        on_change=lambda: use(st.session_state[key]),
        label_visibility="collapsed",
        width=width,
    )


def attention_switch(question: Question) -> None:
    """Draw the switch that translates the same sentence without attention, if there is a model for it."""
    state, without = st.session_state, without_attention(question.model)
    on = attends(question.model)
    if on:
        visit().attentive_model = question.model
    earlier = visit().attentive_model
    back = earlier if earlier in model_names() else with_attention(without)
    if without and back:
        state.attends = on
        st.toggle(
            "Attention",
            key="attends",
            on_change=lambda: use(back if st.session_state.attends else without),
        )


def languages_field(question: Question) -> None:
    """Draw the choice of languages, on screens that compare models, if there are models of several."""
    first: dict[tuple[str, str], str] = {}
    for name in names_on(visit().screen):
        if pair := languages(name):
            first.setdefault(pair, name)
    if len(first) > 1:
        now = languages(question.model) or next(iter(first))
        _select("Languages", {pair: between(pair) for pair in first}, now, lambda pair: use(first[pair]), 220)


def examples_menu(model: AnyModel) -> None:
    """Draw the menu of sentences to try, of those asked before and, on Translate, of those that a model gets wrong."""
    offered: dict[str, str | Failure] = {}
    for name, sentence in to_try(model).items():
        offered[sentence if sentence.startswith(name.rstrip("…")) else f"{name}: {sentence}"] = sentence
    offered |= {sentence: sentence for sentence in visit().recent if sentence not in offered.values()}
    if visit().screen == "translate" and model.tokenizer.languages == LANGUAGES:
        known = (failure for failure in failures() if failure.model in model_names())
        offered |= {f"Break it: {failure.label}": failure for failure in known}
    labels = list(offered)
    if labels:  # Streamlit refuses a menu without options
        st.menu_button(
            "Examples",
            range(len(labels)),
            format_func=lambda place: plain_markdown(labels[place]),
            type="tertiary",
            key="try",
            on_click=lambda: _try(offered[labels[st.session_state["try"]]]),
        )


def _try(chosen: str | Failure) -> None:
    """Ask a sentence; the failing model translates a failure, at the step where it departs from a right translation."""
    if isinstance(chosen, str):
        ask(chosen)
        return
    if chosen.model != visit().question.model:
        use(chosen.model)
    ask(chosen.sentence, as_typed=True)
    own_trace, right = (any_trace(chosen.model, chosen.sentence, given) for given in ("", chosen.given))
    if (step := parting_step(own_trace, right)) is not None:
        visit().question = replace(visit().question, step=step + 1)


def why_link() -> None:
    """Draw the link to the question's diagnosis, if a failure is known."""
    question = visit().question
    if failure := failure_of(question.sentence, question.model):
        asked = {"sentence": failure.sentence, "given": failure.given}
        named = {"model": failure.model} if failure.model != model_names()[0] else {}
        st.page_link(script("why"), label="Why?", icon=":material/contact_support:", query_params=asked | named)


def read_chip() -> None:
    """Show how the sentence was read if it differs from what was typed, with a button to keep it as typed; invisible
    characters are never kept. A forced translation is shown as read if it has some, or other forms of letters.
    """
    typed, read = visit().typed, visit().question.sentence
    _, target = languages(visit().question.model) or ("", "")
    if note := visible_note(entered("given"), target):
        given = escape(normalise(entered("given"), target))
        st.html(f'<p class="about" data-testid="given-read-as">Forced as “{given}” ({note})</p>', width="content")
    if typed and typed == entered():
        language, _ = languages(visit().question.model) or ("", "")
        note = f" ({escape(visible_note(typed, language))})" if visible_note(typed, language) else ""
        chip = f'<p class="about" data-testid="read-as" title="{escape(read)}">Read as “{escape(read)}”{note}</p>'
        st.html(chip, width="content")
        if normalise(typed, language) != read:
            st.button("Keep mine", type="tertiary", key="keep", on_click=_keep)


def _keep() -> None:
    ask(visit().typed, entered("given"), True)
    st.rerun()
