"""Chapter 10: how a network learns where to look, on the recorded training of one that reverses numbers."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from regard.app.figures.heatmap import heatmap
from regard.app.figures.lesson import Palette, learned
from regard.app.models.analyses import place_keeping
from regard.app.models.models import pretrained, snapshots
from regard.app.models.registry import model_names
from regard.app.models.traces import trace
from regard.app.screens.learn.chapter import TEXTS, Chapter, Diagram, Prediction
from regard.app.screens.learn.subject import Subject
from regard.app.theme import percent
from regard.app.ui.plots import plot
from regard.app.ui.widgets import table
from regard.model.alignment import Alignment
from regard.model.synthetic.place_keeping import SEQUENCES, WRONG, PlaceKeeping
from regard.model.synthetic.tasks import pair, sample
from regard.model.trace import Trace
from regard.model.training.snapshots import Snapshots

MODEL = "reverse-gru"  # the model whose training is recorded

TRAINED, LONGER = 20, 22  # numbers in the longest sequence trained on, and in the one of the question
SYMBOLS = 10
FOLLOWED = 10  # steps on the line that count as following it
HEIGHT = 420  # pixels
EARLY = 1 / 8  # of the run, for the second grid of the picture
SHORT = 3  # index of the watched sequence in the picture, which has seven numbers
SLIGHT = 0.1  # loss of steps on the line below which a change hardly matters
MISSING = "The recorded training of the reversal model is missing, so there is nothing to show."


def _diagram(palette: Palette) -> str:
    """Draw three moments of the recorded run; nothing where it is missing."""
    watched = snapshots(MODEL) if MODEL in model_names() else None
    return learned(palette, three_moments(watched) if watched else ())


def three_moments(watched: Snapshots) -> list[tuple[str, Float[ndarray, "T S"]]]:
    """Return the weights on a short sequence at the first update, about an eighth of the way, and at the last."""
    last = watched.moments[-1].update
    early = min(watched.moments, key=lambda moment: abs(moment.update - EARLY * last))
    moments = (watched.moments[0], early, watched.moments[-1])
    return [(f"update {moment.update:,}", moment.weights[SHORT]) for moment in moments]


def live(lesson: Subject) -> Prediction | None:
    watched = snapshots(MODEL) if MODEL in model_names() else None
    if watched is None:
        st.info(MISSING)
        return None
    model, updates = pretrained(MODEL), [moment.update for moment in watched.moments]
    left, right = st.columns([1, 1], gap="medium")
    with left:
        place = st.select_slider(
            "Update of the training",
            range(len(updates)),
            len(updates) // 2,
            key="moment",
            bind="query-params",
            format_func=lambda place: f"{updates[place]:,}",
        )
        alt = f"Weights on a sequence of {TRAINED} numbers after {updates[place]:,} updates"
        plot(_drawn(watched.alignment(0, place, model.tokenizer)), "moment", alt)
        st.markdown(_written(watched, place))
    longer = trace(MODEL, _sequence()[0], "")
    with right:
        st.markdown(f"**{LONGER} numbers**, two more than it ever saw, read by the finished network:")
        plot(_drawn(longer.alignment), "longer", f"Weights on a sequence of {LONGER} numbers")
    fed_its_mistakes(MODEL, TRAINED, SYMBOLS)
    return _question(longer)


def _drawn(alignment: Alignment) -> go.Figure:
    """Draw all steps in a figure that fits the screen."""
    return heatmap(alignment, "tokens", "output").update_layout(height=HEIGHT)


def _written(watched: Snapshots, place: int) -> str:
    moment, (source, wanted) = watched.moments[place], watched.pairs[0]
    right = sum(one == other for one, other in zip(moment.translations[0].split(), wanted.split(), strict=False))
    return (
        f"It reads {source} and writes {moment.translations[0] or 'nothing'}: {right} of {len(wanted.split())} numbers "
        "in their place."
    )


def _sequence() -> tuple[str, str]:
    """Return the numbers of the question, and the same backwards."""
    return pair("reverse", sample(LONGER, SYMBOLS, 1)[0])


def followed(trace: Trace) -> int:
    """Return how many steps, from the first on, look most at the number whose turn it is."""
    numbers = len(trace.source) - 1  # without `</s>`
    turns = numbers - 1 - np.arange(len(trace.target))
    off = np.flatnonzero(trace.weights.argmax(1) != turns)
    return int(off[0]) if len(off) else len(trace.target)


def _question(longer: Trace) -> Prediction:
    steps, wanted = followed(longer), _sequence()[1]
    right = 0 if longer.text == wanted else 1 if steps >= FOLLOWED else 2
    looked = longer.weights.argmax(1)
    after = ", ".join(str(int(place) + 1) for place in looked[steps:]) or "none"
    return Prediction(
        f"It was trained on sequences of up to {TRAINED} numbers and now reads {LONGER}. What does its attention do?",
        (
            "It follows the line to the first number, as before",
            "It follows the line for a while, then jumps to the beginning too early",
            "It finds no line: the sequence is too long for it from the start",
        ),
        right,
        f"For **{steps}** steps it looks at the number whose turn it is. After that it looks most at number {after} of "
        f"the source (1 is the first). It writes {len(longer.text.split())} of {LONGER} numbers.",
        "The state knows the source only by the numbers it is fed, so it has to keep its place by counting steps, and "
        f"by recognising what it has just been fed. In training step {TRAINED} was always at the first number or past "
        "it; so it goes there when the count is up, wherever the sequence begins. It has learned where to look for the "
        "lengths it saw, not the rule.",
        (
            "It leaves the line before the first number's turn has come.",
            "It stays on the line.",
            "The first steps are the usual ones: the last number, the one before it, and so on.",
        ),
    )


def fed_its_mistakes(name: str, length: int, symbols: int) -> None:
    """Draw the share of steps on the line by what the decoder is fed, and the conclusion."""
    shares = place_keeping(name, length, symbols)
    st.markdown(
        "**Trained on the truth, fed its own mistakes.** When it writes alone, a wrong number is fed back in, which "
        f"never happened in training (*exposure bias*). How many steps of {SEQUENCES} sequences of {length} numbers "
        "still look at the number whose turn it is?"
    )
    fed = ("its own numbers", f"the right numbers, but number {WRONG} is wrong", "random numbers")
    rows = zip(fed, map(percent, shares), strict=True)
    table([dict(zip(("The decoder is fed", "Steps on the line"), row, strict=True)) for row in rows], "Steps")
    st.markdown(conclusion(shares))


def conclusion(shares: PlaceKeeping) -> str:
    """Return the conclusion from the shares, whichever way they fall."""
    lost_by_one, lost_by_many = shares.own - shares.one_wrong, shares.own - shares.random
    one = "hardly disturbs it" if lost_by_one < SLIGHT else "makes it lose its place"
    many = "many hardly do" if lost_by_many < SLIGHT else "many make it lose its place"
    return f"One wrong number {one}; {many}."


CHAPTER = Chapter(
    **TEXTS["learning"],
    picture=Diagram(
        _diagram,
        "Three grids of the weights on seven numbers in the recorded run, at its first update, an eighth of the "
        "way and at its end: even at first, then blurred, at last a line from the upper right to the lower left",
    ),
    live=live,
)
