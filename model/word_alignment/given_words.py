"""Given words: a forced pair whose words are given, separated by blanks, and the links between them."""

from collections.abc import Sequence

from jaxtyping import Float
from numpy import ndarray

from regard.model.checkpoint import AnyModel, Pretrained
from regard.model.readable import shorten
from regard.model.trace import AnyTrace, Trace
from regard.model.translate import force
from regard.model.word_alignment.detokenize import Joined, between, join, links
from regard.model.word_alignment.posterior import READINGS


def joined(model: AnyModel, pair: Sequence[str]) -> tuple[Joined, Joined]:
    """Return both sides as ordinary text with the places of their words."""
    source, target = (join(line, language) for line, language in zip(pair, model.tokenizer.languages, strict=True))
    return source, target


def fits(model: AnyModel, pair: Sequence[Joined]) -> bool:
    """Return True if neither side has more tokens than are read from a line."""
    return all(shorten(model.tokenizer, part.text, side) == part.text for side, part in enumerate(pair))


def word_weights(
    model: AnyModel, trace: AnyTrace, pair: Sequence[Joined], reading: str, rows: str = "output"
) -> Float[ndarray, "R C"]:
    """Return weights with a row per target word, by one of READINGS."""
    source, target = pair
    if isinstance(model, Pretrained) and isinstance(trace, Trace) and rows == "output":
        return READINGS[reading](model, trace, source, target)
    return between(trace.alignment, source, target, rows)


def word_links(model: AnyModel, pair: Sequence[Joined], reading: str) -> list[tuple[int, int]]:
    """Force one pair and return its links."""
    (trace,) = force(model, [(pair[0].text, pair[1].text)])
    return links(word_weights(model, trace, pair, reading))
