"""Data augmentation by copies in casual spelling, as people type in a hurry.

    I don't know.     i dont know     I DON'T KNOW.     I don't know

The French side is unchanged, except that it loses its full stop or exclamation mark with the English side; a French
question keeps its mark, as a translator would write it.
"""

import re
from enum import Enum

from regard.model.data.corpus import Pair

MARKS = (".", "!", "?")
LONGEST_CAPITALS = 60  # characters; text in capitals is tokenized nearly letter by letter

_CONTRACTED = re.compile(r"(?<=\w)'(?=(?:s|m|t|re|ve|ll|d)\b)", re.IGNORECASE)  # I'm, don't


class Casual(Enum):
    """The spelling of a source sentence."""

    LOWER = "lower case"
    UNMARKED = "no final mark"
    HURRIED = "lower case, no final mark"
    BARE = "lower case, no final mark, no apostrophes"
    CAPITALS = "capitals"


def casual(pair: Pair, style: Casual) -> Pair:
    """Return the pair with its source in that spelling, or an equal pair if the spelling changes nothing."""
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
    """Return the pair without final marks. An ellipsis is kept, as is a pair that would lose a whole side."""
    source, target = _without(pair.source, MARKS), _without(pair.target, (".", "!"))
    if not source or not target or pair.source.endswith("..") or pair.target.endswith(".."):
        return pair
    return Pair(source, target if source != pair.source else pair.target)


def _without(text: str, marks: tuple[str, ...]) -> str:
    return text[:-1].rstrip(" ") if text.endswith(marks) else text
