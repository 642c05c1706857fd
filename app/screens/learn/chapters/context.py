"""Chapter 5: the annotations are mixed by their weights."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from regard.app.figures.lesson.arrows import Point, triangle
from regard.app.screens.learn.chapter import Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import equals, listed, written
from regard.app.screens.learn.paper_exercise import column, paper
from regard.app.screens.learn.subject import Subject
from regard.app.screens.learn.writing_exercise import write_it
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.model.examples.dot_product import WORDS

CORNERS: Mapping[str, Point] = {"I": np.array([2.0, 0.0]), "love": np.array([1.0, 3.0]), "you": np.array([-2.0, 1.0])}
START = (2, 6, 2)
MOST = 10  # parts of a word
TEXT = """
Now the annotations are mixed. Each one is multiplied by its weight, and the products are added, number by number. The
sum is the **context**: one list, as long as a single annotation, and made again before every word that is written. So
the decoder gets a short list after all, but one made for this very moment.

With two numbers in each, three annotations are the corners of a triangle. Because weights are never negative and add up
to 1, the context cannot leave the triangle. More weight for a word pulls it towards that corner. It reaches a corner
only when one word has all the weight.
"""


def live(lesson: Subject) -> Prediction:
    left, right = st.columns([1, 1], gap="medium", vertical_alignment="center")
    with right:
        parts = np.array(
            [
                st.slider(f"Parts for “{word}”", 0, MOST, start, key=f"parts_{word.lower()}", bind="query-params")
                for word, start in zip(WORDS, START, strict=True)
            ],
            dtype=np.float64,
        )
        shares = parts / parts.sum() if parts.any() else np.full(len(parts), 1 / len(parts))
        context = shares @ np.stack(list(CORNERS.values()))
        if not parts.any():
            st.info("The shares have to go somewhere: with no parts at all, every word counts the same.")
        st.latex(_sum(shares, context))
    with left:
        plot(triangle(CORNERS, context), "triangle", "The context as a point in the triangle of three annotations")
    return _question()


def exercise() -> None:
    paper(
        "context",
        "The end of the step on paper, with its weights to four digits. What is the first number of its context?",
        {"Weight α": column("weights"), "Annotation h": column("H")},
    )
    write_it()


def _sum(shares: np.ndarray, context: Point) -> str:
    rounded, result = np.round(shares, 3), np.round(context, 3)
    lines = [
        rf"{written(share)} \cdot {listed(corner)}" for share, corner in zip(rounded, CORNERS.values(), strict=True)
    ]
    joined, sign = r" \\ +\; & ".join(lines), equals(rounded @ np.stack(list(CORNERS.values())), result)
    return rf"\begin{{aligned}} & {joined} \\ {sign}\; & {listed(result)} \end{{aligned}}"


def _question() -> Prediction:
    corners = np.stack(list(CORNERS.values()))
    even = np.full(len(corners), 1 / len(corners))
    middle = even @ corners
    return Prediction(
        "All three words get the same weight. Where does the context end up?",
        ("At (0, 0): they cancel out", "In the middle of the triangle", "At the corner farthest from (0, 0)"),
        1,
        f"Each weighs {percent(even[0])}, and the context is **{listed(np.round(middle, 3))}**: "
        + ", ".join(
            f"({' + '.join(written(value) for value in column)}) ÷ {len(column)} "
            f"{equals([total], [round(total, 3)])} {written(round(total, 3))}"
            for column, total in zip(corners.T, middle, strict=True)
        ).replace("+ −", "− ")
        + ".",
        "Equal weights make the plain average: attention that looks everywhere alike.",
        (
            "They would cancel out only if the corners lay evenly around (0, 0), and these do not.",
            "",
            "A corner is reached only when one word has all the weight.",
        ),
    )


CHAPTER = Chapter(
    "Context",
    TEXT,
    Phase("mix"),
    "Give each word its parts of the attention and watch where the context goes.",
    live,
    exercise,
)
