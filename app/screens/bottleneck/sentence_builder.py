"""The sentence builder: a field with one clause per line, and the translations at every length."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from regard.app.components.stepper.payload import Head
from regard.app.figures.heatmap import contexts, full_colour, largest_change
from regard.app.figures.measures import growth
from regard.app.models.models import any_pretrained, title, usual_length
from regard.app.theme import component
from regard.app.ui.growing_sentence import (
    LONGEST_TEXT,
    Grown,
    added,
    entries,
    grown,
    in_threes,
    lines,
    opening,
    sentence,
    shortened,
    unused,
)
from regard.app.ui.plots import page_download, plot
from regard.app.visitor import suggestions
from regard.app.visitor.sentence_input import ask, link, visit, went_back
from regard.app.wording import CLAUSES, many_heads, plain_markdown, remark
from regard.model.trace import AnyTrace

JOINED = " For a Transformer, the context is the output of the last layer's cross-attention, all heads joined."


@st.fragment
def builder(names: list[str]) -> None:
    """Draw the growing sentence, its translations, and how sure the models are."""
    model, titles = any_pretrained(names[0]), [title(name) for name in names]
    with st.container(key="lengthening"):
        figure, translations = st.columns([2, 3], gap="large")
    writing, told = st.columns([2, 3], gap="large")
    with writing:
        text = write_sentence(names)
    st.session_state.grown = text
    link(visit().question)
    made, wrong = grown(lines(text), names)
    with translations:
        if wrong:
            st.warning(wrong)
        elif not made:
            st.info("Nothing to read yet: write a sentence in the first line.")
        if not made:
            return
        st.html(entries(made, titles))
    with figure:
        sureness(made, titles)
    newest = made[-1]
    with writing:
        source = model.tokenizer.languages[0]
        read = remark(model.tokenizer, model.tokenizer.encode(newest.sentence, source), usual_length(model.name))

        st.html(f'<p class="about">{escape(read) or "&nbsp;"}</p>')
    with told:
        what_is_given(made[-1].traces, titles)
        page_download(newest.traces, "bottleneck", [Head(name) for name in titles])


def write_sentence(names: list[str]) -> str:
    """Draw the field with one clause per line and buttons that add and remove lines; return its text."""
    clauses, languages = _clauses(names[0]), any_pretrained(names[0]).tokenizer.languages
    first, state = opening(clauses), st.session_state
    if state.get("growing", languages) != languages:
        state.clauses = state.grown = ""
        if visit().question.sentence == suggestions.opening(names[0]):  # nobody entered it: it came with the languages
            ask(sentence(first))
    state.growing = languages
    asked = visit().question.sentence
    plain = first if visit().unasked or asked == sentence(first) else asked
    state.clauses = _held(plain)
    text = st.text_area(
        "A sentence that grows, one clause per line",
        plain,  # the meaning of a link without clauses, also after Back
        key="clauses",
        bind="query-params",
        height=216,
        max_chars=LONGEST_TEXT,
        on_change=lambda: _put(st.session_state.clauses),
        help="Change any line or write your own. Press Ctrl+Enter, or click elsewhere, to translate.",
    )
    if text != plain and sentence(text) != asked:  # the link's own lines, also after Back
        ask(sentence(text))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="lines"):
        st.button("Remove the last", on_click=_put, args=(shortened(text),), icon=":material/undo:")
        st.button("Start again", on_click=_put, args=(first,), icon=":material/restart_alt:")
        st.page_link(
            "screens/compare/screen.py",
            label="Open in Compare",
            icon=":material/view_column:",
            query_params=[("sentence", sentence(text)), *(("models", title(name)) for name in names)],
        )
    if offered := unused(text, clauses):
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="offers"):
            st.html('<p class="about">Add</p>', width="content")
            for place, clause in enumerate(offered):  # a key by place: the focus stays for the next one
                st.button(clause, type="tertiary", key=f"offer-{place}", on_click=_put, args=(added(text, clause),))
    return text


def _clauses(name: str) -> Sequence[str]:
    """Return the clauses on offer: chosen for the languages, or pieces of a sequence of symbols."""
    model = any_pretrained(name)
    return CLAUSES.get(model.tokenizer.languages) or in_threes(suggestions.long_sequence(model.tokenizer))


def _held(plain: str) -> str:
    """Return the lines from the field, the link or the session, unless another sentence was entered since; from the
    link alone after Back."""
    state, now = st.session_state, visit()
    here = {} if went_back() else state
    kept = [here.get("clauses"), st.query_params.get("clauses"), here.get("grown")]
    return next((text for text in kept if text and (now.unasked or sentence(text) == now.question.sentence)), plain)


def _put(text: str) -> None:
    """Set other lines; the sentence they make becomes the question of all screens."""
    st.session_state.clauses = text
    ask(sentence(text))


def sureness(made: list[Grown], titles: list[str]) -> None:
    """Draw how sure and how alike the models are, by the length of the sentence."""
    what = "How sure each is, and how alike" if len(titles) > 1 else "How sure the model is"
    st.html(f'<p class="about">{what}, as the sentence grows</p>')
    traces = [(name, [one.traces[place] for one in made]) for place, name in enumerate(titles)]
    alike = [one.alike for one in made] if len(titles) > 1 else []
    alt = "Probability per token of each model's own translation, and words in common, by source words"
    plot(growth([one.words for one in made], traces, alike), "growth", alt)


def what_is_given(newest: Sequence[AnyTrace], titles: list[str]) -> None:
    """Draw the contexts of the longest sentence."""
    moves = " and ".join(
        f"{component(largest_change(trace.attention_output))} with {plain_markdown(name)}"
        for name, trace in zip(titles, newest, strict=True)
    )
    sizes = " or ".join(dict.fromkeys(str(trace.attention_output.shape[1]) for trace in newest))
    heads = any(many_heads(any_pretrained(trace.maker.name).config) for trace in newest)
    st.markdown(
        f"**What the decoder is given.** Each row of colours is the context of one step, {sizes} numbers. From one "
        f"step to another a number changes by up to {moves}.{JOINED if heads else ''}"
    )
    scale = full_colour(newest)
    columns = st.columns(len(titles), gap="medium")
    for name, trace, place, column in zip(titles, newest, ("with", "without"), columns, strict=False):
        with column:
            st.html(f'<p class="about">Contexts, step by step: {escape(name)}</p>')
            plot(contexts(trace, scale), f"contexts-{place}", f"The context of each step of {name}: a row of colours")
