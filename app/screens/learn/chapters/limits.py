"""Chapter 9: what the weights do not tell."""

import numpy as np
import streamlit as st

from regard.app.figures.counterfactual import exchanged_weights, taken
from regard.app.figures.lesson.limits import ways, ways_from_looks, ways_from_start
from regard.app.models.analyses import looks
from regard.app.screens.learn.chapter import Chapter, Prediction, Reading
from regard.app.screens.learn.step_picker import choose_writing_step, name
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.conclusions import FEW, MOST
from regard.app.ui.plots import plot
from regard.app.ui.source_channels import fed_alike
from regard.app.wording import plain_markdown
from regard.model.analysis.faithfulness import COUNTERFACTUALS, Counterfactual
from regard.model.trace import Trace

UNIFORM = list(COUNTERFACTUALS).index("uniform") + 1  # of what `looks` gives, after the model's own weights
OPTIONS = ("Two thirds or more", "Between one third and two thirds", "One third or fewer")
TEXT = """
It is tempting to take a bright cell for a reason: the model wrote this *because* it looked there. In one sense it did:
this model's state begins at zero and reads only words already written. It never sees the source; **attention is the
only way**.

But a weight says little about one token. Every annotation has read the whole sentence, and the words written so far
often settle the next one. So a word may come out the same with other weights.

There is a simple test. At one step give every token the same weight, leave all before it as it was, and compute the
word again. If it stays, this choice did not need the look.
"""
REMEMBERED = """
It is tempting to take a bright cell for a reason: the model wrote this *because* it looked there. But the weights only
say how a context was mixed. Every annotation has read the whole sentence, and the decoder's state {}. So the same thing
may be known from several places, and a word may come out just the same with other weights. Then they were not needed
for it.

There is a simple test. At one step give every token the same weight, leave everything before it as it was, and compute
the word again. If it stays, this choice did not need the look.
"""
ALT = (
    "Annotations, mixed by the weights of attention, lead from the source to the word; the state, made of the words "
    "written so far, asks and leads to the word too; {}"
)


def live(lesson: Subject) -> Prediction:
    trace = lesson.trace
    seen = looks(lesson.model.name, trace.alignment.source.text, "", 0)
    own, even = seen[0], seen[UNIFORM]
    step = choose_writing_step(trace, "even")
    plot(
        exchanged_weights(trace, (own, even), step),
        "even",
        f"The model's own weights at step {step + 1}, and the same weight for every token",
    )
    st.markdown(_outcome(trace, even, step))
    fed_alike(trace, lesson.model.name)
    return _question(trace, even)


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


def _question(trace: Trace, even: Counterfactual) -> Prediction:
    kept, steps = int(even.stays.sum()), len(trace.target)
    share = kept / steps
    right = 0 if share >= MOST else 1 if share > FEW else 2
    return Prediction(
        f"This is done at each of the {steps} steps on its own. How many of the tokens stay?",
        OPTIONS,
        right,
        f"**{kept} of {steps}** tokens stay ({percent(share)}).",
        (
            f"{_decided(trace, even)} A heatmap of it is no list of reasons."
            if right == 0
            else "Some words needed the look and others did not, and the heatmap does not say which."
            if right == 1
            else "For most words the look was needed here. That is known now from the test, not from the heatmap."
        ),
        tuple("" if place == right else f"{'Fewer' if place < right else 'More'} stay." for place in range(3)),
    )


def _decided(trace: Trace, even: Counterfactual) -> str:
    """What the look was needed for, where it was needed for little."""
    changed = [name(token) for token, stays in zip(trace.target, even.stays, strict=True) if not stays]
    if not changed:
        return "Where this translation looked decided none of its tokens."
    return f"Where this translation looked decided {' and '.join(changed)} alone."


CHAPTER = Chapter(
    "What attention does not tell",
    TEXT,
    ways,
    ALT.format("nothing leads from the source to the state"),
    "Take the weights of a step away and see whether its word stays.",
    live,
    own=True,
    readings={
        "looks": Reading(
            REMEMBERED.format("remembers what earlier steps found there"),
            ways_from_looks,
            ALT.format("what attention found before is kept in the state"),
        ),
        "start": Reading(
            REMEMBERED.format("begins from where the encoder's readings ended"),
            ways_from_start,
            ALT.format("the state begins from where the encoder ended"),
        ),
    },
)
