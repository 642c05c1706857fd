"""Chapter 6: from state and context to the next token."""

import numpy as np
import streamlit as st

from regard.app.figures.lesson import likely
from regard.app.screens.learn.chapter import TEXTS, Chapter, Phase, Prediction
from regard.app.screens.learn.step_picker import choose_writing_step, name, written_so_far
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.app.visitor.pickers import as_markdown
from regard.app.visitor.question import telling_step
from regard.app.visitor.sentence_input import visit
from regard.app.wording import SOURCE_IN_STATE
from regard.model.analysis.faithfulness import replaced
from regard.model.arithmetic.quantity import Quantity
from regard.model.tokenizer import STOP

OFFERED = 5  # tokens whose arithmetic can be opened
FIRST = 3  # tokens to choose from, in the question


def live(lesson: Subject) -> None:
    trace = lesson.trace
    step = choose_writing_step(trace, "output")
    st.markdown(
        f"Written so far: {written_so_far(trace, step)}. Of {len(lesson.model.tokenizer) - STOP:,} tokens that can be "
        "written, these are the likeliest to come next:"
    )
    plot(likely(trace, step), "next", f"The likeliest tokens at step {step + 1}, in percent")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="from-where"):
        st.html('<p class="about">Where does it come from?</p>', width="content")
        offered = zip(trace.top_ids[step].tolist(), trace.top_tokens[step], trace.top_probabilities[step], strict=True)
        for index, token, probability in list(offered)[:OFFERED]:
            if st.button(f"{name(token)} {percent(probability)}", type="tertiary", key=f"token-{index}"):
                visit().opened = (Quantity("probability", step=step, token=index),)
                st.rerun()  # the page draws the arithmetic
    st.caption("A dot before a token means that it continues without a space.")


def likeliest(lesson: Subject) -> Prediction:
    """Ask for the likeliest next token of a step, and tell what the state chooses alone, with the context set to 0."""
    trace = lesson.trace
    step = telling_step(trace) - 1
    chances = dict(zip(map(as_markdown, trace.top_tokens[step]), trace.top_probabilities[step].tolist(), strict=True))
    best = list(chances)[:FIRST]
    options = tuple(sorted(best))
    nothing = replaced(lesson.model, trace, np.zeros_like(trace.weights), "no context")
    kept, steps = int(nothing.stays.sum()), len(trace.target)
    alone = name(nothing.top_tokens[step][0])
    return Prediction(
        f"Written so far: {written_so_far(trace, step)}. Which of these tokens do state and context make likeliest?",
        options,
        options.index(best[0]),
        f"“{best[0]}” has **{percent(chances[best[0]])}**, "
        + ", ".join(f"“{token}” {percent(chances[token])}" for token in best[1:])
        + f". With the context set to zeros, the state alone would choose {alone} here. Done so at each of the {steps} "
        f"steps, on its own, **{kept} of {steps}** still {'comes' if kept == 1 else 'come'} out "
        f"({percent(kept / steps)}).",
        SOURCE_IN_STATE[lesson.model.network.config.source_in_state]["alone"],
        tuple(f"It has {percent(chances[token])}." for token in options),
        step + 1,
    )


CHAPTER = Chapter(**TEXTS["output"], picture=Phase("write", asked=likeliest), live=live, own=True)
