"""The samples as a list under the greedy translation; a click, a tap or Enter opens one.

Words that the greedy translation lacks are marked.
"""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from regard.app.components.shared.served import sent, served
from regard.app.theme import component as two_decimals
from regard.app.theme import percent
from regard.app.visitor.sentence_input import visit
from regard.model.analysis.model_comparison import pieces
from regard.model.decoding.sampling import Sample
from regard.model.trace import AnyTrace

NAME = "regard_sample_list"
KEY = "listing"
mounted = served("sample_list", "listing.js", ("colours", "listing"))


def listing(samples: Sequence[Sample[AnyTrace]], greedy: AnyTrace, chosen: int) -> None:
    """Mount the list, a row for equal samples; choosing one sets `st.session_state.sample` to its first, from 0."""
    counts = Counter(tokens_of(sample.trace) for sample in samples)
    firsts = first_of_each(samples)
    rows = [_row(str(index + 1), samples[index].trace, greedy, counts) for index in firsts]
    data = {
        "language": greedy.alignment.target.language,
        "greedy": _row("greedy", greedy, greedy, counts),
        "rows": rows,
        "chosen": firsts.index(first_like(samples, chosen)),
    }
    mounted()(key=KEY, data=data, on_choose_change=lambda: _choose(firsts))


def tokens_of(shown: AnyTrace) -> tuple[int, ...]:
    """Return all tokens: samples with the same tokens are equal in every number."""
    return tuple(shown.target_ids.tolist())


def first_like(samples: Sequence[Sample[AnyTrace]], place: int) -> int:
    """Return the first sample that equals this one."""
    wanted = tokens_of(samples[place].trace)
    return next(index for index, sample in enumerate(samples) if tokens_of(sample.trace) == wanted)


def first_of_each(samples: Sequence[Sample[AnyTrace]]) -> list[int]:
    """Return the samples without an equal before them."""
    return [place for place in range(len(samples)) if first_like(samples, place) == place]


def _choose(firsts: Sequence[int]) -> None:
    """Set the chosen sample; the browser's message is not trusted."""
    chosen = sent(NAME, KEY, "choose")
    if chosen in range(len(firsts)):
        st.session_state.sample, visit().opened = firsts[chosen], ()


def _row(name: str, shown: AnyTrace, greedy: AnyTrace, counts: Counter[tuple[int, ...]]) -> dict[str, object]:
    """Return one translation as listed, in pieces of a text and its kind."""
    return {
        "name": name,
        "pieces": [(piece.text, piece.kind) for piece in pieces(shown.alignment.target, greedy.alignment.target)],
        "log_probability": two_decimals(shown.log_probability),
        "share": shown.mean_probability,
        "percent": percent(shown.mean_probability),
        "times": times(counts[tokens_of(shown)]),
        "note": "stopped at the limit" if shown.stop == "limit" else "",
    }


def times(count: int) -> str:
    """Say how often something was sampled."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
