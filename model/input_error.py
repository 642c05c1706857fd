"""Input error: something a person typed, sent or stored in a file cannot be used. The text addresses that person.

Screens and commands catch this and no other ValueError, so that a bug in the program is never reported as a visitor's
mistake. Files and Python count places from 0, screens count them from 1, so a `PlaceError` has a text for each.
"""

import argparse
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn


class InputWarning(UserWarning):
    """A sentence was not translated as given; the message names its index and the change."""


class InputError(ValueError):
    """Bad input; the text names the value and says what would be accepted."""


def check_choice(name: str, value: object, known: Collection[str]) -> None:
    """Check a choice against the known ones. Raises InputError if it is not among them."""
    if value not in known:
        raise InputError(f"{name} is {value!r}; it must be one of {', '.join(known)}")


@contextmanager
def naming(name: object) -> Iterator[None]:
    """Put the name of a file or a place before the text of an InputError."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def in_one_line(error: InputError | OSError) -> str:
    """Return the error's text on one line, beginning with the file if it has one."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


class OneLineParser(argparse.ArgumentParser):
    """`ArgumentParser` that answers a wrong command with one line, without repeating all options."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (--help tells more)\n")


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
