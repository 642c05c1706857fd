"""Sentences from templates: greetings, introductions, questions, times and prices, with several right translations.

`templates.toml` holds the sentences and what fills them. A place such as `{thing.red_a}` takes one form of a drawn
thing, on both sides of the same one: *a red car*, *une voiture rouge*. French articles, genders, plurals and elisions
are made here, from the gender and the first letter of the noun.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from model.data.corpus import Pair
from model.data.name_exchange import Names

FILE = Path(__file__).parent / "templates.toml"

Forms = tuple[Mapping[str, str], Mapping[str, str]]  # English and French, by the name of the form; "" is the usual one

_PLACE = re.compile(r"\{([a-z_]+)(\d*)(?:\.(\w+))?\}")
_VOWELS = "aeiouyhàâéèêëîïôùûœæAEIOUÉÈÊÎÔ"
_DAYS = dict(
    zip(
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        strict=True,
    )
)
_MONTHS = dict(
    zip(
        [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        [
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ],
        strict=True,
    )
)
_UNTIL_TWENTY = dict(
    enumerate(
        zip(
            [
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
                "twenty",
            ],
            [
                "zéro",
                "un",
                "deux",
                "trois",
                "quatre",
                "cinq",
                "six",
                "sept",
                "huit",
                "neuf",
                "dix",
                "onze",
                "douze",
                "treize",
                "quatorze",
                "quinze",
                "seize",
                "dix-sept",
                "dix-huit",
                "dix-neuf",
                "vingt",
            ],
            strict=True,
        )
    )
)


class Templates:
    """Draws sentence pairs. `names` are those that fill `{name}`."""

    def __init__(self, names: Names, file: Path = FILE) -> None:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        self._lists = {name: [line for line in text.splitlines() if line] for name, text in content.items()}
        own = Names.of((name, kind) for name, kind in (line.split() for line in self._lists["names"]))
        self._names = (names, own)
        self._sentences = [_sides(line) for line in self._lists["sentences"]]
        self._draw: dict[str, Callable[[Random], Forms]] = {
            "name": lambda random: self._name(random.choice(("female", "male")), random),
            "name_f": lambda random: self._name("female", random),
            "name_m": lambda random: self._name("male", random),
            "thing": lambda random: self._noun("things", random),
            "animal": lambda random: self._noun("animals", random),
            "family": lambda random: self._noun("family", random),
            "father": lambda random: self._noun("family", random, " m"),
            "country": self._country,
            "land": lambda random: self._country(random, "les "),
            "city": lambda random: _same(*random.choice(self._lists["cities"]).replace("·", "\0").split()),
            "language": self._language,
            "food": self._food,
            "job": self._job,
            "doing": self._two("doing"),
            "feeling": self._feeling,
            "time": _time,
            "date": _date,
            "price": _price,
            "day": _day,
            "month": lambda random: _same(*random.choice(list(_MONTHS.items()))),
            "year": lambda random: _same(str(random.randrange(1900, 2031))),
            "n": lambda random: _same(str(random.randrange(2, 100))),
            "small": lambda random: _same(*_UNTIL_TWENTY[random.randrange(2, 7)]),
            "number": lambda random: _same(*random.choice(list(_UNTIL_TWENTY.values()))),
            "digits": lambda random: _same(str(random.randrange(10**4, 10**8))),
        }

    def draw(self, random: Random) -> Pair:
        """One pair; sentences that hold more places are drawn more often, for there are more of them."""
        source, targets = random.choices(self._sentences, [1 + source.count("{") for source, _ in self._sentences])[0]
        target = random.choice(targets)
        drawn: dict[str, Forms] = {}
        for kind, number, _ in _PLACE.findall(source + target):
            if kind + number not in drawn:
                drawn[kind + number] = self._draw[kind](random)
        return Pair(_capital(_filled(source, drawn, 0), source), _capital(_filled(target, drawn, 1), target))

    def _name(self, gender: str, random: Random) -> Forms:
        return _same(random.choice(self._names).draw(gender, random))

    def _two(self, name: str) -> Callable[[Random], Forms]:
        return lambda random: _same(*random.choice(self._lists[name]).split(" ", 1))

    def _noun(self, name: str, random: Random, holding: str = "") -> Forms:
        colour = random.choice(self._lists["colours"]).split()
        size = random.choice(self._lists["sizes"]).split()
        return noun_forms(random.choice([line for line in self._lists[name] if holding in line]), colour, size)

    def _country(self, random: Random, without: str = "\0") -> Forms:
        english, french = random.choice([line for line in self._lists["countries"] if without not in line]).split(" = ")
        subject, origin, place = french.split(" | ")
        return {"the": english}, {"nom": subject, "from": origin, "in": place}

    def _language(self, random: Random) -> Forms:
        english, french = random.choice(self._lists["languages"]).split()
        return {"": english}, {"": french, "the": _elide("le", french)}

    def _food(self, random: Random) -> Forms:
        words = random.choice(self._lists["foods"]).split()
        place = next(index for index, word in enumerate(words) if word in ("le", "la", "les") or word.startswith("l'"))
        english, french = " ".join(words[:place]), " ".join(words[place:])
        some = {"le": "du", "la": "de la", "les": "des"}.get(words[place])
        return {"": english}, {"the": french, "some": f"{some} {french.split(' ', 1)[1]}" if some else f"de {french}"}

    def _job(self, random: Random) -> Forms:
        english, french = random.choice(self._lists["jobs"]).split(" = ")
        male, female = french.split(" ")
        return {"a": english}, {"": male, "f": female}

    def _feeling(self, random: Random) -> Forms:
        english, french = random.choice(self._lists["feelings"]).split(" ", 1)
        you = french.replace("Je suis", "Tu es").replace("J'ai", "Tu as")
        very = french.replace(" suis ", " suis très ").replace("'ai ", "'ai très ")
        return {"": english}, {"": french, "you": you, "very": very}


def noun_forms(line: str, colour: list[str], size: list[str]) -> Forms:
    """All forms of a noun: of `English French m|f [French plural]`, a colour and a size that agree with it."""
    words = line.split()
    place = next(index for index, word in enumerate(words) if index and word in ("m", "f"))
    english, french = words[0], " ".join(words[1:place])
    female = words[place] == "f"
    many = (
        words[place + 1] if words[place + 1 :] else french.replace("appareil", "appareils") + "s" * (" " not in french)
    )
    red, big = (forms[2] if female else forms[1] for forms in (colour, size))
    one, the, my, your = ("une", "la", "ma", "ta") if female else ("un", "le", "mon", "ton")
    vowel = french[0] in _VOWELS
    if vowel and female:
        my, your = "mon", "ton"
    this = "cette" if female else "cet" if vowel else "ce"
    return (
        {
            "bare": english,
            "a": _article(english),
            "the": f"the {english}",
            "many": _plural(english),
            "red": colour[0],
            "red_a": _article(f"{colour[0]} {english}"),
            "red_the": f"the {colour[0]} {english}",
            "big_a": _article(f"{size[0]} {english}"),
            "big_the": f"the {size[0]} {english}",
        },
        {
            "bare": french,
            "a": f"{one} {french}",
            "the": _elide(the, french),
            "my": f"{my} {french}",
            "your": f"{your} {french}",
            "this": f"{this} {french}",
            "de": _elide("de", french),
            "of_a": f"d'{one} {french}",
            "many": many,
            "red": red,
            "red_a": f"{one} {french} {red}",
            "red_the": f"{_elide(the, french)} {red}",
            "big_a": f"{one} {big} {french}",
            "big_the": f"{the} {big} {french}",
        },
    )


def _sides(line: str) -> tuple[str, list[str]]:
    source, targets = line.split(" = ")
    return source, targets.split(" | ")


def _filled(text: str, drawn: Mapping[str, Forms], side: int) -> str:
    return _PLACE.sub(lambda place: drawn[place[1] + place[2]][side][place[3] or ""], text).replace("\0", " ")


def _capital(text: str, template: str) -> str:
    """A sentence begins with a capital; what stands alone, as in a vocabulary, keeps the one it has."""
    whole = template.rstrip().endswith((".", "!", "?")) or template[0].isupper()
    return text[0].upper() + text[1:] if whole else text


def _same(english: str, french: str | None = None) -> Forms:
    return {"": english.replace("\0", " ")}, {"": (english if french is None else french).replace("\0", " ")}


def _elide(word: str, noun: str) -> str:
    return f"{word[:-1]}'{noun}" if noun[0] in _VOWELS else f"{word} {noun}"


def _article(english: str) -> str:
    return f"{'an' if english[0] in 'aeiou' else 'a'} {english}"


def _plural(english: str) -> str:
    irregular = {"mouse": "mice", "knife": "knives", "wolf": "wolves", "sheep": "sheep", "fish": "fish"}
    if english in irregular:
        return irregular[english]
    if english.endswith("y") and english[-2] not in "aeiou":
        return f"{english[:-1]}ies"
    return f"{english}es" if english.endswith(("s", "x", "ch", "sh")) else f"{english}s"


def _day(random: Random) -> Forms:
    english, french = random.choice(list(_DAYS.items()))
    return {"": english, "s": f"{english}s"}, {"": french}


def _date(random: Random) -> Forms:
    english, french = random.choice(list(_MONTHS.items()))
    day = random.randrange(1, 29)
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    written = random.choice((f"{english} {day}", f"{english} {day}{ending}"))
    return {"": written}, {"": f"{'1er' if day == 1 else day} {french}"}


def _price(random: Random) -> Forms:
    amount = random.choice((random.randrange(2, 20), random.randrange(2, 1000)))
    written, said = random.choice((("${}", "{} dollars"), ("{} dollars", "{} dollars"), ("{} euros", "{} euros")))
    return {"": written.format(amount)}, {"": said.format(amount)}


def _time(random: Random) -> Forms:
    """By the clock, in digits or in words."""
    hour, minute = random.randrange(1, 13), random.choice((0, 0, 15, 30, 45, random.randrange(1, 60)))
    english, french = _UNTIL_TWENTY[hour]
    french = {1: "une", 12: "midi"}.get(hour, french)
    said = french if hour == 12 else f"{french} heure{'s' * (hour > 1)}"
    if minute == 0:
        shown = random.choice((f"{english} o'clock", f"{hour} o'clock"))
        return {"": shown}, {"": said if shown.startswith(english) else f"{hour} heure{'s' * (hour > 1)}"}
    if minute == 30 and random.random() < 0.6:
        return {"": f"half past {english}"}, {"": f"{said} et demi{'e' * (hour < 12)}"}
    if minute == 15 and random.random() < 0.6:
        return {"": f"quarter past {english}"}, {"": f"{said} et quart"}
    hour = random.choice((hour, random.randrange(2, 24)))
    return {"": f"{hour}:{minute:02}"}, {"": f"{hour} h {minute:02}"}
