"""Chapters 3 to 5: scores compare annotations with the query, softmax makes weights, the context is the mix.

The exercise of chapter 5 is a whole step, on paper or in ten lines of NumPy, whose numbers are typed and compared. No
program is run: only numbers are read from what is typed or pasted.
"""

import math
import re
from collections.abc import Mapping

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.matrices.sums import typeset
from regard.app.figures.lesson import Point, arrows, triangle, weights
from regard.app.lesson.chapter import (
    DIGITS,
    TEXTS,
    Chapter,
    Phase,
    Prediction,
    column,
    signed,
    source_choice,
    vector,
    written_so_far,
)
from regard.app.theme import component, percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import table
from regard.app.visitor.question import telling_step
from regard.app.worked_example.study import source
from regard.model.examples.tutorials import QUERY, WORDS
from regard.model.reference import formulas
from regard.model.trace import Trace

VALUES = QUERY.run()
STEPS = ("scores", "weights", "context")
NEAR = 5e-3  # tolerance for writing down only a few digits
TYPED_CHARACTERS = 2000  # characters that are read
NUMBER = re.compile(r"[-−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
RIGHT, NOT_YET = ":material/check_circle: **{}**: right.", ":material/edit: **{}**: not yet. {}"
TASK = (
    "A query `q` and four annotations, the rows of `H`. Compute the dot scores, their softmax and the context, on "
    "paper or with a program of your own. Type the numbers, or paste what your program prints: the app only compares "
    "them with its own."
)
STARTER = f"""\
import numpy as np

q = np.array({VALUES["q"].tolist()})
H = np.array({VALUES["H"].tolist()})

scores = ...   # one for each row of H
weights = ...  # shares that add up to 1
context = ...  # as long as a row of H
print(scores, weights, context)"""


def exercise() -> None:
    about = "**Compute it yourself**: on paper, or in ten lines of NumPy"
    with st.container(key="write"), st.expander(about, icon=":material/edit:"):
        st.markdown(TASK)
        source(STARTER)
        typed = st.text_area("Your numbers, in this order", key="printed", max_chars=TYPED_CHARACTERS, height=80)
        if typed.strip():
            st.markdown("  \n".join(checked(typed)))


def checked(typed: str) -> list[str]:
    """Return a verdict on each of the results that have all their numbers, in order."""
    numbers = [float(text.replace("−", "-")) for text in NUMBER.findall(typed[:TYPED_CHARACTERS])]
    verdicts, before = [], 0
    for step in STEPS:
        mine = np.array(numbers[before : before + VALUES[step].size])
        before += VALUES[step].size
        if len(mine) == VALUES[step].size:
            right = np.abs(mine - VALUES[step]).max() <= NEAR
            verdicts.append(RIGHT.format(step) if right else NOT_YET.format(step, hint(step, mine)))
    if len(numbers) not in np.cumsum([VALUES[step].size for step in STEPS]):
        counted = ", ".join(f"{VALUES[step].size} for the {step}" for step in STEPS)
        verdicts.append(f"There are {len(numbers)} numbers here; there should be {counted}.")
    return verdicts


def hint(step: str, mine: np.ndarray) -> str:
    """Return what a wrong result was probably made by, or how a right one is made."""
    if step == "scores":
        return "Each is the dot product of a row of H with q: `H @ q`."
    if step == "weights" and abs(mine.sum() - 1) > NEAR:
        return f"They add up to {mine.sum():.3f}, not to 1: divide by the sum of all powers."
    if step == "weights":
        return "They add up to 1, but are not the softmax of the scores: raise e to the power of each first."
    if np.abs(mine - VALUES["H"].mean(0)).max() <= NEAR:
        return "That is the plain mean of the rows; each row counts as much as its weight says."
    return "Each row of H times its weight, then added up: `weights @ H`."


def answers() -> str:
    """Return the right numbers as Markdown, for teachers."""
    written = {step: ", ".join(f"{value:.3f}".replace("-", "−") for value in VALUES[step]) for step in STEPS}
    return "; ".join(f"{step} **{numbers}**" for step, numbers in written.items())


OFFERED_TOKENS = 3  # tokens to choose from
REACH = 3.0  # of an arrow's end, in every direction
ARROWS = {"query": (1.5, 1.5), "I": (2.5, -1.0), "love": (0.5, 2.5), "you": (-2.0, 1.0)}


def move_arrows(lesson: Trace) -> None:
    left, right = st.columns([1, 1], gap="medium", vertical_alignment="center")
    with right:
        names = list(ARROWS)
        chosen = st.segmented_control("Move the arrow of", names, default=names[0], required=True, key="arrow")
        for key, start, label in zip(_keys(chosen), ARROWS[chosen], ("First number", "Second number"), strict=True):
            st.slider(
                f"{label} of {chosen}", -REACH, REACH, start, 0.5, key=key, bind="query-params", persist_state="session"
            )
        state = st.session_state  # an arrow ends where it was left, even if its sliders are not on screen
        ends = {
            name: np.array([state.get(key, start) for key, start in zip(_keys(name), first, strict=True)])
            for name, first in ARROWS.items()
        }
        query, annotations = ends["query"], {word: ends[word] for word in WORDS}
        scores = np.stack(list(annotations.values())) @ query
        rows = [
            {
                "Word": word,
                "Annotation": vector(end),
                "Query · annotation": " + ".join(f"{signed(q)}·{signed(h)}" for q, h in zip(query, end, strict=True)),
                "Score": score,
            }
            for (word, end), score in zip(annotations.items(), column(scores), strict=True)
        ]
        table(rows, "The score of each word")
    with left:
        plot(arrows(query, annotations, REACH), "arrows", "The query and three annotations as arrows from one point")


def _keys(name: str) -> tuple[str, str]:
    return f"{name.lower()}_1", f"{name.lower()}_2"


def highest(trace: Trace) -> Prediction | None:
    """Ask which annotation gets the highest score at a step of the visitor's sentence."""
    step = telling_step(trace) - 1
    scores = trace.scores[step]
    best = np.argsort(-scores, kind="stable")[:OFFERED_TOKENS]
    if len(best) < OFFERED_TOKENS:
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
        step=step + 1,
    )


