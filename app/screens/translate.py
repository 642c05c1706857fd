"""Translate: one sentence, every step of the decoder and every number of it."""

from collections.abc import Callable
from html import escape

import plotly.graph_objects as go
import streamlit as st

from app.arithmetic import arithmetic
from app.figures.composition import composition
from app.figures.heatmap import heatmap
from app.loaders import card, model_names, pretrained, trace, usual_length
from app.session import Question, opening_step
from app.stepper import stepper
from app.theme import component, percent
from app.wording import EXAMPLES, UNSURE, language, plain_markdown, problem, remark
from model.archive import to_json, to_npz, weights_csv
from model.checkpoint import Pretrained
from model.quantity import token_label
from model.trace import Trace

RECENT = 8  # sentences remembered for a visitor


def ask(sentence: str, given: str = "") -> None:
    """Make this the question, and show it in the fields."""
    state = st.session_state
    state.question = state.question.ask(sentence, given)
    state.sentence, state.given, state.opened = sentence, given, ()


def begin() -> Question:
    """The question so far; a visitor who has just come brings it in the link."""
    state = st.session_state
    if "question" not in state:
        state.question = Question.from_link(st.query_params, model_names())
        state.sentence, state.given, state.opened = state.question.sentence, state.question.given, ()
        state.recent, state.linked = [], state.question
    return state.question


@st.dialog("About the model", width="large")
def about(name: str) -> None:
    """Its card: what it was trained on, how well it translates, and what it is not for."""
    st.markdown(card(name))


def fields(model: Pretrained) -> None:
    """The two text fields and the row of examples."""
    source, target = map(language, model.tokenizer.languages)
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    left.text_input(
        f"{source} sentence",
        key="sentence",
        placeholder=f"Type a sentence in {source} and press Enter",
        on_change=lambda: ask(st.session_state.sentence),
    )
    right.text_input(
        f"Your own {target} (optional)",
        key="given",
        placeholder=f"See how likely the model finds your {target}",
        on_change=lambda: ask(st.session_state.sentence, st.session_state.given),
        help=f"The decoder is fed your {target} instead of its own, and every number is that of your words.",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="examples"):
        st.html('<p class="about">Try</p>', width="content")
        for label, sentence in EXAMPLES.get(model.tokenizer.languages, {}).items():
            st.button(label, type="tertiary", help=sentence, on_click=ask, args=(sentence,))
        if st.session_state.recent:
            earlier = st.session_state.recent
            st.menu_button(
                "recent",
                range(len(earlier)),
                format_func=lambda index: plain_markdown(earlier[index]),
                type="tertiary",
                key="again",
                on_click=_again,
            )


def _again() -> None:
    ask(st.session_state.recent[st.session_state.again])


def answer(shown: Trace, given: bool) -> None:
    """The translation, large, with its probability and why it ended."""
    target = shown.alignment.target
    likely = f"log-probability {component(shown.log_probability)}, {percent(shown.mean_probability)} a token"
    unsure = " · the model is unsure of this" if shown.mean_probability < UNSURE else ""
    who = "your sentence" if given else "the model's translation"
    ended = " · stopped at the limit before the model ended the sentence" if shown.stop == "limit" else ""
    with st.container(horizontal=True, vertical_alignment="center", key="answer"):
        st.html(
            f'<p class="translation" lang="{escape(target.language)}" dir="auto">{escape(target.text) or "—"}</p>'
            f'<p class="about">{who} · {likely} · {len(shown.target)} tokens{unsure}{ended}</p>'
        )
        with st.popover("Copy", icon=":material/content_copy:", width="content"):
            st.code(target.text, language=None, wrap_lines=True)


@st.fragment
def steps(shown: Trace, question: Question) -> None:
    """The stepper, and the arithmetic of the number that was clicked last."""
    clicked = stepper(
        [shown],
        key="stepper",
        step=opening_step(len(shown.target)) if question.step is None else question.step,
        units=question.units,
        rows=question.rows,
        large=question.large,
    )
    arithmetic(shown, clicked)


