"""Failures: sentences that a shipped model gets wrong, each with an explanation and a remedy.

The list is `failures.toml`; a test checks that each still fails.
"""

from functools import cache
from typing import NamedTuple

from regard.model.checkpoint import DEFAULT
from regard.model.files import toml_beside

LANGUAGES = ("en", "fr")


class Failure(NamedTuple):
    """`right` is the pattern of translations that would be right, `given` one of them."""

    label: str
    sentence: str
    right: str
    given: str
    shows: str
    do: str
    model: str = DEFAULT  # the model that fails


@cache
def failures() -> tuple[Failure, ...]:
    """Return the list, in the order of the file."""
    return tuple(Failure(**entry) for entry in toml_beside(__file__, "failures.toml")["failure"])


def failure_of(sentence: str, model: str) -> Failure | None:
    """Return the entry for this sentence and model, or None."""
    return next((one for one in failures() if (one.sentence, one.model) == (sentence, model)), None)
