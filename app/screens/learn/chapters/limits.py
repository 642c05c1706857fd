"""Chapter 9: what attention weights do not show."""

import numpy as np
import streamlit as st

from regard.app.figures.lesson import ways, ways_from_looks, ways_from_start
from regard.app.figures.token_bars import exchanged_weights, taken
from regard.app.models.analyses import looks
from regard.app.screens.learn.chapter import TEXTS, Chapter, Diagram, Prediction, Reading
from regard.app.screens.learn.importance_exercise import which_matters
from regard.app.screens.learn.step_picker import choose_writing_step, name
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.conclusions import FEW, MOST
from regard.app.ui.plots import plot
from regard.app.ui.source_channels import fed_alike
from regard.app.ui.widgets import table
from regard.app.wording import counted, listed, plain_markdown
from regard.model.alignment import token_label
from regard.model.analysis.faithfulness import COUNTERFACTUALS, Counterfactual, replaced
from regard.model.trace import Trace

UNIFORM = list(COUNTERFACTUALS).index("uniform") + 1  # its place in `looks`, after the model's own weights
GAP = "\u2003"  # between tokens; a dot would look like the mark of a token that continues a word
OPTIONS = ("Two thirds or more", "Between one third and two thirds", "One third or fewer")
REMEMBERED = TEXTS["remembered"]["text"]
ALT = (
    "Annotations, mixed by the weights of attention, lead from the source to the word; the state, made of the words "
    "written so far, asks and leads to the word too; {}"
)


def live(lesson: Subject) -> Prediction:
    trace = lesson.trace
    seen = looks(lesson.model.name, trace.alignment.source.text, "", 0)
    own, even = seen[0], seen[UNIFORM]
    nothing = replaced(lesson.model, trace, np.zeros_like(trace.weights), "no context")
    step = choose_writing_step(trace, "even")
    plot(
        exchanged_weights(trace, (own, even), step),
        "even",
        f"The model's own weights at step {step + 1}, and the same weight for every token",
    )
    st.markdown(_outcome(trace, even, step))
    table(ablations(trace, even, nothing), "The token that each step would write with three contexts")
    st.caption("Every step stands alone: what was written before it stays as it was.")
    fed_alike(trace, lesson.model.name)
    which_matters(lesson, step)
    return _question(trace, even, nothing)


def ablations(trace: Trace, even: Counterfactual, nothing: Counterfactual) -> list[dict[str, str]]:
    """Return a row for each context: what every step would write, and how many tokens stay."""
    steps = range(len(trace.target))
    written = GAP.join(map(token_label, trace.target))
    rows = [("the model's own weights", written, np.ones(len(steps), dtype=bool))]
    for label, other in (("the same weight everywhere", even), ("no context: zeros", nothing)):
        tokens = [token_label(trace.target[step]) if other.stays[step] else taken(other, step) for step in steps]
        rows.append((label, GAP.join(tokens), other.stays))
    return [
        {"Context made with": label, "Each step would write": tokens, "Stay": f"{stays.sum()} of {len(steps)}"}
        for label, tokens, stays in rows
    ]


def _outcome(trace: Trace, even: Counterfactual, step: int) -> str:
    written = name(trace.target[step])
    before, after = (
        percent(float(value)) for value in (np.exp(trace.log_probabilities[step]), even.probabilities[step])
    )
    if even.stays[step]:
        return (
            f":material/check_circle: With the same weight everywhere, {written} **stays** the likeliest token "
            f"({before} before, {after} now)."
        )
    other = plain_markdown(taken(even, step))
    return (
        f":material/swap_horiz: With the same weight everywhere, {written} gives way to **{other}**: its probability "
        f"goes from {before} to {after}."
    )


def _question(trace: Trace, even: Counterfactual, nothing: Counterfactual) -> Prediction:
    kept, steps, blind = int(even.stays.sum()), len(trace.target), int(nothing.stays.sum())
    share = kept / steps
    right = 0 if share >= MOST else 1 if share > FEW else 2
    return Prediction(
        f"This is done at each of the {steps} steps on its own. How many of the tokens stay?",
        OPTIONS,
        right,
        f"**{kept} of {steps}** tokens {_stay(kept)} ({percent(share)}). "
        f"With no context at all, **{blind} of {steps}** {_stay(blind)}.",
        (
            f"{_decided(trace, even)} A heatmap of it is not a list of reasons."
            if right == 0
            else "Some tokens needed these weights and others did not, and the heatmap does not say which."
            if right == 1
            else f"{'Most' if kept else 'All'} tokens needed these weights here. That is known now from the test, not "
            "from the heatmap."
        )
        + _source_needed(even, nothing),
        tuple("" if place == right else f"{'Fewer' if place < right else 'More'} stay." for place in range(3)),
    )


def _stay(count: int) -> str:
    return "stays" if count == 1 else "stay"


def _source_needed(even: Counterfactual, nothing: Counterfactual) -> str:
    """Say whether the tokens that stay with even weights stay without any context too; "" if none stays."""
    stay, lost = int(even.stays.sum()), int((even.stays & ~nothing.stays).sum())
    if not stay:
        return ""
    if not lost:
        return " The tokens that stay with even weights also stay without any context: there the state alone decides."
    return (
        f" Even weights still bring the source in: of the {counted(stay, 'token')} that {_stay(stay)} with them, "
        f"{lost} {'is' if lost == 1 else 'are'} lost without any context."
    )


def _decided(trace: Trace, even: Counterfactual) -> str:
    """Return which tokens needed the weights, where few of them did."""
    changed = [name(token) for token, stays in zip(trace.target, even.stays, strict=True) if not stays]
    if not changed:
        return "No token of this translation needed its own weights."
    return f"Only {listed(changed)} needed the weights as they were."


CHAPTER = Chapter(
    **TEXTS["limits"],
    picture=Diagram(ways, ALT.format("nothing leads from the source to the state")),
    live=live,
    own=True,
    readings={
        "looks": Reading(
            REMEMBERED.format("remembers what earlier steps found there"),
            Diagram(ways_from_looks, ALT.format("what attention found before is kept in the state")),
        ),
        "start": Reading(
            REMEMBERED.format("begins from where the encoder's readings ended"),
            Diagram(ways_from_start, ALT.format("the state begins from where the encoder ended")),
        ),
    },
)
