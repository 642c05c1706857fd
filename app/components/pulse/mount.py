"""Pulse: has its part of the page drawn again every few seconds while the page is on view, and passes on a step."""

from collections.abc import Callable

from regard.app.components.shared.component import sent, served

NAME = "regard_pulse"
KEY = "pulse"
mounted = served("pulse", "pulse.js", ())


def pulse(seconds: float, step: int | None = None, on_beat: Callable[[], None] = lambda: None) -> None:
    """Mount the pulse, in a fragment. The stepper of the page goes to `step` when that changes."""
    beat = sent(NAME, KEY, "beat")  # its number goes back: the browser hears of nothing that did not change
    data = {"seconds": seconds, "step": step, "heard": beat.nonce if beat else 0}
    mounted()(key=KEY, data=data, on_beat_change=on_beat)


def step_on_view() -> int | None:
    """Return the step of the page's stepper as the last beat had it, or None."""
    beat = sent(NAME, KEY, "beat")
    return beat.step if beat else None
