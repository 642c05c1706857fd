"""Number exactness: the share of made sentences, with one number each, whose number is translated exactly.

They are numbers in words up to 10,000 (with and without hyphens and *and*), ordinals, ages, years, times and prices. No
template of the training mixture has these frames, and numbers without a sentence come from the test part of the hash
split, so no sentence was learned. The same seed makes the same sentences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from regard.model.data.corpus import USUAL, bucket
from regard.model.evaluation.typed_first import counted
from regard.model.words import normalise
from regard.pretrained.recipe import numbers
from regard.pretrained.recipe.numbers import money, price, time

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
