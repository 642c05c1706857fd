"""Chapter 6: from state and context to the next token."""

import numpy as np
import streamlit as st

from app.arithmetic.panel import arithmetic
from app.figures.lesson.bars import likely
from app.figures.lesson.decoder import output
from app.screens.learn.chapter import Chapter, Prediction
from app.screens.learn.step_picker import choose_step, name
from app.screens.learn.subject import Subject
from app.theme import percent
from app.ui.plots import plot
from model.arithmetic.quantity import Quantity
from model.trace import Trace

OFFERED = 5  # tokens whose arithmetic can be opened
TEXT = """
The decoder now has two lists: its state, which knows what has been written so far, and the context, which knows where
it has just looked. Both are put side by side, multiplied by a learned matrix, and every sum is bent into the range from
−1 to 1 by the function tanh. The result is the **attentional vector**.

A last matrix makes of it one number for every token that could come next, and a softmax, the same as before, turns
these thousands of numbers into probabilities. The likeliest token is written and fed back in, and the next step begins.
"""


def live(lesson: Subject) -> Prediction | None:
    trace = lesson.trace
    step = choose_step(trace, "output")
    before = " ".join(name(token) for token in trace.target[:step]) or "nothing yet"
    st.markdown(
        f"Written so far: {before}. Of {lesson.model.network.config.vocabulary:,} tokens, these are the likeliest to "
        "come next:"
    )
    plot(likely(trace, step), "next", f"The likeliest tokens at step {step + 1}, in percent")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="from-where"):
        st.html('<p class="about">Where does it come from?</p>', width="content")
        found = zip(trace.top_ids[step].tolist(), trace.top_tokens[step], trace.top_probabilities[step], strict=True)
        for index, token, probability in list(found)[:OFFERED]:
            st.button(
                f"{name(token)} {percent(probability)}",
                type="tertiary",
                key=f"token-{index}",
                on_click=_open,
                args=(Quantity("probability", step=step, token=index),),
            )
    st.caption("A dot before a token says that it goes on without a blank.")
    arithmetic([trace], None)
    return _question(trace)


def _open(quantity: Quantity) -> None:
    st.session_state.opened = (quantity,)


def _question(trace: Trace) -> Prediction | None:
    """Which of three steps the model is least sure of: the least and the most certain, and the one between."""
    order = np.argsort(trace.log_probabilities, kind="stable")
    if len(order) < 3:
        return None
    steps = sorted({int(order[0]), int(order[len(order) // 2]), int(order[-1])})
    chances = [percent(float(np.exp(trace.log_probabilities[step]))) for step in steps]
    right = steps.index(int(order[0]))
    told = [f"step {step + 1}, {name(trace.target[step])}" for step in steps]
    return Prediction(
        "Of these three steps, at which one is the model least sure of the token that it writes?",
        (told[0], told[1], told[2]),
        right,
        "The probabilities: "
        + "; ".join(f"{one} **{chance}**" for one, chance in zip(told, chances, strict=True))
        + ".",
        "A step is hard where several tokens could go on well; where only one can follow, hardly anything is left to "
        "choose.",
        tuple("" if place == right else f"There it is {chance} sure." for place, chance in enumerate(chances)),
    )


CHAPTER = Chapter(
    "The output step",
    TEXT,
    output,
    "State and context become the attentional vector, and that becomes a probability for each token",
    "Choose a step and see which tokens could come next. Open a number to see its arithmetic.",
    live,
    own=True,
)
