"""Data augmentation by exchanging numbers: those on both sides are replaced by others on both, in digits or in words.

    I have 3 cats. / J'ai 3 chats.  ->  I have 8 cats. / J'ai 8 chats.
    He was thirty. / Il avait trente ans.  ->  He was fifty-six. / Il avait cinquante-six ans.

1 stays, because the words around it are singular; a year stays a year; a number with a point, comma or colon stays,
because the two languages write it differently.
"""

import re
from functools import cache
from random import Random

from regard.model.data import number_words
from regard.model.data.corpus import Pair
from regard.model.data.dates_times_prices import money, price, time
from regard.model.data.word_forms import Forms

YEARS = range(1900, 2031)
HOURS = range(2, 13)

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_FIXED = re.compile(r"\b(?:or|you two|two of|of the two|tou(?:te)?s|quarters?|\w+-(?:year|meter))\b", re.I)
_DAY = "[ap]\\.?m|morning|afternoon|evening|night|tonight|noon"
_MORE_OF_A_TIME = re.compile(rf"\b(?:past|half|quarter|after|{_DAY}|et|moins|du|précises|pile)\b", re.I)
Meanings = dict[str, tuple[str, int]]  # "cardinal" or "ordinal", and the value, of each way to write a number


def exchange_numbers(pair: Pair, random: Random) -> Pair:
    """Return the pair with its numbers exchanged; unchanged if the two sides have different numbers."""
    source, target = _NUMBER.findall(pair.source), _NUMBER.findall(pair.target)
    if not source and not target:
        return _exchange_words(pair, random)
    if sorted(source) != sorted(target) or not all(number.isdigit() for number in source):
        return pair
    new = {number: _like(number, random) for number in source}
    if len(set(new.values())) < len(new):
        return pair  # two numbers would become one
    return Pair(*(_NUMBER.sub(lambda match: new[match[0]], side) for side in pair))


def _like(number: str, random: Random) -> str:
    """Return a number with as many digits that fits the same words."""
    if number.startswith("0") or number == "1" or len(number) > 6:
        return number
    if len(number) == 4 and int(number) in YEARS:
        return str(random.choice(YEARS))
    return str(random.randrange(max(2, 10 ** (len(number) - 1)), 10 ** len(number)))


def _exchange_words(pair: Pair, random: Random) -> Pair:
    """Exchange the only number in words of each side, if they are equal."""
    numbers = [found.findall(side) for found, side in zip(_patterns(), pair, strict=True)]
    if [len(found) for found in numbers] != [1, 1] or any(map(_FIXED.search, pair)):
        return pair
    (english, french), (source, target) = _meanings(), (found[0] for found in numbers)
    meaning = english.get(_key(source))
    if meaning is None or meaning != french.get(_key(target)):
        return pair
    old, new = (source, target), _in_words(meaning[0], random)
    if "heure" in pair.target and "hour" not in pair.source:
        old, new = _clock(pair, source, target, random)
    elif f"{source} dollars" in pair.source and f"{target} dollars" in pair.target and random.random() < 0.5:
        old = f"{source} dollars", f"{target} dollars"
        new = _both(random.choice((price, money))(random))
    return Pair(*(_put(*sides) for sides in zip(pair, old, new, strict=True)))


def _clock(pair: Pair, source: str, target: str, random: Random) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the words for a time of day, and others: a whole hour, or any time if nothing else tells about it."""
    on_the_hour = re.search(rf"\b{source}(?: o'clock)?\b", pair.source)
    said = f"{target} heures"
    if on_the_hour is None or said not in pair.target or any(map(_MORE_OF_A_TIME.search, pair)):
        hour = random.choice(HOURS)
        return (source, target), (number_words.english(hour), number_words.french(hour))
    return (on_the_hour[0], said), _both(time(random))


def _in_words(kind: str, random: Random) -> tuple[str, str]:
    """Draw a number that does not end in *un*, which has to agree with its noun."""
    number = random.randrange(2, 100)
    if kind == "ordinal":
        return number_words.english_ordinal(number), number_words.french_ordinal(number)
    if random.random() < 0.1:
        number = random.randrange(100, 10_001)
    french = number_words.french(number)
    if french.endswith("un"):
        return _in_words(kind, random)
    return random.choice(number_words.english_variants(number)), french


def _both(forms: Forms) -> tuple[str, str]:
    return forms[0][""], forms[1][""]


def _put(text: str, old: str, new: str) -> str:
    return text.replace(old, new[0].upper() + new[1:] if old[0].isupper() else new, 1).replace(".m..", ".m.")


@cache
def _meanings() -> tuple[Meanings, Meanings]:
    """Return what the numbers in words from 2 on mean, in English and in French."""
    english: Meanings = {}
    french: Meanings = {}
    for number in range(2, 10_001):
        english |= dict.fromkeys(map(_key, number_words.english_variants(number)), ("cardinal", number))
        both = (number_words.french(number), number_words.french_feminine(number))
        french |= dict.fromkeys(map(_key, both), ("cardinal", number))
    for number in range(2, 100):
        english[_key(number_words.english_ordinal(number))] = ("ordinal", number)
        french[_key(number_words.french_ordinal(number))] = ("ordinal", number)
    return english, french


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of one or several words of a number; *one*, *un* and *a* only inside of it."""
    english, french = _meanings()
    return _runs(english, {"a", "and", "one"}, ()), _runs(french, {"et", "un", "une"}, ("cents", "vingts"))


def _runs(meanings: Meanings, inside: set[str], more: tuple[str, ...]) -> re.Pattern[str]:
    words = {word for key in meanings for word in key.split()} - inside
    word = f"(?:{'|'.join(sorted([*words, *more], key=len, reverse=True))})"
    within = "|".join(sorted(inside, key=len, reverse=True))
    return re.compile(rf"\b(?:a |one )?{word}(?:[- ](?:(?:{within})[- ])?{word})*\b(?:[- ](?:une?|one)\b)?", re.I)


def _key(words: str) -> str:
    return words.lower().replace("-", " ")
