"""Acceptance rate: the share of a list's sentences whose translation a bilingual judge would accept.

The authors of this program wrote three lists, the last two before they saw any model's translations of them:

typed_first          short everyday input, as people may type it first: greetings, questions, capitals, prices
words_of_the_world   250 harder ones: rare words, lines of news, numbers in words, addresses, letters that French
                     lacks, conditionals, passives, reflexives, agreement over a distance, spelling mistakes
famous               sentences of papers, textbooks and programmers

A list has a line for each sentence: kind TAB English as typed TAB acceptable French. The French is a pattern: `(a|b)`
is either, `(a|)` is optional, ` || ` separates whole alternatives. Case and the final mark do not count. The
training mixture leaves out sentences similar to those of the lists (`model/data/held_out.py`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regard.model.data.corpus import read_lines
from regard.model.input_error import InputError
from regard.model.words import normalise

LISTS = ("typed_first", "words_of_the_world", "famous")
FILES = {name: Path(__file__).with_name(f"{name}.tsv") for name in LISTS}
TYPED_LANGUAGES = ("en", "fr")  # of the list
WHOLE = " || "  # between alternatives for the whole sentence

_MARKS = re.compile(r"[\s.!?…]+$")


@dataclass(frozen=True)
class Typed:
    """A sentence as typed, its kind, and the pattern of acceptable translations."""

    kind: str
    sentence: str
    acceptable: re.Pattern[str]


def read_typed(path: Path = FILES["typed_first"]) -> list[Typed]:
    """Return a list. Raises InputError naming file and line for a line without three columns or a bad pattern."""
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
    return entry.acceptable.fullmatch(_comparable(translation)) is not None


def rates(entries: Sequence[Typed], translations: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the counts of accepted sentences by kind, and for "all"."""
    counts: dict[str, dict[str, int]] = {"all": {"sentences": 0, "accepted": 0}}
    for entry, translation in zip(entries, translations, strict=True):
        for kind in (entry.kind, "all"):
            count = counts.setdefault(kind, {"sentences": 0, "accepted": 0})
            count["sentences"] += 1
            count["accepted"] += accepted(entry, translation)
    return counts


def _piece(part: str) -> str:
    return {"(": "(?:", "|": "|", ")": ")"}.get(part, re.escape(_fold(part)))


def _comparable(text: str) -> str:
    """Return the text in lower case, without its final mark."""
    return _fold(_MARKS.sub("", normalise(text)))


def _fold(text: str) -> str:
    return text.lower()
