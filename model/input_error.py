"""Input error: what somebody typed, sent or keeps in a file cannot be used. Its text is for that person.

Screens and commands catch this and no other ValueError, so that a mistake in the program is never told as a visitor's.
"""


class InputError(ValueError):
    """Says what was wrong, with its value, and what would be accepted."""
