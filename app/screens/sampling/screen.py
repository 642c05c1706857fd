"""Sampling: translations sampled at random, beside the greedy one, with the draw of each token."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from regard.app.arithmetic.panel import step_through
from regard.app.components.stepper.payload import Head
from regard.app.figures.token_sampling import line, stages
from regard.app.glossary.terms import definitions
from regard.app.models.traces import any_trace, samples
from regard.app.screens.sampling.settings import choose_draw, choose_sample, choose_settings, compared, step_told
from regard.app.ui.plots import plot, subject
from regard.app.ui.widgets import head, question_fields
from regard.app.visitor.question import Question
from regard.app.visitor.sentence_input import any_readable, begin, question_or_stop, visit
from regard.app.wording import plain_markdown
from regard.model.alignment import AFTER, token_label
from regard.model.decoding.sampling import Sample
from regard.model.decoding.token_sampling import SamplingSettings, seen
from regard.model.tokenizer import STOP
from regard.model.trace import AnyTrace


@st.fragment
def drawing(
    question: Question, settings: SamplingSettings, greedy: AnyTrace, drawn: Sequence[Sample[AnyTrace]], tokens: int
) -> None:
    """Show the list, and the open sample: its draws, and every other number of it."""
    st.markdown(compared(drawn, greedy))
    chosen = choose_sample(drawn, greedy)
    sample = drawn[chosen]
    _title(question, sample, chosen)
    step = choose_draw(sample, (question.model, question.sentence, settings, chosen))
    one_draw(sample, step, settings, tokens)
    with st.expander("Every number of this sample", key="sample-numbers", on_change="rerun") as numbers:
        if numbers.open:
            every_number(question, sample, chosen, step)


def every_number(question: Question, sample: Sample[AnyTrace], chosen: int, step: int) -> None:
    """Show the sample in the stepper, at the step whose draw is on view."""
    st.caption(
        "The probabilities here are the model's own, not those of the distribution sampled from. Choosing a token "
        "above opens its step."
    )
    view, shown = Question.from_link(st.query_params, [question.model]), (chosen, step)
    opening = step + 1
    if st.session_state.setdefault("linked_draw", shown) != shown:
        st.session_state.linked_draw = None
    elif view.step is not None:  # the link's step is that of the first draw shown
        opening = view.step
    rows = visit().question.rows
    step_through(
        [sample.trace],
        view.opening(opening, rows if AFTER in (rows, view.rows) else view.rows),
        key=f"sample-stepper-{chosen}-{step}",  # a new one opens at the requested step
        heads=[Head(f"Sample {chosen + 1}")],
    )


def _title(question: Question, sample: Sample[AnyTrace], chosen: int) -> None:
    """Draw the number of the sample, and the way to Translate."""
    with st.container(horizontal=True, vertical_alignment="center", key="opened-sample"):
        st.header(f"How sample {chosen + 1} was drawn", width="content")
        text = sample.trace.text
        st.page_link(
            "screens/translate/screen.py",
            label="Open in Translate",
            icon=":material/translate:",
            query_params={"sentence": question.sentence, "given": text, "model": question.model},
            disabled=not text,
            help="Opens as a forced translation: the decoder is fed its text, with every number beside it.",
            width="content",
        )


def one_draw(sample: Sample[AnyTrace], step: int, settings: SamplingSettings, tokens: int) -> None:
    """Show one draw, stage by stage, and the random number that decided it."""
    one = sample.draws[step]
    look = seen(sample.trace, step, one, settings.temperature)
    token = plain_markdown(token_label(sample.trace.target[step]))
    left, right = st.columns([3, 2], gap="large")
    with left:
        alt = (
            f"The likeliest tokens of step {step + 1}: the model's, after temperature, after the cut, and those "
            "sampled from"
        )
        plot(stages(look, one, settings.temperature, tokens), "stages", alt, subject(sample.trace))
    with right:
        st.markdown(f"Step {step + 1} of {len(sample.draws)} draws **{token}**")
        st.markdown(step_told(look, one, settings, tokens))
        st.caption("The tokens left lie side by side, likeliest first, each as wide as its probability:")
        plot(
            line(look, one),
            "number",
            f"Tokens side by side from 0 to 1, and the random number {one.number:.4f}",
            subject(sample.trace),
        )
    definitions("sampling", "temperature", "top_k", "nucleus", "log_probability", "mean_probability")


asked = replace(begin("sampling"), given="")
model = any_readable(asked.model)
top = head(
    "What if tokens are drawn at random?",
    "With the model's own probabilities, reshaped and cut by the settings; greedy decoding always takes the likeliest.",
    asked,
    options=True,
)
question_fields(top, model)
question = question_or_stop(asked, model)
settings = choose_settings(top)
tokens = len(model.tokenizer) - STOP  # `<pad>` and `<s>` come before `</s>` and are never sampled
drawn = samples(question.model, question.sentence, settings)
drawing(question, settings, any_trace(question.model, question.sentence, ""), drawn, tokens)
