"""Numbers in English and in French: words, dates, times and prices, and their exchange in pairs of the text.

Whole numbers up to 10,000 and ordinals below 100 are written in words. `exchange_numbers` replaces digits on both
sides of a pair by others: *I have 3 cats. / J'ai 3 chats.* becomes *I have 8 cats. / J'ai 8 chats.* 1 stays, because
the words around it are singular; a year stays a year; a number with a point, comma or colon stays, because the two
languages write it differently.
"""

import re
from collections.abc import Mapping
from random import Random

from regard.model.data.corpus import Pair

Forms = tuple[Mapping[str, str], Mapping[str, str]]  # English and French, by the name of the form; "" is the default

_ENGLISH = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
""".split()
_ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_FRENCH = """
    zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit
    dix-neuf
""".split()
_FRENCH_TENS = ["vingt", "trente", "quarante", "cinquante", "soixante", "soixante", "quatre-vingt", "quatre-vingt"]
_ENGLISH_ORDINALS = {  # the rest end in -th
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def english(number: int) -> str:
    """Return a number in English words: *one hundred and twenty*."""
    if number < 20:
        return _ENGLISH[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _ENGLISH_TENS[tens - 2] + (f"-{_ENGLISH[ones]}" if ones else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    many, rest = divmod(number, size)
    joined = " and " if rest < 100 else " "
    return f"{english(many)} {name}" + (joined + english(rest) if rest else "")


def french(number: int) -> str:
    """Return a number in French words: *cent vingt*, *quatre-vingts*, *quatre-vingt-un*, *deux cents*."""
    if number < 20:
        return _FRENCH[number]
    if number < 100:
        return _french_tens(number)
    size, name = (1000, "mille") if number >= 1000 else (100, "cent")
    many, rest = divmod(number, size)
    plural = "s" * (many > 1 and not rest and name == "cent")
    leading = f"{french(many)} " if many > 1 else ""
    return f"{leading}{name}{plural}" + (f" {french(rest)}" if rest else "")


def english_variants(number: int) -> list[str]:
    """Return the ways people write a number: with and without hyphens, *and*, and with *a* for one."""
    usual = english(number)
    plain = usual.replace(" and ", " ") if number > 100 else usual
    ways = [usual, plain, usual.replace("-", " "), plain.replace("-", " ")]
    if usual.startswith(("one hundred", "one thousand")):
        ways.append(f"a{usual.removeprefix('one')}")
    return list(dict.fromkeys(ways))


def french_feminine(number: int) -> str:
    """Return a number in French words that agrees with a feminine noun: *vingt et une*."""
    words = french(number)
    return f"{words}e" if words == "un" or words.endswith((" un", "-un")) else words


def english_ordinal(number: int) -> str:
    """Return an English ordinal: *twenty-first*."""
    words = english(number)
    start, mark, last = words.rpartition("-")
    ending = _ENGLISH_ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{start}{mark}{ending}"


def french_ordinal(number: int) -> str:
    """Return a French ordinal: *deuxième*; for 1 the masculine, *premier*."""
    if number == 1:
        return "premier"
    words = "quatre-vingt" if number == 80 else french(number)
    if words.endswith("neuf"):
        return f"{words[:-1]}vième"
    return f"{words}uième" if words.endswith("cinq") else f"{words.removesuffix('e')}ième"


def _french_tens(number: int) -> str:
    """Return the French of a number from 20 to 99; seventy and ninety are *sixty-ten* and *eighty-ten*."""
    tens, ones = divmod(number, 10)
    name = _FRENCH_TENS[tens - 2]
    ones += 10 * (tens in (7, 9))
    if number == 80:
        return f"{name}s"
    if not ones:
        return name
    return f"{name} et {_FRENCH[ones]}" if ones in (1, 11) and tens < 8 else f"{name}-{_FRENCH[ones]}"


YEARS = range(1900, 2031)

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def exchange_numbers(pair: Pair, random: Random) -> Pair:
    """Return the pair with its whole numbers exchanged; unchanged if the two sides have different numbers."""
    source, target = _NUMBER.findall(pair.source), _NUMBER.findall(pair.target)
    if not source or sorted(source) != sorted(target) or not all(number.isdigit() for number in source):
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


_ENGLISH_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_FRENCH_DAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()
_ENGLISH_MONTHS = "January February March April May June July August September October November December".split()
_FRENCH_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
DAYS: dict[str, str] = dict(zip(_ENGLISH_DAYS, _FRENCH_DAYS, strict=True))
MONTHS: dict[str, str] = dict(zip(_ENGLISH_MONTHS, _FRENCH_MONTHS, strict=True))
UNTIL_TWENTY = {number: (english(number), french(number)) for number in range(21)}


def day(random: Random) -> Forms:
    """Return a day of the week, in English also in the plural."""
    english, french = random.choice(list(DAYS.items()))
    return {"": english, "s": f"{english}s"}, {"": french}


def date(random: Random) -> Forms:
    """Return a day of a month: *May 1st* or *the 1st of May*, *1er mai*."""
    english, french = random.choice(list(MONTHS.items()))
    day = random.randrange(1, 29)
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    forms = (f"{english} {day}", f"{english} {day}{ending}", f"{day} {english}", f"the {day}{ending} of {english}")
    return {"": random.choice(forms)}, {"": f"{'1er' if day == 1 else day} {french}"}


def price(random: Random) -> Forms:
    """Return an amount in dollars or euros."""
    amount = random.choice((random.randrange(2, 20), random.randrange(2, 1000)))
    written, said = random.choice((("${}", "{} dollars"), ("{} dollars", "{} dollars"), ("{} euros", "{} euros")))
    return {"": written.format(amount)}, {"": said.format(amount)}


def money(random: Random) -> Forms:
    """Return a price with cents: *$5.99*, *5,99 $*."""
    whole, cents = (
        random.choice((random.randrange(1, 20), random.randrange(1, 1000))),
        random.choice((99, 50, 95, random.randrange(1, 100))),
    )
    sign = random.choice("$$€£")
    return {"": f"{sign}{whole}.{cents:02}"}, {"": f"{whole},{cents:02} {sign}"}


def percentage(random: Random) -> Forms:
    """Return a percentage: *3.5%*, *3,5 %*."""
    whole = random.randrange(1, 100)
    if random.random() < 0.5:
        return {"": f"{whole}%"}, {"": f"{whole} %"}
    tenth = random.randrange(1, 10)
    return {"": f"{whole}.{tenth}%"}, {"": f"{whole},{tenth} %"}


def full_date(random: Random) -> Forms:
    """Return a date with its year: *March 3, 2004*, *3 mars 2004*."""
    english, french = random.choice(list(MONTHS.items()))
    day, year = random.randrange(1, 29), random.randrange(1800, 2040)
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    ways = (
        f"{english} {day}, {year}",
        f"{day} {english} {year}",
        f"{english} {day}{ending}, {year}",
        f"the {day}{ending} of {english} {year}",
    )
    return {"": random.choice(ways)}, {"": f"{'1er' if day == 1 else day} {french} {year}"}


def time(random: Random) -> Forms:
    """Return a time of day, in digits or words, sometimes with the part of the day."""
    kind = random.random()
    if kind < 0.2:
        return _half_of_day(random)
    if kind < 0.3:
        return _part_of_day(random)
    hour, minute = random.randrange(1, 13), random.choice((0, 0, 15, 30, 45, random.randrange(1, 60)))
    english, french = UNTIL_TWENTY[hour]
    french = {1: "une", 12: "midi"}.get(hour, french)
    said = french if hour == 12 else f"{french} heure{'s' * (hour > 1)}"
    if minute == 0:
        shown = random.choice((f"{english} o'clock", f"{hour} o'clock"))
        return {"": shown}, {"": said if shown.startswith(english) else f"{hour} heure{'s' * (hour > 1)}"}
    if minute == 30 and random.random() < 0.6:
        return {"": f"half past {english}"}, {"": f"{said} et demi{'e' * (hour < 12)}"}
    if minute == 15 and random.random() < 0.6:
        return {"": f"quarter past {english}"}, {"": f"{said} et quart"}
    if minute == 45 and hour > 1 and random.random() < 0.6:
        return {"": f"quarter to {english}"}, {"": f"{said} moins le quart"}
    hour = random.choice((hour, random.randrange(2, 24)))
    return {"": f"{hour}:{minute:02}"}, {"": f"{hour} h {minute:02}"}


def _half_of_day(random: Random) -> Forms:
    """Return a time with am or pm: *6 pm*, *18 heures*."""
    hour, afternoon = random.randrange(1, 12), random.random() < 0.6
    minute = random.choice((0, 0, 0, 15, 30, 45))
    written = f"{hour}:{minute:02}" if minute else str(hour)
    mark = random.choice(("pm", " pm", " p.m.") if afternoon else ("am", " am", " a.m."))
    said = hour + 12 * afternoon
    return {"": written + mark}, {"": f"{said} h {minute:02}" if minute else f"{said} heure{'s' * (said > 1)}"}


def _part_of_day(random: Random) -> Forms:
    """Return a time with its part of the day: *seven in the morning*, *sept heures du matin*."""
    hours, part, said = random.choice(
        (
            (range(2, 12), "in the morning", "du matin"),
            (range(2, 6), "in the afternoon", "de l'après-midi"),
            (range(6, 12), "in the evening", "du soir"),
        )
    )
    english, french = UNTIL_TWENTY[random.choice(hours)]
    written, half = random.choice(((f"{english} o'clock", ""), (english, ""), (f"half past {english}", " et demie")))
    return {"": f"{written} {part}"}, {"": f"{french} heures{half} {said}"}
