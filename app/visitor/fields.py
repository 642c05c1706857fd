"""Fields of the question: the sentence, a translation to force, the model, the languages, sentences to try."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

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

FORCE = "force"  # key of the popover
ROOM = 20_000  # characters that a field accepts; text longer than SENTENCE_CHARACTERS is refused with a message


def slim_fields(model: AnyModel, question: Question) -> None:
    """Draw the fields beside the sentence's in its row, the translation to force behind a button."""
    model_field(question)
    attention_switch(question)
    forced = bool(question.given)
    with st.popover(
        "Force a translation",
        icon=f":material/{'edit_note' if forced else 'edit'}:",
        type="secondary" if forced else "tertiary",
        width="content",
        key=FORCE,
        on_change="rerun",  # so that it can be closed from here
    ):
        given_field(model)


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
    if FORCE in state:
        state[FORCE] = False


def model_field(question: Question) -> None:
    """Draw the choice of a model for the same sentence, if there are several."""
    names = names_on(visit().screen)
    if len(names) > 1:
        known = titles()
        called = {name: on_its_own(known.get(name, name)) for name in names}
        st.session_state.model = question.model
        st.selectbox(
            "Model",
            names,
            format_func=called.__getitem__,
            key="model",
            on_change=lambda: use(st.session_state.model),
            label_visibility="collapsed",
            width=264,
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
            help="Off: a model without attention translates the sentence, from two lists of fixed length.",
        )


def languages_field(question: Question) -> None:
    """Draw the choice of languages, on screens that compare models, if there are models of several."""
    names = names_on(visit().screen)
    first = {languages(name): name for name in reversed(names)}
    pairs = [pair for name in names if (pair := languages(name)) and first[pair] == name]
    if len(pairs) > 1:
        st.session_state.languages = languages(question.model) or pairs[0]
        st.selectbox(
            "Languages",
            pairs,
            format_func=between,
            key="languages",
            on_change=lambda: use(first[st.session_state.languages]),
            label_visibility="collapsed",
            width=220,
        )


def tried(model: AnyModel) -> DeltaGenerator:
    """Draw a row of sentences to try, and return the place at its end."""
    offered = to_try(model)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="examples"):
        st.html(f'<p class="about">{"Try" if offered else "&nbsp;"}</p>', width="content")
        for label, sentence in offered.items():
            shown, full = plain_markdown(label), plain_markdown(sentence)
            st.button(shown, type="tertiary", help=full, on_click=ask, args=(sentence,))
        if visit().screen == "translate" and model.tokenizer.languages == LANGUAGES:
            break_it()
        return st.container(key="again-part")


def asked_before() -> None:
    """Draw the link to the question's diagnosis, earlier sentences, and how the last one was read."""
    question = visit().question
    if visit().screen == "translate" and (failure := failure_of(question.sentence, question.model)):
        asked = {"sentence": failure.sentence, "given": failure.given}
        named = {"model": failure.model} if failure.model != model_names()[0] else {}
        st.page_link(script("why"), label="Why?", icon=":material/contact_support:", query_params=asked | named)
    if earlier := visit().recent:
        st.menu_button(
            "recent",
            range(len(earlier)),
            format_func=lambda index: plain_markdown(earlier[index]),
            type="tertiary",
            key="again",
            on_click=_again,
        )
    read_chip()


def break_it() -> None:
    """Draw the menu of sentences that a shipped model gets wrong."""
    known = [failure for failure in failures() if failure.model in model_names()]
    if not known:  # Streamlit refuses a menu without options
        return
    st.menu_button(
        "Break it",
        range(len(known)),
        format_func=lambda index: known[index].label,
        type="tertiary",
        key="break",
        on_click=lambda: _break(known[st.session_state["break"]]),
    )


def _break(failure: Failure) -> None:
    """Ask the failing model to translate a sentence, at the step where it departs from a right translation."""
    if failure.model != visit().question.model:
        use(failure.model)
    ask(failure.sentence, as_typed=True)
    own, right = (any_trace(failure.model, failure.sentence, given) for given in ("", failure.given))
    if (step := parting_step(own, right)) is not None:
        visit().question = replace(visit().question, step=step + 1)


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


def _again() -> None:
    ask(visit().recent[st.session_state.again])
    st.rerun()
