"""Chapter 4: scores become shares of one whole."""

import math

import numpy as np
import streamlit as st

from regard.app.figures.lesson.bars import weights
from regard.app.screens.learn.chapter import Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import written
from regard.app.screens.learn.paper_exercise import ASKED, column, paper, powers
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.app.ui.tables import table
from regard.model.examples.dot_product import WORDS
from regard.model.reference import formulas

START = (1.0, 2.5, -1.0)
FARTHEST = 5.0
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
MORE = 2.0  # added to every score, in the question
E = f"{math.e:.3f}"
TEXT = f"""
A score may be any number, below 0 too. What is needed are **weights**: shares that are never negative and add up to 1,
so that one can say how much each word contributes to the mixture.

The **softmax** turns the one into the other. It raises e, which is about {E}, to the power of each score. That is
always positive. Then every result is divided by their sum. A difference between scores becomes a ratio between weights:
one point more, {E} times the weight.

A **temperature** divides the scores first. Above 1 it makes the weights more alike, below 1 it favours the winner. It
never changes their order. The models here leave it at 1.
"""


def live(lesson: Subject) -> Prediction:
    left, right = st.columns([1, 1], gap="medium", vertical_alignment="center")
    with left:
        scores = np.array(
            [
                st.slider(
                    f"Score of “{word}”",
                    -FARTHEST,
                    FARTHEST,
                    start,
                    0.5,
                    key=f"score_{word.lower()}",
                    bind="query-params",
                )
                for word, start in zip(WORDS, START, strict=True)
            ]
        )
        temperature = st.select_slider("Temperature", TEMPERATURES, 1.0, key="temperature", bind="query-params")
    shares = formulas.softmax(scores / temperature)
    with right:
        plot(weights(WORDS, shares), "softmax", "The weight of each of three words, in percent")
    table(_rows(scores / temperature, shares), "From scores to weights")
    st.markdown(kept(scores, temperature))
    return _question(scores, temperature, shares)


def exercise() -> None:
    paper(
        "weights",
        f"The same step on paper: these are its scores. What is the weight of “{WORDS[ASKED['weights']]}”?",
        {"Score e": column("scores"), "e to that power": powers()},
    )


def kept(scores: np.ndarray, temperature: float) -> str:
    """Say what a temperature leaves as it was, and what it changes, for the two highest scores."""
    first, second = np.argsort(-scores, kind="stable")[:2]
    ratio, plain = (math.exp((scores[first] - scores[second]) / divisor) for divisor in (temperature, 1.0))
    return (
        "**What a temperature keeps:** the order, and that the weights add up to 1. **What it changes:** how far apart "
        f"they are. “{WORDS[first]}” weighs {ratio:.2f} times as much as “{WORDS[second]}” at temperature "
        f"{temperature:g}, and {plain:.2f} times as much at 1."
    )


def _rows(scores: np.ndarray, shares: np.ndarray) -> list[dict[str, str]]:
    """Return a row for each word, and one for their sums."""
    names = ("Word", "Score ÷ temperature", "e to that power", "Weight: that ÷ the sum")
    powers = np.exp(scores)
    rows = [
        (word, written(score), f"{power:,.4f}", f"{share:.4f}")
        for word, score, power, share in zip(WORDS, scores, powers, shares, strict=True)
    ]
    rows.append(("Sum", "", f"{powers.sum():,.4f}", f"{shares.sum():.4f}"))
    return [dict(zip(names, row, strict=True)) for row in rows]


def _question(scores: np.ndarray, temperature: float, shares: np.ndarray) -> Prediction:
    lifted = formulas.softmax((scores + MORE) / temperature)
    pairs = ", ".join(
        f"{word} {percent(old)} → **{percent(new)}**" for word, old, new in zip(WORDS, shares, lifted, strict=True)
    )
    return Prediction(
        f"{written(MORE)} is added to all three scores. What happens to the weights?",
        ("All of them grow", "The greatest grows, the others shrink", "Nothing: they stay as they are"),
        2,
        f"With {written(MORE)} more for each: {pairs}.",
        "Every power of e grows by the same factor, and so does their sum: the shares stay. Only differences between "
        "scores count.",
        (
            "They cannot all grow, because they have to add up to 100% before and after.",
            "That happens when the scores are multiplied; adding the same to each changes no difference between them.",
            "",
        ),
    )


CHAPTER = Chapter(
    "Softmax",
    TEXT,
    Phase("weigh"),
    "Set three scores and watch the weights. Try to give one word everything.",
    live,
    exercise,
)
