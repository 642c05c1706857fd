"""Invented telephone numbers, e-mail addresses and web addresses, which a translation copies letter by letter."""

import unicodedata
from random import Random

from regard.model.data.name_exchange import Names

ENDINGS = ("com", "org", "net", "edu", "fr", "ca", "co.uk", "de", "info", "eu")
HOSTS = ("mail", "example", "school", "museum", "post", "station", "web", "university", "shop", "inbox", "city", "club")
FIRST = ("info", "contact", "help", "press", "office", "hello", "support", "team")


def telephone(random: Random) -> str:
    """Return a telephone number in the grouping of one of several countries."""
    digits = [random.randrange(10) for _ in range(10)]
    written = "".join(map(str, digits))
    return random.choice(
        (
            "0" + " ".join([written[1], *(written[at : at + 2] for at in range(2, 10, 2))]),
            "0" + written[1:],
            f"{written[:3]}-{written[3:7]}",
            f"{written[:3]}-{written[3:6]}-{written[6:]}",
            f"({written[:3]}) {written[3:6]}-{written[6:]}",
            f"+33 {written[1]} {written[2:4]} {written[4:6]} {written[6:8]} {written[8:]}",
            f"+44 20 {written[:4]} {written[4:8]}",
            f"{written[:4]} {written[4:7]} {written[7:]}",
        )
    )


def mail(names: Names, random: Random) -> str:
    """Return an e-mail address of a person or an office."""
    first = _ascii(random.choice(random.choice((names.female, names.male))))
    last = _ascii(random.choice(names.family))
    user = random.choice(
        (
            first,
            f"{first}.{last}",
            f"{first}{random.randrange(100)}",
            f"{first[0]}.{last}",
            f"{first}_{last}",
            *FIRST[:2],
        )
    )
    user = random.choice(FIRST) if random.random() < 0.15 else user
    return f"{user}@{_host(last, random)}"


def web(names: Names, random: Random) -> str:
    """Return a web address."""
    host = _host(_ascii(random.choice(names.family)), random)
    return random.choice((f"www.{host}", f"https://{host}", f"https://www.{host}", host))


def _host(word: str, random: Random) -> str:
    name = random.choice((*HOSTS, word, f"{word}-{random.choice(HOSTS)}"))
    return f"{name}.{random.choice(ENDINGS)}"


def _ascii(name: str) -> str:
    """Return the name in lower-case ASCII letters."""
    letters = unicodedata.normalize("NFKD", name.lower())
    return "".join(letter for letter in letters if letter.isascii() and letter.isalnum()) or "anna"
