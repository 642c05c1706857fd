"""Acceptance rate: of sentences that people type first, the share whose translation a bilingual judge would accept.

`typed_first.tsv` has a line for each: kind TAB English as typed TAB acceptable French. The French is a pattern: `(a|b)`
is either, `(a|)` may be left out, ` || ` stands between whole alternatives. Case and the final mark do not count. No
sentence of the list is in the text that the shipped models learned from.
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
    """A sentence as typed, of which kind it is, and the pattern of what is acceptable."""

    kind: str
    sentence: str
    acceptable: re.Pattern[str]


def read_typed(path: Path = FILE) -> list[Typed]:
    """The list. Raises InputError naming file and line for what is no line of three columns or no pattern."""
    entries = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            kind, sentence, french = line.split("\t")
            entries.append(Typed(kind, sentence, pattern(french)))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: not kind TAB English TAB acceptable French ({error})") from error
    return entries


def pattern(french: str) -> re.Pattern[str]:
    """The acceptable French as a regular expression. Raises InputError for a parenthesis without its other."""
    alternatives = []
    for whole in french.split(WHOLE):
        parts = re.split(r"([(|)])", normalise(whole))
        if parts.count("(") != parts.count(")"):
            raise InputError(f"{whole!r}: a parenthesis is not closed")
        alternatives.append("".join(_piece(part) for part in parts))
    return re.compile("|".join(f"(?:{one})" for one in alternatives))


def accepted(entry: Typed, translation: str) -> bool:
    """Whether the translation is one of the acceptable ones."""
    return entry.acceptable.fullmatch(_plain(translation)) is not None


def rates(entries: Sequence[Typed], translations: Sequence[str]) -> dict[str, dict[str, int]]:
    """How many of each kind are accepted, and of "all"."""
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
    """Without the final mark, in lower case, with single blanks."""
    return _fold(_MARKS.sub("", normalise(text)))


def _fold(text: str) -> str:
    return text.lower()
