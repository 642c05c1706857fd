"""The training states nearest to one step of a translation, and their votes for the next token.

The drawer of the arithmetic shows them for a step that was pressed under *Met in training*.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import streamlit as st

from regard.app.models.analyses import memory, moments
from regard.app.models.models import training_text
from regard.app.theme import percent
from regard.app.ui.widgets import table
from regard.model.alignment import Sentence
from regard.model.input_error import InputError
from regard.model.memory.datastore import NEIGHBOURS, SHOWN, TEMPERATURE, Datastore, Neighbours, votes
from regard.model.memory.making import ORDINARY
from regard.model.trace import AnyTrace

MET = "met"  # the kind of number under which the stepper requests it


class MetInTraining(NamedTuple):
    """A step, from 0, of one of several traces on screen."""

    trace: int
    step: int


def met_in_training(place: MetInTraining, traces: Sequence[AnyTrace]) -> None:
    """Draw the states nearest to a step. Raises InputError if the step is not on screen."""
    if not 0 <= place.trace < len(traces) or not 0 <= place.step < len(traces[place.trace].target):
        raise InputError(f"step {place.step + 1} of trace {place.trace + 1} is not on screen")
    trace = traces[place.trace]
    store = memory(trace.maker.name)
    if store is None:
        raise InputError(f"the model {trace.maker.name} has no memory")
    found = store.nearest(trace.attentional[place.step : place.step + 1], NEIGHBOURS)
    text = training_text(trace.maker.name)
    trained = f" The model was trained on {text}." if text else ""
    st.markdown(
        f"**Met in training**: states similar to step {place.step + 1}  \n:small[Similar states are not causes. The "
        f"memory holds {len(store):,} states, one for each step of {store.sentences:,} sentence pairs, evenly spaced "
        f"over the {store.pairs:,} that the memory was made from.{trained}]"
    )
    nearest = float(found.distances[0, 0])
    if nearest > store.far:
        st.warning(
            f"Nothing in the memory is close: the nearest state is {nearest:.1f} away. On ordinary held-out text, "
            f"{ORDINARY:.0%} of states have a neighbour within {store.far:.1f}."
        )
    met = moments(trace.maker.name, tuple(found.entries[0, :SHOWN].tolist()))
    st.html("".join(_moment(store, found, rank, one) for rank, one in enumerate(met)))
    st.caption("Marked: the token that came next, and the source token that the model looked at most.")
    _choices(trace, place.step, store, found)
    _sums(found, store)


def _choices(trace: AnyTrace, step: int, store: Datastore, found: Neighbours) -> None:
    """Draw the model's likeliest tokens beside the neighbours' votes for them."""
    weights, tokens = votes(found)[0], store.next_ids[found.entries[0]]
    rows = [
        {
            "next token": name.strip() or name,
            "model": percent(float(probability)),
            f"of {len(tokens)} nearest": str(int((tokens == token).sum())),
            "their votes": percent(float(weights[tokens == token].sum())),
        }
        for name, token, probability in zip(
            trace.top_tokens[step], trace.top_ids[step].tolist(), trace.top_probabilities[step], strict=True
        )
    ]
    table(rows, "Next tokens by the model and by the nearest states")
    others = float(weights[~np.isin(tokens, trace.top_ids[step])].sum())
    st.caption(f"Votes for other tokens: {percent(others)}. A nearer state has a larger vote.")


def _moment(store: Datastore, found: Neighbours, rank: int, forced: AnyTrace) -> str:
    """Return a training sentence pair with two words marked: the one written next and the one most looked at."""
    step = store.moment(int(found.entries[0, rank])).step
    sides = (forced.alignment.source, int(forced.weights[step].argmax())), (forced.alignment.target, step)
    lines = "".join(f'<p lang="{escape(side.language)}">{_marked(side, place)}</p>' for side, place in sides)
    away = f"<small>{rank + 1} · {found.distances[0, rank]:.2f} away</small>"
    return f'<div class="met" data-testid="moment">{away}{lines}</div>'


def _marked(side: Sentence, token: int) -> str:
    """Return a sentence with one of its tokens marked, or its end."""
    place = side.characters[token]
    marked = side.text[place.start : place.stop] or "⏹"
    return f"{escape(side.text[: place.start])}<mark>{escape(marked)}</mark>{escape(side.text[place.stop :])}"


def _sums(found: Neighbours, store: Datastore) -> None:
    """Write out the first vote, down to its distance."""
    weights = votes(found)[0]
    squares = found.squares[0].astype(float)
    axes = f"{len(store.directions)} principal axes; stored coordinates are rounded to multiples of {store.step:.3g}"
    st.latex(r"d^2 = \sum_k (a_k - b_k)^2 \qquad \text{vote} = \frac{e^{-d^2/\tau}}{\sum_j e^{-d_j^2/\tau}}")
    total = float(np.exp((squares[0] - squares) / TEMPERATURE).sum())
    first = rf"e^{{-{squares[0]:.2f}/{TEMPERATURE:g}}}"
    all_of_them = rf"\sum_{{j=1}}^{{{len(squares)}}} e^{{-d_j^2/{TEMPERATURE:g}}}"
    st.latex(rf"\frac{{{first}}}{{{all_of_them}}} = \frac{{1}}{{{total:.3f}}} = {100 * weights[0]:.1f}\%")
    st.caption(f"Distances compare the output layer's inputs by their coordinates on {axes}.")
    st.caption("All squared distances, nearest first: " + ", ".join(f"{square:.1f}" for square in squares))
