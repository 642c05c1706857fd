"""The stepper as a Streamlit component: its core, connected to the page and to Python."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from regard.app.components.shared.component import (
    MESSAGES,
    SentEdit,
    SentPreview,
    SentQuantity,
    SentTyped,
    hear,
    read,
    served,
)
from regard.app.components.shared.modules import stepper_style
from regard.app.components.shared.packed import pack
from regard.app.components.stepper.payload import Head, payload
from regard.app.visitor.question import SUBJECT, VIEW, Opening
from regard.model.alignment import Posterior
from regard.model.trace import AnyTrace, Trace

NAME = "regard_stepper"
mounted = served("stepper", "streamlit.js", (), stepper_style())
# Parameters of the page's link, of which the browser writes the view's. The weights are no part of what is asked: a
# link may lack them, and the page adds them.
LINK = {"subject": [name for name in SUBJECT if name != "weights"], "view": VIEW}


class Change(NamedTuple):
    """The handlers of a person's changes, and the state that they change."""

    open: bool  # whether before and after are side by side
    hear: Callable[[Sequence[SentEdit]], None]  # edits with increasing numbers, perhaps repeated, so that none is lost
    heard: int  # number of the last edit received
    preview: Callable[[SentPreview], None]  # weights during a drag
    inspect: Callable[[SentQuantity], None]  # the number that was clicked
    typed: Callable[[SentTyped], None]  # the finished words of a sentence that is being typed
    typing: Mapping[str, object]  # the latest words received, and whether the sentence shown is a draft made of them
    memory: bool = False  # whether *Met in training* is available


def stepper(
    traces: Sequence[AnyTrace],
    opening: Opening,
    *,
    heads: Sequence[Head] = (),
    posteriors: Sequence[Posterior] = (),
    key: str,
    inspect: Callable[[SentQuantity], None],
    hear_rows: Callable[[str], None],
) -> None:
    """Mount the stepper. `inspect` is called back with the number that was clicked.

    `heads` are the headings above the traces, `posteriors` belong to the traces: one for each or none. A person goes on
    from the opening, whose step is clamped; only a changed setting or another sentence moves the view. A number is
    named by `trace`, `kind` and its indices, all from 0 (`step` is −1 for the initial state). `hear_rows` receives how
    rows are read whenever that starts or stops needing the posteriors.
    """
    data = pack(payload(traces, heads, posteriors)).message(_settings(traces, opening))
    _mount(key, data, {"inspect": inspect, "rows": hear_rows})


def drawn_stepper(drawn: Mapping[str, object], opening: Opening, *, key: str) -> SentQuantity | None:
    """Mount the stepper for a drawn `payload`, such as weights alone (`payload.of_alignment`).

    Returns the number that was clicked, in the run started by the click, and None in others.
    """
    data = pack(drawn).message({**opening.as_data(), "link": LINK})
    return read(NAME, "inspect", _mount(key, data, {}).inspect)


def changing_stepper(
    drawn: Mapping[str, object],
    opening: Opening,
    *,
    trace: AnyTrace,
    key: str,
    change: Change,
    hear_rows: Callable[[str], None],
) -> None:
    """Mount the stepper for a translation that can be changed; `drawn` is made by `payload.changeable`."""
    state = {"edit": change.open, "heard": change.heard, "memory": change.memory, "typing": change.typing}
    data = pack(drawn).message({**_settings([trace], opening), **state})
    told = {"edit": change.hear, "preview": change.preview, "typed": change.typed}
    _mount(key, data, {"inspect": change.inspect, "rows": hear_rows, **told})


def _settings(traces: Sequence[AnyTrace], opening: Opening) -> dict[str, object]:
    """Return the opening settings. The posterior is defined for a single attention, so every trace must have
    just one.
    """
    return {**opening.as_data(), "posterior": all(isinstance(trace, Trace) for trace in traces), "link": LINK}


def _mount(key: str, data: bytes, heard: Mapping[str, Callable[[Any], None]]) -> Any:
    """Mount the component; `heard` has a function for each message, by name. Every message has a callback, because
    otherwise it would not be an attribute of the result."""
    callbacks = {
        f"on_{name}_change": partial(hear, NAME, key, name, heard.get(name, lambda _: None))
        for component, name in MESSAGES
        if component == NAME
    }
    return mounted()(key=key, data=data, **callbacks)