SCORING = Chapter(**TEXTS["scoring"], asked=highest, live=move_arrows, picture=Phase("ask"))


SCORES = (1.0, 2.5, -1.0)
FARTHEST = 5.0
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
FEW, MOST = 0.5, 0.9  # of the weight, in the question
E = f"{math.e:.3f}"


def set_scores(lesson: Trace) -> None:
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
                for word, start in zip(WORDS, SCORES, strict=True)
            ]
        )
        temperature = st.select_slider("Temperature", TEMPERATURES, 1.0, key="temperature", bind="query-params")
    shares = formulas.softmax(scores / temperature)
    with right:
        plot(weights(WORDS, shares), "softmax", "The weight of each of three words, in percent")
    powers = np.exp(scores / temperature)
    rows = [
        {
            "Word": word,
            "Score ÷ temperature": score,
            "e to that power": power,
            "Weight: that ÷ the sum": share,
        }
        for word, score, power, share in zip(
            WORDS, column(scores / temperature), column(powers, DIGITS), column(shares, DIGITS), strict=True
        )
    ]
    table(rows, "From scores to weights")
    st.caption(f"The sum of the powers is {powers.sum():,.4f}.")


def greatest(trace: Trace) -> Prediction:
    """Ask how much weight the highest score gets at a step of the visitor's sentence."""
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
        step=step + 1,
    )


def times(ratio: float) -> str:
    """Write a ratio with no more digits than the four decimals of its logarithm determine."""
    return typeset(f"{ratio:,.4g}") if ratio >= 1000 else f"{ratio:.{1 if ratio >= 10 else 2}f}"


HOTTER = 2.0  # the temperature of the second question


def tempered(trace: Trace) -> Prediction:
    """Ask what a temperature makes of the ratio of the two heaviest weights, on the visitor's sentence."""
    step = telling_step(trace) - 1
    scores = trace.scores[step].astype(np.float64)
    first, second = map(int, np.argsort(-scores, kind="stable")[:2])
    before, after = (
        float(shares[first] / shares[second]) for shares in (formulas.softmax(scores / each) for each in (1.0, HOTTER))
    )
    one, other = (source_choice(trace, place) for place in (first, second))
    return Prediction(
        f"At step {step + 1} “{one}” weighs {times(before)} times as much as “{other}”. How many times as much at "
        f"temperature {HOTTER:g}?",
        (f"{times(before)}: as before", f"{times(before / HOTTER)}: half as many", f"{times(after)}: the square root"),
        2,
        f"At temperature {HOTTER:g} it is **{times(after)}** times as much, and {times(after)}² is {times(after**2)}.",
        "A temperature divides the scores, so also their difference, and a weight is e to the power of a score: half "
        "the difference gives the square root of the ratio.",
        ("The scores are closer together now, so the weights are too.", "Scores are halved, not weights.", ""),
    )


