"""The arithmetic of the number that was clicked last: formula, numbers, and NumPy's recomputation beside what is shown.

Each number links to those it was computed from; a Back button retraces the path. The same drawer shows what was *met in
training*: the training states nearest to one step, and their votes for the next token.
"""

import math
from collections.abc import Sequence

import streamlit as st

from regard.app.arithmetic.met_in_training import MET, MetInTraining, met_in_training
from regard.app.components.shared.component import SentQuantity
from regard.app.components.stepper.mount import stepper
from regard.app.components.stepper.payload import Head
from regard.app.components.working.mount import working as column
from regard.app.glossary.terms import definitions
from regard.app.models.analyses import afterwards, afterwards_again
from regard.app.models.models import pretrained, title
from regard.app.models.traces import (
    recomputation,
    recurrent,
    reference_parameters,
    transformer_parameters,
    transformer_recomputation,
)
from regard.app.visitor.pickers import asked_for, hear_rows
from regard.app.visitor.question import Opening
from regard.app.visitor.sentence_input import visit
from regard.app.wording import plain_markdown
from regard.model.alignment import Posterior, token_label
from regard.model.arithmetic.quantity import AFTERWARDS, BETWEEN_WORDS, KINDS, Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.arithmetic.transformer import work_out_transformer
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace
from regard.model.transformer.trace import TransformerTrace

SOFTMAX = ("weight/softmax", "probability", "likelihood")  # forms that are a softmax
DIGITS = 4  # of a result after the point, unless it is small
TOO_SMALL = "Too small to tell: for a sum of this size, float32 rounds by up to {}"
NEXT = 8  # numbers that can be opened next
FRAGMENT = "arithmetic"


def show_clicked(clicked: SentQuantity) -> None:
    """Open a number and draw the arithmetic alone, in a callback."""
    open_clicked(clicked)
    st.rerun(FRAGMENT)


def open_clicked(clicked: SentQuantity) -> None:
    """Open a number that the browser names. An invalid one closes what was open and shows the reason."""
    try:
        states = clicked.kind == MET
        visit().opened = (MetInTraining(clicked.trace, clicked.step) if states else Quantity.parse(clicked.values),)
    except InputError as error:
        visit().opened, visit().not_opened = (), str(error)


def step_through(
    traces: Sequence[AnyTrace], opening: Opening, *, key: str, heads: Sequence[Head] = ()
) -> list[Posterior]:
    """Draw the stepper, and the arithmetic of the number that was clicked last; return the posteriors, if chosen."""
    posteriors = asked_for(traces)
    stepper(traces, opening, heads=heads, posteriors=posteriors, key=key, inspect=show_clicked, hear_rows=hear_rows)
    arithmetic(traces)
    return posteriors


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
    st.latex(working.formula)
    if working.shapes:
        sizes = " · ".join(f"{name} {' × '.join(map(str, shape))}" for name, shape in working.shapes.items())
        st.caption(plain_markdown(sizes))
    column(working, key="working")
    if named := terms(working):
        definitions(*named)
    if working.opens:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="open-next"):
            st.caption("Computed from", width="content")
            for following in working.opens[:NEXT]:
                name, path = plain_markdown(following.name(shown)), (*visit().opened, following)
                st.button(name, type="tertiary", on_click=_open, args=(path,), key=f"open-{following}")


def agreement(working: Derivation) -> str:
    """Compare in words the number that NumPy recomputed with the one shown."""
    recomputed = final(working.recomputed)
    if working.shown is None or working.difference is None:
        return f"NumPy computation: {recomputed}. The translation stores no such number to compare with."
    difference = _rounded(working.difference) if working.difference else "0"
    line = f"NumPy recomputation: {recomputed}, shown {final(working.shown)}, difference {difference}"
    if not working.agrees:
        return f"{line}. These do not agree: the translation was not made by these weights."
    return line if working.tells else f"{line}. {TOO_SMALL.format(_rounded(working.tolerance))}"


def final(value: float) -> str:
    """Format with four digits after the point, or three significant ones if the number is small."""
    leading = -math.floor(math.log10(abs(value))) if 0 < abs(value) < 0.01 else 2
    plain = f"{value:.2e}" if leading >= DIGITS + 2 else f"{value + 0:.{leading + 2}f}"  # −0.0 + 0 is 0.0
    return plain.replace("-", "−", 1) if value < 0 else plain


def _rounded(value: float) -> str:
    return f"{value:.0e}".replace("e-0", "e-")


def terms(working: Derivation) -> list[str]:
    """Return the glossary terms of a formula's symbols: the number's own, its ending's, and those of its terms."""
    softmax = working.ending == "share" and working.form in SOFTMAX
    ending = ["softmax"] if softmax else [working.ending] if working.ending in ("tanh", "sigmoid") else []
    named = (term for kind in working.kinds for term in KINDS[kind].terms)
    return list(dict.fromkeys((*KINDS[working.quantity.kind].terms, *ending, *named)))


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
