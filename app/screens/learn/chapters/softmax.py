"""Chapter 4: scores become shares of one whole."""

import math

import numpy as np
import streamlit as st

from regard.app.components.matrices.number_format import typeset
from regard.app.figures.lesson import weights
from regard.app.screens.learn.chapter import TEXTS, Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import written
from regard.app.screens.learn.paper_exercise import ASKED, column, paper, powers
from regard.app.screens.learn.step_picker import source_choice
from regard.app.screens.learn.subject import Subject
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import table
from regard.app.visitor.question import telling_step
from regard.model.examples.dot_product import WORDS
from regard.model.reference import formulas

START = (1.0, 2.5, -1.0)
FARTHEST = 5.0
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
FEW, MOST = 0.5, 0.9  # of the weight, in the question
E = f"{math.e:.3f}"


def live(lesson: Subject) -> None:
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
    other = (
        "Move the temperature to see it change"
        if temperature == 1
        else f"At temperature {temperature:g} it weighs {ratio:.2f} times as much"
    )
    return (
        "**What a temperature keeps:** the order, and that the weights add up to 1. **What it changes:** how far apart "
        f"they are. At temperature 1 “{WORDS[first]}” weighs {plain:.2f} times as much as “{WORDS[second]}”. {other}."
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


def greatest(lesson: Subject) -> Prediction:
    """Ask how much weight the highest score gets at a step of the visitor's sentence."""
    trace = lesson.trace
    step = telling_step(trace) - 1
    scores, shares = trace.scores[step], trace.weights[step]
    first, second = map(int, np.argsort(-scores, kind="stable")[:2])
    one, other = (source_choice(trace, place) for place in (first, second))
    most, share = float(scores[first]), float(shares[first])
    lead = most - float(scores[second])
    right = 0 if share < FEW else 1 if share <= MOST else 2
    return Prediction(
        f"At step {step + 1}, “{one}” has the highest score, **{component(most)}**; next comes “{other}”, "
        f"{component(float(scores[second]))}. How much of the weight does “{one}” get?",
        (f"Less than {FEW:.0%}", f"From {FEW:.0%} to {MOST:.0%}", f"More than {MOST:.0%}"),
        right,
        f"“{one}” gets **{percent(share)}**, “{other}” {percent(float(shares[second]))}: {times(math.exp(lead))} "
        f"times as much, e to the power of {lead:.4f}, by which its score is higher.",
        f"Only differences between scores count: each point more is {E} times the weight, and a number added to all "
        "scores changes nothing.",
        tuple("" if place == right else f"It gets {'less' if place > right else 'more'}." for place in range(3)),
        step + 1,
    )


def times(ratio: float) -> str:
    """Write a ratio with no more digits than the four decimals of its logarithm determine."""
    return typeset(f"{ratio:,.4g}") if ratio >= 1000 else f"{ratio:.{1 if ratio >= 10 else 2}f}"


CHAPTER = Chapter(**TEXTS["softmax"], picture=Phase("weigh", asked=greatest), live=live, exercise=exercise)
