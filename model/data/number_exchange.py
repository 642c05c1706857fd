"""Data augmentation by exchanging numbers: digits on both sides are replaced by others on both.

    I have 3 cats. / J'ai 3 chats.  ->  I have 8 cats. / J'ai 8 chats.

1 stays, because the words around it are singular; a year stays a year; a number with a point, comma or colon stays,
because the two languages write it differently.
"""

import re
from random import Random

from regard.model.data.corpus import Pair

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
