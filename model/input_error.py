"""Input error: what somebody typed, sent or keeps in a file cannot be used. Its text is for that person.

Screens and commands catch this and no other ValueError, so that a mistake in the program is never told as a visitor's.
"""


class InputError(ValueError):
    """Says what was wrong, with its value, and what would be accepted."""


def in_one_line(error: InputError | OSError) -> str:
    """What is told of it, beginning with the file if there is one."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())
