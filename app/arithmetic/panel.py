"""The arithmetic of the number that was clicked last: formula, numbers, and NumPy's recomputation beside what is shown.

Each number links to those it was computed from; a Back button retraces the path. The same drawer shows what was *met in
training*: the training states nearest to one step, and their votes for the next token.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import streamlit as st

from regard.app.arithmetic.equations import agreement, formula, numbers, shapes, terms
from regard.app.components.shared.messages import SentQuantity
from regard.app.models.analyses import afterwards, afterwards_again, memory, moments
from regard.app.models.models import pretrained, title, training_text
from regard.app.models.traces import (
    recomputation,
    recurrent,
    reference_parameters,
    transformer_parameters,
    transformer_recomputation,
)
from regard.app.theme import percent
from regard.app.ui.definitions import definitions
from regard.app.ui.widgets import table
from regard.app.visitor.sentence_input import visit
from regard.app.wording import plain_markdown
from regard.model.alignment import Sentence, token_label
from regard.model.arithmetic.kinds import AFTERWARDS, BETWEEN_WORDS
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.arithmetic.transformer import work_out_transformer
from regard.model.input_error import InputError
from regard.model.memory.datastore import NEIGHBOURS, SHOWN, TEMPERATURE, Datastore, Neighbours, votes
from regard.model.memory.making import ORDINARY
from regard.model.trace import AnyTrace
from regard.model.transformer.trace import TransformerTrace

MET = "met"  # the kind of number under which the stepper requests it
NEXT = 8  # numbers that can be opened next
FRAGMENT = "arithmetic"


class MetInTraining(NamedTuple):
    """A step, from 0, of one of several traces on screen."""

    trace: int
    step: int


def show_clicked(clicked: SentQuantity) -> None:
    """Open a number and draw the arithmetic alone, in a callback."""
    open_clicked(clicked)
    st.rerun(FRAGMENT)


def open_clicked(clicked: SentQuantity) -> None:
    """Open a number that the browser names. An invalid one closes what was open and shows the reason."""
    try:
        met = clicked.kind == MET
        visit().opened = (MetInTraining(clicked.trace, clicked.step) if met else Quantity.parse(clicked.values),)
    except InputError as error:
        visit().opened, visit().not_opened = (), str(error)


@st.fragment(key=FRAGMENT)
def arithmetic(traces: Sequence[AnyTrace], names: Sequence[str] = ()) -> None:
    """Show the number that is open, if any.

    It appears in a drawer on the side away from the number, or on a phone in a sheet at the bottom; the page does not
    move. The stepper requests the same number of another step unless the drawer is pinned. `names` tell several traces
    apart; without names their models do.
    """
    visit().drawer = bool(visit().opened or visit().not_opened)
    with st.container(key="arithmetic"):
        if not visit().opened:
            if visit().not_opened:
                st.error(plain_markdown(visit().not_opened))
                visit().not_opened = ""
            return
        _top()
        try:
            opened = visit().opened[-1]
            if isinstance(opened, MetInTraining):
                met_in_training(opened, traces)
                return
            shown = opened.of(traces)
            named = list(names) or [title(trace.maker.name) for trace in traces]
            _show(opened, shown, named[opened.trace] if len(traces) > 1 else "")
        except InputError as error:
            visit().opened = ()
            st.error(plain_markdown(str(error)))


def _top() -> None:
    """Draw the buttons that pin and close the drawer, and its marker for the browser."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="arithmetic-top"):
        pinned = st.toggle("Stay at this step", key="pinned", help="If off, the arithmetic follows the step.")
        if len(visit().opened) > 1:
            before = visit().opened[:-1]
            st.button("Back", icon=":material/arrow_back:", type="tertiary", on_click=_open, args=(before,))
        st.button(
            "Close",
            icon=":material/close:",
            type="tertiary",
            shortcut="Esc",
            key="close-arithmetic",
            on_click=_open,
            args=((),),
        )
    st.html(f'<span class="arithmetic-open" data-pinned="{int(pinned)}"></span>')


