"""Chapter 8: two ways to wire attention into the decoder."""

import numpy as np
import streamlit as st

from app.components.matrices.mount import matrices
from app.figures.lesson import decoder
from app.screens.learn.chapter import Chapter, Prediction
from app.screens.learn.number_format import listed
from app.screens.learn.subject import Subject
from app.theme import percent
from app.worked_example.markdown import prose
from model.examples.example import Example
from model.examples.wirings import BAHDANAU, LUONG, WORDS

WIRINGS: dict[str, Example] = {"Bahdanau 2015": BAHDANAU, "Luong 2015": LUONG}
TEXT = """
Two papers brought attention into the decoder in two ways. In **Bahdanau, Cho and Bengio** (2015) the state left by the
step *before* asks. The context that it finds goes into the making of the new state, and joins it at the output too.

In **Luong, Pham and Manning** (2015) the new state is made first, from the word written last, and then asks for itself.
Its context joins it just before the output. Scores, softmax and sum are the same in both. What differs is who asks and
where the answer goes. Follow one step of each on small matrices, number by number.
"""


def live(lesson: Subject) -> Prediction:
    wiring = st.segmented_control(
        "Wiring", list(WIRINGS), default="Bahdanau 2015", required=True, key="wiring", bind="query-params"
    )
    example = WIRINGS[wiring or "Bahdanau 2015"]
    count = len(example.steps)
    if not 1 <= st.session_state.get("calculation", 1) <= count:
        st.session_state.calculation = count
    place = st.slider(f"Calculation, 1 to {count}", 1, count, key="calculation", bind="query-params")
    step = example.steps[place - 1]
    st.markdown(f"**{place} of {count}.** {prose(step.text)}")
    matrices(example, step, example.run(), key="wiring-matrices", printed=False)
    return _question()


def _question() -> Prediction:
    """Which weights change when another word is fed in."""
    told, moves = [], []
    for name, example in WIRINGS.items():
        given = example.matrices()
        before = example.run(given)["weights"]
        after = example.run(given | {"y": -given["y"]})["weights"]
        moves.append(bool(np.abs(after - before).max() > 0))
        pairs = ", ".join(
            f"{word} {percent(old)} → {percent(new)}" for word, old, new in zip(WORDS, before, after, strict=True)
        )
        told.append(f"{name.split()[0]}: {pairs}.")
    right = {(True, False): 0, (False, True): 1, (True, True): 2}[moves[0], moves[1]]
    y = LUONG.matrices()["y"]
    return Prediction(
        "Everything before this step stays as it is, but another word was written last, so another word is fed in now. "
        "In which wiring do the weights of *this* step change?",
        ("In Bahdanau's only", "In Luong's only", "In both"),
        right,
        f"With y = {listed(-y)} in place of {listed(y)}. " + " ".join(told),
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
    decoder.wirings,
    "Left, Bahdanau: the state before asks attention, and its context goes into the new state and into "
    "the next word. Right, Luong: the new state asks, and its context joins it in the attentional vector",
    "Choose a wiring and follow its step. Point at a number of the result, or choose it, to see its sum.",
    live,
)
