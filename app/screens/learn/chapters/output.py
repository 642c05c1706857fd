"""Chapter 6: from state and context to the next token."""

import numpy as np
import streamlit as st

from regard.app.figures.lesson.bars import likely
from regard.app.screens.learn.chapter import Chapter, Phase, Prediction
from regard.app.screens.learn.step_picker import choose_writing_step, name
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.conclusions import FEW, MOST
from regard.app.ui.plots import plot
from regard.app.visitor.visit_state import visit
from regard.model.analysis.faithfulness import replaced
from regard.model.arithmetic.quantity import Quantity

OFFERED = 5  # tokens whose arithmetic can be opened
FIRST = 3  # lost tokens that are named
OPTIONS = ("Two thirds or more", "Between one third and two thirds", "One third or fewer")
ALONE = {  # by `Config.source_in_state`
    "never": "The state knows the words written so far and nothing of the source. It can go on with what usually "
    "follows; what the sentence is about comes from the context. No step of training ever had a context of zeros, so "
    "this is a probe, not a measure of how well such a network could do.",
    "looks": "The state knows the words written so far and what earlier steps found in the source, and can often go on "
    "with that; the rest comes from the context. No step of training ever had a context of zeros, so this is a probe, "
    "not a measure of how well such a network could do.",
    "start": "The state knows the words written so far and began from what the encoder read, and can often go on with "
    "that; the rest comes from the context. No step of training ever had a context of zeros, so this is a probe, not "
    "a measure of how well such a network could do.",
}
TEXT = """
The decoder now has two lists: its state, which knows what has been written so far, and the context, which holds what
it has just found in the source. Both are put side by side, multiplied by a learned matrix, and every sum is bent into
the range from −1 to 1 by the function tanh. The result is the **attentional vector**.

A last matrix turns it into one number for every token that could come next, and a softmax, the same as before, turns
these thousands of numbers into probabilities. The likeliest token is written and fed back in, and the next step begins.
"""


def live(lesson: Subject) -> Prediction | None:
    trace = lesson.trace
    step = choose_writing_step(trace, "output")
    before = " ".join(name(token) for token in trace.target[:step]) or "nothing yet"
    st.markdown(
        f"Written so far: {before}. Of {lesson.model.network.config.vocabulary:,} tokens, these are the likeliest to "
        "come next:"
    )
    plot(likely(trace, step), "next", f"The likeliest tokens at step {step + 1}, in percent")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="from-where"):
        st.html('<p class="about">Where does it come from?</p>', width="content")
        likeliest = zip(
            trace.top_ids[step].tolist(), trace.top_tokens[step], trace.top_probabilities[step], strict=True
        )
        for index, token, probability in list(likeliest)[:OFFERED]:
            if st.button(f"{name(token)} {percent(probability)}", type="tertiary", key=f"token-{index}"):
                visit().opened = (Quantity("probability", step=step, token=index),)
                st.rerun()  # the page draws the arithmetic
    st.caption("A dot before a token means that it continues without a space.")
    return _without_context(lesson)


def _without_context(lesson: Subject) -> Prediction:
    """Ask how many tokens the state chooses alone, with all weights and so the context set to 0."""
    trace = lesson.trace
    nothing = replaced(lesson.model, trace, np.zeros_like(trace.weights), "no context")
    kept, steps = int(nothing.stays.sum()), len(trace.target)
    share = kept / steps
    right = 0 if share >= MOST else 1 if share > FEW else 2
    gone = [name(token) for token, stays in zip(trace.target, nothing.stays, strict=True) if not stays]
    others = f" Others come in place of {', '.join(gone[:FIRST])}{' and more' if len(gone) > FIRST else ''}."
    return Prediction(
        f"At each of the {steps} steps, on its own, the context is set to zeros, so that the state has to choose the "
        "token alone. How many of the tokens still come out?",
        OPTIONS,
        right,
        f"**{kept} of {steps}** still come out ({percent(share)}).{others if gone else ''}",
        ALONE[lesson.model.network.config.source_in_state],
        tuple("" if place == right else f"{'Fewer' if place < right else 'More'} do." for place in range(3)),
    )


CHAPTER = Chapter(
    "The output step",
    TEXT,
    Phase("write"),
    "Choose a step and see which tokens could come next. Open a number to see its arithmetic.",
    live,
    own=True,
)
