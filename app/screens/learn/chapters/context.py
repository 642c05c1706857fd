"""Chapter 5: the annotations are mixed by their weights."""

from collections.abc import Mapping

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.lesson import Point, triangle
from regard.app.screens.learn.chapter import TEXTS, Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import equals, listed, written
from regard.app.screens.learn.paper_exercise import column, paper
from regard.app.screens.learn.step_picker import source_choice
from regard.app.screens.learn.subject import Subject
from regard.app.screens.learn.writing_exercise import write_it
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.visitor.question import telling_step
from regard.model.examples.dot_product import WORDS
from regard.model.trace import Trace

CORNERS: Mapping[str, Point] = {"I": np.array([2.0, 0.0]), "love": np.array([1.0, 3.0]), "you": np.array([-2.0, 1.0])}
START = (2, 6, 2)
MOST = 10  # parts of a word


def live(lesson: Subject) -> None:
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


def exercise() -> None:
    left, right = st.columns(2)
    with left:
        paper(
            "context",
            "The end of the step on paper, with its weights to four digits. What is the first number of its context?",
            {"Weight α": column("weights"), "Annotation h": column("H")},
        )
    with right:
        write_it()


def _sum(shares: np.ndarray, context: Point) -> str:
    rounded, result = np.round(shares, 3), np.round(context, 3)
    lines = [
        rf"{written(share)} \cdot {listed(corner)}" for share, corner in zip(rounded, CORNERS.values(), strict=True)
    ]
    joined, sign = r" \\ +\; & ".join(lines), equals(rounded @ np.stack(list(CORNERS.values())), result)
    return rf"\begin{{aligned}} & {joined} \\ {sign}\; & {listed(result)} \end{{aligned}}"


def likeness(lesson: Subject) -> Prediction:
    """Ask what the cells of a step's context look like on the visitor's sentence."""
    trace = lesson.trace
    step = telling_step(trace) - 1
    first, second = map(int, np.argsort(-trace.weights[step], kind="stable")[:2])
    one, other = (source_choice(trace, place) for place in (first, second))
    context, annotations = cells(trace, trace.contexts[step : step + 1]), cells(trace, trace.annotations)
    near = np.stack([annotations[first], annotations[second], annotations.mean(0)])
    apart = np.abs(near - context).mean(1)
    right = int(apart.argmin())
    told = [component(float(distance)) for distance in apart]
    return Prediction(
        f"At step {step + 1}, **{percent(float(trace.weights[step, first]))}** of the context comes from “{one}” and "
        f"{percent(float(trace.weights[step, second]))} from “{other}”. What do its cells look like most?",
        (f"Like those of “{one}”", f"Like those of “{other}”", "Like the plain mean of all annotations"),
        right,
        f"A cell of the context differs by **{told[0]}** on average from that of “{one}”, by {told[1]} from that of "
        f"“{other}”, and by {told[2]} from the mean of all.",
        "Each cell of the context is the weighted sum of the same cell of all annotations, so the heavier one "
        "annotation weighs, the more the context looks like it; equal weights would make the plain mean.",
        ("The context differs more from it.",) * 3,
        step + 1,
    )


def cells(trace: Trace, annotations: Float[ndarray, "N E"]) -> Float[ndarray, "N K"]:
    """Return the fingerprints of annotations, or all of their numbers where the model has no axes."""
    axes = trace.maker.axes
    return axes["annotation"].coordinates(annotations) if axes else annotations


CHAPTER = Chapter(**TEXTS["context"], picture=Phase("mix", asked=likeness), live=live, exercise=exercise)
