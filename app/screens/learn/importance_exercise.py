"""Weights as importance: guess which source token matters most at a step, then compare with leaving each one out.

Leaving out source token i changes the distribution over the next token by o_ti, the total variation distance of
`regard.model.analysis.faithfulness.leave_one_out`; Kendall's τ compares its order with that of the weights.
"""

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.token_bars import importance_bars
from regard.app.models.analyses import attention_taus, importance
from regard.app.screens.learn.step_picker import name
from regard.app.screens.learn.subject import Subject
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.visitor.pickers import ONLY, as_markdown
from regard.model.trace import Trace

RIGHT = ":material/check_circle: **As you guessed.**"
OTHER = ":material/lightbulb: **Not this one.**"


def which_matters(lesson: Subject, step: int) -> None:
    """Ask for the most important source token of a step (from 0), and show both measures once one is chosen."""
    trace, sentence = lesson.trace, lesson.sentence
    st.markdown(
        f"**Is the heaviest token the most important one?** Look at the weights of step {step + 1} above. Which source "
        "token, left out of the sentence, would change the probabilities of this step most?"
    )
    guess = st.pills(
        "Your guess",
        range(len(trace.source) - 1),  # `</s>` cannot be left out
        key=f"heaviest-{lesson.model.name}-{sentence}-{step}",
        format_func=lambda place: as_markdown(trace.source[place]),
    )
    if guess is None:
        return
    left_out = importance(lesson.model.name, sentence, "")["leave_one_out"]
    plot(
        importance_bars(trace, {"weight": trace.weights, "leave_one_out": left_out}, step),
        "importance",
        f"Weights of step {step + 1}, and how far leaving out each source token changes its probabilities",
    )
    taus = attention_taus(lesson.model.name, sentence, "", ONLY)["leave_one_out"]
    st.markdown(verdict(trace, left_out, taus, step, guess))


def verdict(trace: Trace, left_out: Float[ndarray, "T S"], taus: Float[ndarray, " T"], step: int, guess: int) -> str:
    """Return, as Markdown, which token comes first by either measure and how far the two orders agree."""
    most, heaviest = int(np.nanargmax(left_out[step])), int(trace.weights[step].argmax())
    return (
        f"{RIGHT if guess == most else OTHER} Leaving out {name(trace.source[most])} changes this step most, by "
        f"{percent(float(left_out[step, most]))}; the heaviest weight is on {name(trace.source[heaviest])}. "
        "Kendall's τ measures how far the two orders of all tokens agree, from −1 (reversed) over 0 to 1 (the same): "
        f"**{_tau(taus[step])}** at this step, **{_tau(float(np.nanmean(taus)))}** on average over this translation."
    )


def _tau(value: float) -> str:
    return "undefined" if np.isnan(value) else component(float(value))
