"""Input error: something a person typed, sent or stored in a file cannot be used. The text addresses that person.

Screens and commands catch this and no other ValueError, so that a bug in the program is never reported as a visitor's
mistake.
"""

from collections.abc import Collection


class InputWarning(UserWarning):
    """A sentence was not translated as given; the message names its index and the change."""


class InputError(ValueError):
    """Bad input; the text names the value and says what would be accepted."""


def check_choice(name: str, value: object, known: Collection[str]) -> None:
    """Check a choice against the known ones. Raises InputError if it is not among them."""
    if value not in known:
        raise InputError(f"{name} is {value!r}; it must be one of {', '.join(known)}")


def in_one_line(error: InputError | OSError) -> str:
    """Return the error's text on one line, beginning with the file if it has one."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())
