"""Data augmentation by copies in casual spelling: what people type who are in a hurry.

    I don't know.     i dont know     I DON'T KNOW.     I don't know

The French side stays as it is, apart from the full stop or exclamation mark that goes when the English one goes: a
question keeps its mark in French, as a translator would write it.
"""

import re
from enum import Enum

from regard.model.data.corpus import Pair

MARKS = (".", "!", "?")
LONGEST_CAPITALS = 60  # characters: capitals are read nearly letter by letter

_CONTRACTED = re.compile(r"(?<=\w)'(?=(?:s|m|t|re|ve|ll|d)\b)", re.IGNORECASE)  # I'm, don't


class Casual(Enum):
    """The spelling of a source sentence."""

    LOWER = "lower case"
    UNMARKED = "no final mark"
    HURRIED = "lower case, no final mark"
    BARE = "lower case, no final mark, no apostrophes"
    CAPITALS = "capitals"


def casual(pair: Pair, style: Casual) -> Pair:
    """The pair with its source in that spelling; the same pair where the spelling would change nothing."""
    if style is Casual.LOWER:
        return Pair(pair.source.lower(), pair.target)
    if style is Casual.UNMARKED:
        return unmarked(pair)
    if style is Casual.CAPITALS:
        return Pair(pair.source.upper(), pair.target) if len(pair.source) <= LONGEST_CAPITALS else pair
    source, target = unmarked(pair)
    source = source.lower()
    return Pair(_CONTRACTED.sub("", source) if style is Casual.BARE else source, target)


def unmarked(pair: Pair) -> Pair:
    """Without the final mark; an ellipsis stays, and so does a pair of which one side would be empty."""
    source, target = _without(pair.source, MARKS), _without(pair.target, (".", "!"))
    if not source or not target or pair.source.endswith("..") or pair.target.endswith(".."):
        return pair
    return Pair(source, target if source != pair.source else pair.target)


def _without(text: str, marks: tuple[str, ...]) -> str:
    return text[:-1].rstrip(" ") if text.endswith(marks) else text