def _show(quantity: Quantity, shown: AnyTrace, whose: str) -> None:
    """Draw a number's working; `whose` names the trace it belongs to, or is ""."""
    working = _worked_out(quantity, shown)
    if quantity.kind in BETWEEN_WORDS and len(working.terms) == 1:  # nothing merged: the token's own number says more
        _show(working.opens[0], shown, whose)
        return
    owner = f" · {plain_markdown(whose)}" if whose else ""
    st.markdown(f"**Arithmetic** of the {plain_markdown(working.name)}{owner}")
    st.markdown(plain_markdown(agreement(working)))  # above what may be long, so that it is always seen
    st.latex(formula(working, "latex"))
    if working.shapes:
        st.caption(plain_markdown(shapes(working)))
    st.latex(numbers(working))
    if named := terms(working):
        definitions(*named)
    if working.opens:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="open-next"):
            st.caption("Computed from", width="content")
            for following in working.opens[:NEXT]:
                name, path = plain_markdown(following.name(shown)), (*visit().opened, following)
                st.button(name, type="tertiary", on_click=_open, args=(path,), key=f"open-{following}")


def _worked_out(quantity: Quantity, shown: AnyTrace) -> Derivation:
    name = shown.maker.name
    about = name, tuple(shown.source_ids.tolist()), tuple(shown.target_ids.tolist()), shown.intervention
    if isinstance(shown, TransformerTrace):
        return work_out_transformer(quantity, shown, transformer_recomputation(*about), transformer_parameters(name))
    shown = recurrent(shown)
    recomputed, parameters = recomputation(*about), reference_parameters(name)
    if quantity.kind not in AFTERWARDS:
        return work_out(quantity, shown, recomputed, parameters)
    tokenizer, found, again = pretrained(name).tokenizer, afterwards(shown), afterwards_again(*about)

    def label(index: int) -> str:
        return token_label(tokenizer.token(index))

    return work_out(quantity, shown, recomputed, parameters, found, again, label)


def _open(path: tuple[Quantity, ...]) -> None:
    visit().opened = path


def met_in_training(asked: MetInTraining, traces: Sequence[AnyTrace]) -> None:
    """Draw the states nearest to a step. Raises InputError if the step is not on screen."""
    if not 0 <= asked.trace < len(traces) or not 0 <= asked.step < len(traces[asked.trace].target):
        raise InputError(f"step {asked.step + 1} of trace {asked.trace + 1} is not on screen")
    trace = traces[asked.trace]
    store = memory(trace.maker.name)
    if store is None:
        raise InputError(f"the model {trace.maker.name} has no memory")
    found = store.nearest(trace.attentional[asked.step : asked.step + 1], NEIGHBOURS)
    text = training_text(trace.maker.name)
    trained = f" The model was trained on {text}." if text else ""
    st.markdown(
        f"**Met in training**: states similar to step {asked.step + 1}  \n:small[Similar states are not causes. The "
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
    _choices(trace, asked.step, store, found)
    _sums(found, store)


def _choices(trace: AnyTrace, step: int, store: Datastore, found: Neighbours) -> None:
    """Draw the model's likeliest tokens beside the neighbours' votes for them."""
    weights, tokens = votes(found, TEMPERATURE)[0], store.next_ids[found.entries[0]]
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
    weights = votes(found, TEMPERATURE)[0]
    squares = found.squares[0].astype(float)
    axes = f"{len(store.directions)} principal axes; stored coordinates are rounded to multiples of {store.step:.3g}"
    st.latex(r"d^2 = \sum_k (a_k - b_k)^2 \qquad \text{vote} = \frac{e^{-d^2/\tau}}{\sum_j e^{-d_j^2/\tau}}")
    total = float(np.exp((squares[0] - squares) / TEMPERATURE).sum())
    first = rf"e^{{-{squares[0]:.2f}/{TEMPERATURE:g}}}"
    all_of_them = rf"\sum_{{j=1}}^{{{len(squares)}}} e^{{-d_j^2/{TEMPERATURE:g}}}"
    st.latex(rf"\frac{{{first}}}{{{all_of_them}}} = \frac{{1}}{{{total:.3f}}} = {100 * weights[0]:.1f}\%")
    st.caption(f"Distances compare the output layer's inputs by their coordinates on {axes}.")
    st.caption("All squared distances, nearest first: " + ", ".join(f"{square:.1f}" for square in squares))
