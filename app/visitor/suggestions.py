"""Sentences to try with a model: chosen for its languages, made of its symbols, or watched during training.

Failures are sentences that a shipped model gets wrong, each with an explanation and a remedy. The list is
`failures.toml`; a test checks that each still fails.
"""

from functools import cache
from typing import NamedTuple

from regard.app.models.models import any_pretrained, snapshots
from regard.app.models.registry import languages
from regard.app.wording import EXAMPLES, OPENINGS, sequences
from regard.model.checkpoint import DEFAULT, AnyModel
from regard.model.files import toml_beside
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer

LANGUAGES = ("en", "fr")  # of the failures
SHORT = 28  # characters of a sentence on a button
OFFERED_SENTENCES = 6  # sentences on offer


def to_try(model: AnyModel) -> dict[str, str]:
    """Return sentences by their button labels; none if nothing is known of the language."""
    pair = model.tokenizer.languages
    if pair in EXAMPLES:
        return EXAMPLES[pair]
    return sequences(model.tokenizer) or _watched(model.name)


def opening(name: str, screen: str = "") -> str:
    """Return the sentence that a screen opens with for this model, or "" if none is known."""
    pair = languages(name) or ("", "")
    if pair in OPENINGS.get(screen, {}):
        return OPENINGS[screen][pair]
    chosen = EXAMPLES.get(pair)
    try:
        return next(iter((chosen or to_try(any_pretrained(name))).values()), "")
    except InputError:  # reported where the model is used
        return ""


def long_sequence(tokenizer: Tokenizer) -> str:
    """Return the longest sequence on offer, or "" if tokens are not symbols."""
    return max(sequences(tokenizer).values(), key=len, default="")


def _watched(name: str) -> dict[str, str]:
    """Return the sentences whose attention was recorded while the model learned, short to long."""
    try:
        recorded = snapshots(name)
    except InputError:  # reported where they are shown
        return {}
    texts = [pair.source for pair in recorded.pairs][:OFFERED_SENTENCES] if recorded else []
    return {text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…": text for text in texts}


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
