"""Acceptance rate: the share of a list's sentences whose translation a bilingual judge would accept.

The authors of this program wrote three lists, the last two before they saw any model's translations of them:

typed_first          short everyday input, as people may type it first: greetings, questions, capitals, prices
words_of_the_world   250 harder ones: rare words, lines of news, numbers in words, addresses, letters that French
                     lacks, conditionals, passives, reflexives, agreement over a distance, spelling mistakes
famous               sentences of papers, textbooks and programmers

A list has a line for each sentence: kind TAB English as typed TAB acceptable French. The French is a pattern: `(a|b)`
is either, `(a|)` is optional, ` || ` separates whole alternatives. Case and the final mark do not count. The
training mixture leaves out sentences similar to those of the lists (`pretrained/recipe/mixture.py`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from regard.model.data.corpus import read_lines
from regard.model.input_error import InputError
from regard.model.words import normalise

LISTS = ("typed_first", "words_of_the_world", "famous")
FILES = {name: Path(__file__).with_name(f"{name}.tsv") for name in LISTS}
TYPED_LANGUAGES = ("en", "fr")  # of the list
WHOLE = " || "  # between alternatives for the whole sentence

_SYNTAX = {"(": "(?:", "|": "|", ")": ")"}  # of a pattern, as a regular expression
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
        alternatives.append("".join(_SYNTAX.get(part, re.escape(part.lower())) for part in parts))
    return re.compile("|".join(f"(?:{one})" for one in alternatives))


def accepted(entry: Typed, translation: str) -> bool:
    """Return True if the translation is one of the acceptable ones."""
    return entry.acceptable.fullmatch(_MARKS.sub("", normalise(translation)).lower()) is not None


def rates(entries: Sequence[Typed], translations: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the counts of accepted sentences by kind, and for "all"."""
    return counted([entry.kind for entry in entries], map(accepted, entries, translations), "accepted")


def counted(kinds: Sequence[str], right: Iterable[bool], called: str) -> dict[str, dict[str, int]]:
    """Count sentences, and those of them that are right, by kind and for "all"."""
    counts: dict[str, dict[str, int]] = {"all": {"sentences": 0, called: 0}}
    for one, is_right in zip(kinds, right, strict=True):
        for kind in (one, "all"):
            count = counts.setdefault(kind, {"sentences": 0, called: 0})
            count["sentences"] += 1
            count[called] += is_right
    return counts
