"""Chapter 8: two ways to wire attention into the decoder."""

from contextlib import suppress

import numpy as np
import streamlit as st

from regard.app.components.matrices.mount import matrices
from regard.app.models.models import attends, pretrained, title
from regard.app.models.registry import alike
from regard.app.models.traces import trace
from regard.app.screens.learn.chapter import Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import listed
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.visitor.step_picker import choose
from regard.app.wording import plain_markdown
from regard.app.worked_example.markdown import equation, prose
from regard.model.examples.example import Example
from regard.model.examples.wiring_matrices import WORDS
from regard.model.examples.wirings import BAHDANAU, BAHDANAU_GENERAL, LUONG
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace

PUBLISHED: dict[str, Example] = {"Bahdanau 2015": BAHDANAU, "Luong 2015": LUONG}
WIRINGS: dict[str, Example] = {
    "Bahdanau 2015": BAHDANAU,
    "Bahdanau's order, general score": BAHDANAU_GENERAL,
    "Luong 2015": LUONG,
}
FIRST = next(iter(WIRINGS))
TEXT = """
In **Bahdanau, Cho and Bengio** (2015) the state that the step *before* left, $s_{t-1}$, asks. The context goes into
the new state, beside y, the word written last, and joins it at the output too.

In **Luong, Pham and Manning** (2015) the new state $s_t$ is made first, from y, and asks. Its context joins it just
before the output. With **input feeding**, as in the app's first model, the next step reads the result, $\\tilde h_t$,
so that it knows what was found.
"""


def both(lesson: Subject) -> dict[str, AnyTrace]:
    """Return the visitor's sentence in each wiring, Bahdanau's first, as far as models for them are on offer."""
    models = {lesson.model.network.config.wiring: lesson.model.name}
    for name in alike(lesson.model.name):
        with suppress(InputError):  # an unreadable model is reported where it is chosen
            if len(models) < len(PUBLISHED) and attends(name):
                models.setdefault(pretrained(name).network.config.wiring, name)
    return {title(name): trace(name, lesson.sentence, "") for _, name in sorted(models.items())}


def live(lesson: Subject) -> Prediction:
    wiring = st.segmented_control(
        "Wiring", list(WIRINGS), default=FIRST, required=True, key="wiring", bind="query-params"
    )
    example = WIRINGS[wiring or FIRST]
    steps = example.steps
    place = choose("Calculation", range(len(steps)), 0, "calculation", lambda place: plain_markdown(steps[place].name))
    step = steps[place]
    st.markdown(f"{equation(step)} &nbsp; {prose(step.text)}")
    matrices(example, step, example.run(), key="wiring-matrices", printed=False)
    return _question()


def _question() -> Prediction:
    """Ask which weights change when another word is fed in."""
    sentences, moves = [], []
    for name, example in PUBLISHED.items():
        given = example.matrices()
        before = example.run(given)["weights"]
        after = example.run(given | {"y": -given["y"]})["weights"]
        moves.append(bool(np.abs(after - before).max() > 0))
        pairs = ", ".join(
            f"{word} {percent(old)} → {percent(new)}" for word, old, new in zip(WORDS, before, after, strict=True)
        )
        sentences.append(f"{name.split()[0]}: {pairs}.")
    right = {(True, False): 0, (False, True): 1, (True, True): 2}[moves[0], moves[1]]
    y = LUONG.matrices()["y"]
    return Prediction(
        "Everything before this step stays as it is, but another word was written last, so another word is fed in now. "
        "In which wiring do the weights of *this* step change?",
        ("In Bahdanau's only", "In Luong's only", "In both"),
        right,
        f"With y = {listed(-y)} in place of {listed(y)}. " + " ".join(sentences),
        "In Luong's wiring the word goes into the state that asks; in Bahdanau's the state that asks was finished "
        "before the word came.",
        tuple(
            "" if place == right else text
            for place, text in enumerate(
                (
                    "Its asking state was made before the word was known.",
                    "Its asking state is made from the word.",
                    "One of the two has asked before the word counts.",
                )
            )
        ),
    )


CHAPTER = Chapter(
    "Bahdanau and Luong",
    TEXT,
    Phase("ask", both, widths=(5, 11)),
    "Choose a wiring and go through its step by the names of its calculations. Bahdanau's score is additive, Luong's "
    "here general, and one example has Bahdanau's order with the general score; none feeds its result to the next "
    "step. Point at a number of the result, or choose it, to see its sum.",
    live,
)