@st.fragment
def study(shown: Trace, question: Question) -> None:
    """Figures for a slide or a closer look."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        units = st.segmented_control("Matrix of", ["words", "tokens"], default=question.units, required=True)
        rows = st.segmented_control(
            "A row belongs to the word",
            ["output", "input"],
            default=question.rows,
            required=True,
            format_func={"output": "produced", "input": "fed in"}.__getitem__,
        )
        picture = st.segmented_control(
            "Download as", ["svg", "png"], default="svg", required=True, format_func=str.upper
        )
    _plotly(heatmap(shown.alignment, units, rows), "attention", picture, "Attention matrix: weights by step and source")
    step = st.select_slider(
        "Context of step",
        range(len(shown.target)),
        value=opening_step(len(shown.target)) - 1,
        format_func=lambda t: f"{t + 1} {plain_markdown(token_label(shown.target[t]))}",
    )
    st.caption(
        "Each bar is a component of the context, stacked from the annotations times their weights; "
        "the grey mark is the component itself. Shown are the components farthest from 0."
    )
    _plotly(composition(shown, step), "context", picture, f"How the context of step {step + 1} is composed")


def _plotly(figure: go.Figure, name: str, picture: str, alt: str) -> None:
    config = {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "displayModeBar": True,
        "toImageButtonOptions": {
            "format": picture,
            "filename": f"regard-{name}",
            "scale": 2 if picture == "png" else 1,
        },
    }
    st.plotly_chart(figure, key=f"figure-{name}", config=config, alt=alt)


def downloads(shown: Trace) -> None:
    files: tuple[tuple[str, str, str, Callable[[], str | bytes]], ...] = (
        ("Trace (JSON)", "trace.json", "application/json", lambda: to_json(shown)),
        ("Trace (NumPy)", "trace.npz", "application/octet-stream", lambda: to_npz(shown)),
        ("Weights (CSV)", "weights.csv", "text/csv", lambda: weights_csv(shown)),
    )
    with st.container(horizontal=True, key="downloads"):
        for label, name, kind, content in files:
            st.download_button(label, content, name, kind, on_click="ignore", icon=":material/download:")


def remember(sentence: str) -> None:
    kept = [sentence, *(old for old in st.session_state.recent if old != sentence)]
    st.session_state.recent = kept[:RECENT]


def shown_question(question: Question, model: Pretrained) -> Question | None:
    """The question itself, or the last one that could be answered, with what is wrong said above it."""
    tokenizer, (source, target) = model.tokenizer, model.tokenizer.languages
    read, given = tokenizer.encode(question.sentence, source), tokenizer.encode(question.given, target)
    wrong = problem(language(source), read)
    if not wrong and given.ids:
        wrong = problem(language(target), given)
    if wrong:
        (st.info if not read.ids else st.error)(wrong)
        return st.session_state.get("answered")
    note = remark(read, usual_length(question.model))
    st.html(f'<p class="about">{escape(note) or "&nbsp;"}</p>')  # its line is kept free, so that nothing moves
    st.session_state.answered = question
    remember(question.sentence)
    return question


asked = begin()
try:
    model = pretrained(asked.model)
except ValueError as error:
    st.error(plain_markdown(str(error)))
    st.stop()
with st.container(horizontal=True, vertical_alignment="center", key="header"):
    st.html(
        "<header class='regard'><h1>Regard</h1><p>A recurrent network with attention translates your sentence, here "
        "and now. Step through its decoder; click any number to see how it was computed.</p></header>"
    )
    if st.button("About the model", type="tertiary", icon=":material/info:"):
        about(asked.model)
fields(model)
question = shown_question(asked, model)
if question is None:
    st.stop()
found = trace(question.model, question.sentence, question.given)
if st.session_state.linked != question:  # the stepper keeps the step and the switches in the link by itself
    st.session_state.linked = question
    st.query_params.from_dict(question.to_link())
answer(found, bool(question.given))
steps(found, question)
downloads(found)
with st.expander("Figures to study and to keep", key="figures", on_change="rerun") as figures:
    if figures.open:  # Plotly's two megabytes are fetched by those who want them
        study(found, question)
