"""Word lists by which the engine's `readAs` reads a sentence as `regard.model.truecasing.read_as` does."""

from typing import Any

from regard.app.export.translator.parameters import as_text
from regard.model.spelling import ALIKE, FREQUENT, LETTERS, LONGEST, PROPER, SHORTEST, dictionary
from regard.model.truecasing import CONTRACTIONS

DICTIONARY = "The known words are those of pyspellchecker, MIT License, Copyright (c) 2018-2021 Tyler Barrus."


def spelling() -> dict[str, Any]:
    """Return the lists; `known` has a word a line, the most frequent first."""
    return {
        "contractions": CONTRACTIONS,
        "proper": sorted(PROPER),
        "known": "\n".join(dictionary()),
        "frequent": FREQUENT,
        "lengths": [SHORTEST, LONGEST],
        "letters": LETTERS,
        "alike": ALIKE,
    }


def packed() -> dict[str, Any]:
    """Return the lists with `known`, 1.6 MB, compressed to base64 text."""
    lists = spelling()
    return lists | {"known": as_text(lists["known"].encode())}
