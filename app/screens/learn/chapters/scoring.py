"""Chapter 3: how well each annotation answers the query."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from regard.app.figures.lesson import Point, arrows
from regard.app.screens.learn.chapter import TEXTS, Chapter, Phase, Prediction
from regard.app.screens.learn.number_format import listed, signed, written
from regard.app.screens.learn.paper_exercise import ASKED, VALUES, column, paper
from regard.app.screens.learn.step_picker import source_choice, written_so_far
from regard.app.screens.learn.subject import Subject
from regard.app.theme import component
from regard.app.ui.plots import plot
from regard.app.ui.widgets import table
from regard.app.visitor.question import telling_step
from regard.model.examples.dot_product import WORDS
from regard.model.reference.formulas import multiplied

OFFERED = 3  # tokens to choose from
REACH = 3.0  # of an arrow's end, in every direction
START = {"query": (1.5, 1.5), "I": (2.5, -1.0), "love": (0.5, 2.5), "you": (-2.0, 1.0)}


def live(lesson: Subject) -> None:
    left, right = st.columns([1, 1], gap="medium", vertical_alignment="center")
    with right:
        _move()
        ends = {name: _end(name) for name in START}
        query, annotations = ends["query"], {word: ends[word] for word in WORDS}
        scores = multiplied(query, np.stack(list(annotations.values())))
        table(_rows(query, annotations, scores), "The score of each word")
    with left:
        plot(arrows(query, annotations, REACH), "arrows", "The query and three annotations as arrows from one point")


def exercise() -> None:
    paper(
        "scores",
        "A step small enough for paper. The query is "
        f"q = {listed(VALUES['q'])}. What is the score of “{WORDS[ASKED['scores']]}”?",
        {"Annotation h": column("H")},
    )


def _move() -> None:
    """Draw the choice of an arrow and the sliders of its end."""
    names = list(START)
    chosen = st.segmented_control("Move the arrow of", names, default=names[0], required=True, key="arrow") or names[0]
    for key, start, label in zip(_keys(chosen), START[chosen], ("First number", "Second number"), strict=True):
        st.slider(
            f"{label} of {chosen}", -REACH, REACH, start, 0.5, key=key, bind="query-params", persist_state="session"
        )


def _end(name: str) -> Point:
    """Return where an arrow ends, even if its sliders are not on screen."""
    return np.array([st.session_state.get(key, start) for key, start in zip(_keys(name), START[name], strict=True)])


def _keys(name: str) -> tuple[str, str]:
    return f"{name.lower()}_1", f"{name.lower()}_2"


def _rows(query: Point, annotations: Mapping[str, Point], scores: np.ndarray) -> list[dict[str, str]]:
    return [
        {
            "Word": word,
            "Annotation": listed(annotation),
            "Query · annotation": " + ".join(
                f"{signed(q)}·{signed(h)}" for q, h in zip(query, annotation, strict=True)
            ),
            "Score": written(score),
        }
        for (word, annotation), score in zip(annotations.items(), scores, strict=True)
    ]


def highest(lesson: Subject) -> Prediction | None:
    """Ask which annotation gets the highest score at a step of the visitor's sentence."""
    trace = lesson.trace
    step = telling_step(trace) - 1
    scores = trace.scores[step]
    best = np.argsort(-scores, kind="stable")[:OFFERED]
    if len(best) < OFFERED:
        return None
    places = sorted(map(int, best))
    names = {place: source_choice(trace, place) for place in places}
    told = ", ".join(f"“{names[place]}” {component(float(scores[place]))}" for place in map(int, best[1:]))
    return Prediction(
        f"Written so far: {written_so_far(trace, step)}. Step {step + 1} asks for what comes next. Which of these "
        "source tokens gets the highest score?",
        tuple(names.values()),
        places.index(best[0]),
        f"“{names[int(best[0])]}” has the highest score, **{component(float(scores[best[0]]))}**; then come {told}.",
        "Nobody told the model which words belong together: in training, states and annotations became such that a "
        "high score helped to find the next word.",
        tuple(f"Its score is {component(float(scores[place]))}." for place in places),
        step + 1,
    )


CHAPTER = Chapter(**TEXTS["scoring"], picture=Phase("ask", asked=highest), live=live, exercise=exercise)
