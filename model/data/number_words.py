"""Numerals: whole numbers up to 10,000 and ordinals below 100, in English and in French words."""

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
