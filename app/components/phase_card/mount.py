"""Phase cards as a Streamlit component: one phase of each translation's steps, with its trace's numbers.

`streamlit.js` draws it with the modules of the network's picture and reports which number is clicked.
"""

from collections.abc import Callable, Mapping
from functools import partial

from regard.app.components.shared.component import SentQuantity, hear, served
from regard.app.components.shared.modules import stepper_style
from regard.app.components.shared.packed import pack
from regard.app.components.stepper.payload import payload
from regard.model.trace import AnyTrace

NAME = "regard_phase_card"
mounted = served("phase_card", "streamlit.js", (), stepper_style())


def phase_card(
    traces: Mapping[str, AnyTrace],
    *,
    key: str,
    phase: str,
    step: int,
    covered: bool,
    inspect: Callable[[SentQuantity], None],
) -> None:
    """Mount a card of the phase for each trace, by its title; side by side, they go through the steps together.

    They open at `step`, counted from 1; `covered` hides the phase's result there, and in the reading phase all vectors
    of the last card. `inspect` receives the clicked number and its trace.
    """
    drawn = [payload([trace]) for trace in traces.values()]  # one by one: scores of two wirings have no common scale
    several = drawn[0] | {"traces": [one["traces"][0] for one in drawn]}
    data = pack(several).message({"phase": phase, "step": step, "covered": covered, "titles": list(traces)})
    mounted()(key=key, data=data, on_inspect_change=partial(hear, NAME, key, "inspect", inspect))
