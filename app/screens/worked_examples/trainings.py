"""Two corrections that train small networks in front of the reader: on overfitting, and on teacher forcing."""

from collections.abc import Sequence

import streamlit as st

from regard.app.figures.training import Point, practice_curves
from regard.app.models.analyses import overfitting, teacher_forcing
from regard.app.models.models import scores
from regard.app.screens.worked_examples.corrections import DOT, REVERSAL, SHOWN
from regard.app.theme import component, percent
from regard.app.ui.conclusions import exposure_conclusion
from regard.app.ui.plots import plot
from regard.app.ui.widgets import table
from regard.model.synthetic.exposure_bias import recorded
from regard.model.synthetic.small_trainings import PAIR, REPEATED, Gap
from regard.model.synthetic.trainer import Note


def not_overfitting() -> str:
    parameters = scores(SHOWN)["model"]["parameters"]
    score = parameters - scores(DOT)["model"]["parameters"]
    return (
        f"The general score has {score:,} of {parameters:,} parameters ({percent(score / parameters)}), the dot score "
        "none. A network overfits if its loss on the sequences that it trains on falls below the loss on others. Train "
        f"six small ones, of three sizes, on the same {REPEATED} sequences and compare."
    )


def overfitted() -> None:
    """Train and draw the gap of each network, if the reader asks for it."""
    if _asked("overfitting", "Train six networks (about half a minute)"):
        found = overfitting(REVERSAL)
        table([_gap(each) for each in found], "Losses of small networks on sequences they trained on and on others")
        st.markdown(gap_verdict(found))


def _gap(each: Gap) -> dict[str, str]:
    return {
        "Attention": each.attention,
        "Hidden size": str(each.width),
        "Parameters": f"{each.parameters:,}",
        "Training loss": component(each.training),
        "Held-out loss": component(each.held_out),
        "Gap": component(each.held_out - each.training),
    }


def gap_verdict(found: Sequence[Gap]) -> str:
    """Say whether the gap grows with the size, and which of the two largest networks has the greater."""
    gaps: dict[str, list[float]] = {}
    for one in found:
        gaps.setdefault(one.attention, []).append(one.held_out - one.training)
    grows = [kind for kind, values in gaps.items() if values == sorted(values)]
    size = {
        (): "does not grow with each step in size",
        ("none",): "grows with the size without attention only",
        ("general",): "grows with the size with attention only",
    }.get(tuple(grows), "grows with the size, with and without attention")
    plain, attending = (values[-1] for values in gaps.values())
    return (
        f"The gap {size}. Of the largest two, with nearly as many parameters, the one with attention has the "
        f"{'greater' if attending > plain else 'smaller'} gap: {component(attending)} beside {component(plain)}. One "
        "run each, in nats per token."
    )


def faster_training() -> str:
    return (
        "Teacher forcing feeds each step the true token in place of the network's own. Does that speed convergence up? "
        f"Train two networks that {PAIR[0].task} up to {PAIR[0].longest} numbers, one fed the truth and one its own "
        "numbers, and compare their curves. It may have a price: in training the first never meets its own mistakes. "
        f"{exposure_conclusion(recorded())}"
    )


def converged() -> None:
    """Train both networks and draw their curves, if the reader asks for it."""
    if _asked("convergence", "Train both (about half a minute)"):
        truth, own = teacher_forcing(REVERSAL)
        runs = [("fed the truth", truth), ("fed its own numbers", own)]
        curves = [(name, [Point(note.update, note.loss, note.exact) for note in notes]) for name, notes in runs]
        plot(practice_curves(curves), "forcing", "Losses and exact sequences, with and without teacher forcing")
        st.markdown(convergence(truth, own))


def convergence(truth: Sequence[Note], own: Sequence[Note]) -> str:
    """Say at how many measurements the network that is fed the truth has the lower loss on held-out sequences."""
    pairs = [
        (one.validation, other.validation)
        for one, other in zip(truth, own, strict=True)
        if one.measured and one.update > 1
    ]
    lower = sum(one < other for one, other in pairs)
    sped = "did" if lower > len(pairs) / 2 else "did not"
    return (
        f"In this run it {sped} speed training up: the loss on held-out sequences, the truth fed to both, is lower at "
        f"{lower} of {len(pairs)} measurements, and at the end {component(pairs[-1][0])} beside "
        f"{component(pairs[-1][1])}."
    )


def _asked(name: str, label: str) -> bool:
    """Draw the button, and return True once it was pressed in this visit."""
    key = f"trained-{name}"
    if not st.session_state.get(key):
        st.session_state[key] = st.button(label, icon=":material/play_circle:", key=f"train-{name}")
    return st.session_state[key]
