"""Place error: a change does not fit at its step, position or head.

Files and Python count places from 0, screens count them from 1, so the error has a text for each.
"""

from collections.abc import Mapping

from regard.model.input_error import InputError


class PlaceError(InputError):
    """A problem at named places; the error's own text counts them from 0, `on_screen` from 1."""

    def __init__(self, places: Mapping[str, int], problem: str) -> None:
        super().__init__(_text(places, 0) + problem)
        self.on_screen = _text(places, 1) + problem


def on_screen(error: InputError) -> str:
    """Return the text of an error as a screen shows it."""
    return error.on_screen if isinstance(error, PlaceError) else str(error)


def _text(places: Mapping[str, int], first: int) -> str:
    return ", ".join(f"{name} {place + first}" for name, place in places.items())
