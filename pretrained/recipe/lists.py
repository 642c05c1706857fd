"""Acceptance rate: the share of a list's sentences whose translation a bilingual judge would accept.

The authors of this program wrote three lists, the last two before they saw any model's translations of them:

typed_first          short everyday input, as people may type it first: greetings, questions, capitals, prices
words_of_the_world   250 harder ones: rare words, lines of news, numbers in words, addresses, letters that French
                     lacks, conditionals, passives, reflexives, agreement over a distance, spelling mistakes
famous               sentences of papers, textbooks and programmers

A list has a line for each sentence: kind TAB English as typed TAB acceptable French. The French is a pattern: `(a|b)`
is either, `(a|)` is optional, ` || ` separates whole alternatives. Case and the final mark do not count. The
training mixture leaves out sentences similar to those of the lists (`mixture.py`).

Number exactness is the share of made sentences, with one number each, whose number is translated exactly. They are
numbers in words up to 10,000 (with and without hyphens and *and*), ordinals, ages, years, times and prices. No template
of the training mixture has these frames, and numbers without a sentence come from the test part of the hash split, so
no sentence was learned. The same seed makes the same sentences.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from regard.model.checkpoint import AnyModel
from regard.model.commands.evaluate import EXAMPLES, some, written_by
from regard.model.data.corpus import USUAL, bucket, read_lines
from regard.model.files import toml_beside
from regard.model.input_error import InputError
from regard.model.truecasing import read_as
from regard.model.words import normalise
from regard.pretrained.recipe import numbers
from regard.pretrained.recipe.numbers import money, price, time

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


SENTENCES, SEED = 500, 25
FRAMES = {
    "counted": (
        "My uncle sold {} cows.",
        "The museum lent {} coins.",
        "{} soldiers were waiting.",
        "We walked {} miles.",
    ),
    "ages": ("My aunt turned {} on Sunday.", "He died when he was {}.", "At {} she was still dancing."),
    "ordinals": ("He was the {} president.", "We celebrated our {} wedding anniversary.", "The {} question was hard."),
    "years": ("The palace burned down in {}.", "They have lived there since {}.", "Nobody remembers the summer of {}."),
    "times": ("The concert ends at {}.", "Wake me up at {}.", "The doctor can see you at {}."),
    "prices": ("The ring cost {}.", "He gave the boy {}.", "Dinner for two came to {}."),
}

_CORE = sorted(
    {word for number in range(101) for word in re.split(r"[- ]", numbers.french(number))} | {"cents", "mille"}
)
_NUMERAL = rf"(?:{'|'.join(word for word in _CORE if word not in ('un', 'et'))}|\d+)"
_BEFORE = re.compile(rf"(?:\b{_NUMERAL}|\d[.,]) ?$")  # part of a number that begins earlier
_AFTER = re.compile(rf"[.,]\d| (?:{_NUMERAL}|et (?:une?|onze|demie?|quart)|moins|une?)\b")  # or on


@dataclass(frozen=True)
class MadeNumber:
    """A sentence with a number, the number's kind, and the ways to write it in French."""

    kind: str
    sentence: str
    french: tuple[str, ...]


def made_numbers(count: int = SENTENCES, seed: int = SEED) -> list[MadeNumber]:
    """Return sentences with one number each; two in eight are a number alone."""
    random = Random(seed)
    makers = [_number_alone, _number_alone, *(partial(_framed, kind) for kind in FRAMES)]
    return [makers[place % len(makers)](random) for place in range(count)]


def exact(entry: MadeNumber, translation: str) -> bool:
    """Return True if the translation has the number in an accepted form, and not as part of another number."""
    text = _comparable(translation)
    return any(
        not _BEFORE.search(text[: found.start()]) and not _AFTER.match(text[found.end() :])
        for way in entry.french
        for found in re.finditer(rf"(?<!\w){re.escape(_comparable(way))}(?!\w)", text)
    )