SOFTMAX = Chapter(**TEXTS["softmax"], asked=greatest, live=set_scores, picture=Phase("weigh"), again=tempered)


CORNERS: Mapping[str, Point] = {"I": np.array([2.0, 0.0]), "love": np.array([1.0, 3.0]), "you": np.array([-2.0, 1.0])}
PARTS = (2, 6, 2)
MOST_PARTS = 10  # parts of a word
SHOWN = 3  # annotations that the question names


def mix_parts(lesson: Trace) -> None:
    left, right = st.columns([1, 1], gap="medium", vertical_alignment="center")
    with right:
        parts = np.array(
            [
                st.slider(f"Parts for “{word}”", 0, MOST_PARTS, start, key=f"parts_{word.lower()}", bind="query-params")
                for word, start in zip(WORDS, PARTS, strict=True)
            ],
            dtype=np.float64,
        )
        shares = parts / parts.sum() if parts.any() else np.full(len(parts), 1 / len(parts))
        context = shares @ np.stack(list(CORNERS.values()))
        if not parts.any():
            st.info("The shares have to go somewhere: with no parts at all, every word counts the same.")
        products = (f"{share:.3f}·{vector(corner)}" for share, corner in zip(shares, CORNERS.values(), strict=True))
        st.markdown(f"{' + '.join(products)} ≈ {vector(np.round(context, 3))}")
    with left:
        plot(triangle(CORNERS, context), "triangle", "The context as a point in the triangle of three annotations")


def one_cell(trace: Trace) -> Prediction | None:
    """Ask for one cell of a step's context, given the weights and the same cell of the heaviest annotations."""
    step = telling_step(trace) - 1
    shares, each = trace.weights[step].astype(np.float64), cells(trace, trace.annotations).astype(np.float64)
    mixes = np.stack([shares @ each, each.mean(0), each.sum(0)])  # by weight, all alike, and without any weights
    gaps = np.abs(mixes - np.roll(mixes, 1, axis=0)).min(0)
    place = int(gaps.argmax())
    values = [component(float(value)) for value in mixes[:, place]]
    if len(set(values)) < len(values):
        return None
    order = np.argsort(mixes[:, place])
    heaviest = [
        f"“{source_choice(trace, token)}” weighs {percent(float(shares[token]))} and has {component(float(value))}"
        for token, value in ((int(token), each[token, place]) for token in np.argsort(-shares)[:SHOWN])
    ]
    wrong = ("", "That is the plain mean, as if all weighed the same.", "That is the sum without any weights.")
    return Prediction(
        f"Look at cell {place + 1} of the annotations at step {step + 1}: {'; '.join(heaviest)}. What will cell "
        f"{place + 1} of the context be?",
        tuple(values[mix] for mix in order),
        int(np.flatnonzero(order == 0)[0]),
        f"Cell {place + 1} of the context is **{values[0]}**; the plain mean of all {len(shares)} annotations would be "
        f"{values[1]}, and their sum {values[2]}.",
        "Each cell of the context is the weighted sum of the same cell of all annotations, so the heavier one "
        "annotation weighs, the more the context looks like it; equal weights would make the plain mean.",
        tuple(wrong[mix] for mix in order),
        step + 1,
    )


def cells(trace: Trace, annotations: Float[ndarray, "N E"]) -> Float[ndarray, "N K"]:
    """Return the fingerprints of annotations, or all of their numbers where the model has no axes."""
    axes = trace.maker.axes
    return axes["annotation"].coordinates(annotations) if axes else annotations


CONTEXT = Chapter(**TEXTS["context"], asked=one_cell, live=mix_parts, picture=Phase("mix"), exercise=exercise)
