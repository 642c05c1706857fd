"""Acceptance rate: the share of likely first sentences whose translation a bilingual judge would accept.

`typed_first.tsv` has a line for each: kind TAB English as typed TAB acceptable French. The French is a pattern: `(a|b)`
is either, `(a|)` may be left out, ` || ` stands between whole alternatives. Case and the final mark do not count.

The authors of this program wrote the list, as what people are likely to type first; it was not observed. Its sentences
were kept out of the text that the shipped models learned from, as far as `regard.model.data.corpus.key` tells them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regard.model.data.corpus import read_lines
from regard.model.input_error import InputError
from regard.model.words import normalise

FILE = Path(__file__).with_name("typed_first.tsv")
TYPED_LANGUAGES = ("en", "fr")  # of the list
WHOLE = " || "  # between alternatives for the whole sentence

_MARKS = re.compile(r"[\s.!?…]+$")


@dataclass(frozen=True)
class Typed:
    """A sentence as typed, its kind, and the pattern of acceptable translations."""

    kind: str
    sentence: str
    acceptable: re.Pattern[str]


def read_typed(path: Path = FILE) -> list[Typed]:
    """Return the list. Raises InputError naming file and line where a line is not three columns or no pattern."""
    entries = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            kind, sentence, french = line.split("\t")
            entries.append(Typed(kind, sentence, pattern(french)))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: not kind TAB English TAB acceptable French ({error})") from error
    return entries


def pattern(french: str) -> re.Pattern[str]:
    """Return the acceptable French as a regular expression. Raises InputError for an unmatched parenthesis."""
    alternatives = []
    for whole in french.split(WHOLE):
        parts = re.split(r"([(|)])", normalise(whole))
        if parts.count("(") != parts.count(")"):
            raise InputError(f"{whole!r}: a parenthesis is not closed")
        alternatives.append("".join(_piece(part) for part in parts))
    return re.compile("|".join(f"(?:{one})" for one in alternatives))


def accepted(entry: Typed, translation: str) -> bool:
    """Return True if the translation is one of the acceptable ones."""
    return entry.acceptable.fullmatch(_plain(translation)) is not None


def rates(entries: Sequence[Typed], translations: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return how many sentences of each kind, and of "all", are accepted."""
    counts: dict[str, dict[str, int]] = {"all": {"sentences": 0, "accepted": 0}}
    for entry, translation in zip(entries, translations, strict=True):
        for kind in (entry.kind, "all"):
            count = counts.setdefault(kind, {"sentences": 0, "accepted": 0})
            count["sentences"] += 1
            count["accepted"] += accepted(entry, translation)
    return counts


def _piece(part: str) -> str:
    return {"(": "(?:", "|": "|", ")": ")"}.get(part, re.escape(_fold(part)))


def _plain(text: str) -> str:
    """Return the text in lower case, without its final mark."""
    return _fold(_MARKS.sub("", normalise(text)))


def _fold(text: str) -> str:
    return text.lower()
