"""Search in the glossary by what a person types."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from regard.app.glossary.definition import Definition

QUERY_CHARACTERS = 60  # characters to search for
SHOWN_TERMS = 12  # terms shown at once: each takes the browser a moment
SUGGESTED = ("attention", "score", "weight", "context")  # suggestions when nothing is found
_MARKUP = re.compile(r"[*`$\\]")


def matching(typed: str, definitions: Mapping[str, Definition]) -> list[str]:
    """Return the terms that contain all the words typed, best first: in the term, its other names, its text."""
    words = typed.casefold().split()
    ranks = {name: _rank(words, known) for name, known in definitions.items()}
    return sorted((name for name in definitions if ranks[name] < NOWHERE), key=ranks.__getitem__)


def close(typed: str, definitions: Mapping[str, Definition]) -> list[str]:
    """Return the terms spelled nearly like what was typed."""
    named = {_plain(text): name for name, known in definitions.items() for text in _names(known)}
    return list(dict.fromkeys(named[text] for text in get_close_matches(_plain(typed), named, n=3, cutoff=0.6)))


NOWHERE = 4


def _rank(words: list[str], known: Definition) -> int:
    """Return the rank of a match: 0 if a name begins with the words, more if it contains them, most for the text."""
    names = [_plain(text) for text in _names(known)]
    whole = " ".join(words)
    if any(text.startswith(whole) for text in names[:1]):
        return 0
    if any(text.startswith(whole) for text in names):
        return 1
    if all(any(word in text for text in names) for word in words):
        return 2
    everything = " ".join([*names, _plain(known.text), _plain(known.source)])
    return 3 if all(word in everything for word in words) else NOWHERE


def _names(known: Definition) -> list[str]:
    return [known.term, *known.also.split(", ")] if known.also else [known.term]


def _plain(text: str) -> str:
    return _MARKUP.sub("", text).casefold()