def exact_rates(entries: Sequence[MadeNumber], translations: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the counts of sentences and of exact ones, by kind and for "all"."""
    return counted([entry.kind for entry in entries], map(exact, entries, translations), "exact")


def _number_alone(random: Random) -> MadeNumber:
    number = random.choice((random.randrange(101), random.randrange(10_001)))
    words = random.choice(numbers.english_variants(number))
    if bucket(words) >= USUAL.test:
        return _number_alone(random)
    return MadeNumber("alone", words, _accepted_forms(number))


def _framed(kind: str, random: Random) -> MadeNumber:
    english, french = _MAKERS[kind](random)
    sentence = random.choice(FRAMES[kind]).format(english)
    return MadeNumber(kind, sentence[0].upper() + sentence[1:], french)


def _counted(random: Random) -> tuple[str, tuple[str, ...]]:
    number = random.choice((random.randrange(2, 100), random.randrange(2, 10_001)))
    return random.choice(numbers.english_variants(number)), _accepted_forms(number)


def _age(random: Random) -> tuple[str, tuple[str, ...]]:
    number = random.randrange(2, 100)
    return random.choice(numbers.english_variants(number)), _accepted_forms(number)


def _ordinal(random: Random) -> tuple[str, tuple[str, ...]]:
    number = random.randrange(2, 100)
    return numbers.english_ordinal(number), (numbers.french_ordinal(number), f"{number}e")


def _year(random: Random) -> tuple[str, tuple[str, ...]]:
    year = str(random.randrange(1500, 2040))
    return year, (year,)


def _time(random: Random) -> tuple[str, tuple[str, ...]]:
    english, french = time(random)
    said = french[""]
    return english[""], (said, said.replace("heures", "h").replace("heure", "h"))


def _price(random: Random) -> tuple[str, tuple[str, ...]]:
    english, french = random.choice((price, money))(random)
    return english[""], (french[""],)


_MAKERS = {"counted": _counted, "ages": _age, "ordinals": _ordinal, "years": _year, "times": _time, "prices": _price}


def _accepted_forms(number: int) -> tuple[str, ...]:
    return numbers.french(number), numbers.french_feminine(number), str(number)


def _comparable(text: str) -> str:
    """Return the text in lower case, with blanks for hyphens and none between a number's thousands."""
    text = normalise(text).lower().replace("-", " ")
    return re.sub(r"(?<=\d) (?=\d{3}\b)", "", text)


NUMBERS = "made_numbers"
HOW_LISTS = {
    name: text.format(sentences=SENTENCES) for name, text in toml_beside(__file__, "how_measured.toml")["lists"].items()
}


def lists(model: AnyModel, most: int | None) -> dict[str, Any]:
    """Return the results for each list and for the numbers; `most`, unless None, limits the sentences of each."""
    measured = {name: _list(model, some(read_typed(path), most), name) for name, path in FILES.items()}
    return {**measured, NUMBERS: _numbers(model, most)}


def _list(model: AnyModel, entries: list[Typed], name: str) -> dict[str, Any]:
    typed = [entry.sentence for entry in entries]
    read = [read_as(sentence, model.tokenizer.languages[0]) for sentence in typed]
    lines = written_by(model, list(dict.fromkeys([*typed, *read])), 1, name.replace("_", " "))
    rows = [
        {"typed": entry.sentence, "read": other, "greedy": lines[other]}
        for entry, other in zip(entries, read, strict=True)
    ]
    wrong = [row for entry, row in zip(entries, rows, strict=True) if not accepted(entry, row["greedy"])]
    return {
        "as_typed": rates(entries, [lines[sentence] for sentence in typed]),
        "as_read": rates(entries, [lines[sentence] for sentence in read]),
        "examples": some(rows, EXAMPLES),
        "not_accepted": some(wrong, EXAMPLES),
    }


def _numbers(model: AnyModel, most: int | None) -> dict[str, Any]:
    entries = some(made_numbers(), most)
    lines = written_by(model, list(dict.fromkeys(entry.sentence for entry in entries)), 1, "numbers")
    translations = [lines[entry.sentence] for entry in entries]
    wrong = [
        {"sentence": entry.sentence, "greedy": line}
        for entry, line in zip(entries, translations, strict=True)
        if not exact(entry, line)
    ]
    return {"rates": exact_rates(entries, translations), "not_exact": some(wrong, EXAMPLES)}
