"""The samples as a list under the greedy translation; a click, a tap or Enter opens one.

Words that the greedy translation does not have are marked.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import streamlit as st

from app.components.shared.modules import script, style
from app.components.shared.served import served
from app.input_validation.component_messages import read
from app.theme import component as two_decimals
from app.theme import percent
from model.analysis.model_comparison import pieces
from model.decoding.sampling import Sample
from model.trace import Trace

NAME = "regard_sample_list"
HERE = Path(__file__).parent
KEY = "listing"


class SampleRow(TypedDict):
    """One translation as it is shown; `pieces` are pairs of text and kind."""

    name: str
    pieces: list[tuple[str, str]]
    log_probability: str
    share: float
    percent: str
    times: str
    note: str


def listing(samples: Sequence[Sample], greedy: Trace, chosen: int) -> None:
    """Mount the list; who chooses another sample sets `st.session_state.sample`, from 0."""
    texts = Counter(sample.trace.text for sample in samples)
    rows = [_row(str(index + 1), sample.trace, greedy, texts) for index, sample in enumerate(samples)]
    data = {
        "language": greedy.alignment.target.language,
        "greedy": _row("greedy", greedy, greedy, texts),
        "rows": rows,
        "chosen": chosen,
    }
    mounted()(key=KEY, data=data, on_choose_change=lambda: _choose(len(samples)))


def _choose(count: int) -> None:
    """What the browser sends is not trusted."""
    chosen = read(NAME, "choose", st.session_state.get(KEY, {}).get("choose"))
    if chosen in range(count):
        st.session_state.sample, st.session_state.opened = chosen, ()


def _row(name: str, shown: Trace, greedy: Trace, texts: Counter[str]) -> SampleRow:
    return {
        "name": name,
        "pieces": [(piece.text, piece.kind) for piece in pieces(shown.alignment.target, greedy.alignment.target)],
        "log_probability": two_decimals(shown.log_probability),
        "share": shown.mean_probability,
        "percent": percent(shown.mean_probability),
        "times": f"{texts[shown.text]} of {texts.total()}",
        "note": "stopped at the limit" if shown.stop == "limit" else "",
    }


@cache
def mounted() -> Any:
    """The component, registered once."""
    return served("sample_list", script(HERE / "listing.js"), style(HERE, ("listing",)))
