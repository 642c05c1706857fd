"""Sentences from templates: greetings, introductions, questions, times, prices, with several correct translations.

`templates.toml` has the sentences and the words that fill them. A placeholder such as `{thing.red_a}` takes one form of
the drawn thing on both sides: *a red car*, *une voiture rouge*. `word_forms` derives French articles, genders, plurals
and elisions from the gender and the first letter of the noun.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from regard.model.data import number_words
from regard.model.data.addresses import mail, telephone, web
from regard.model.data.corpus import Pair
from regard.model.data.dates_times_prices import (
    MONTHS,
    UNTIL_TWENTY,
    date,
    day,
    full_date,
    money,
    percentage,
    price,
    time,
)
from regard.model.data.name_exchange import Names
from regard.model.data.word_forms import Agreeing, Forms, elide, noun_forms, same, vocabulary_forms
from regard.model.files import toml_beside

IN_WORDS = ("{said", "{counted", "{rank")  # placeholders for numbers in words


_PLACE = re.compile(r"\{([a-z_]+)(\d*)(?:\.(\w+))?\}")


class Templates:
    """Samples sentence pairs. `names` fill `{name}`, and `nouns` with their articles fill `{noun}`."""

    def __init__(self, names: Names, nouns: Sequence[Pair] = ()) -> None:
        self._lists = lists_of(toml_beside(__file__, "templates.toml"))
        own = Names.of((name, kind) for name, kind in (line.split() for line in self._lists["names"]))
        self._names = (names, own)
        self._sentences = [_sides(line) for line in self._lists["sentences"] if nouns or "{noun" not in line]
        self._weights = [_weight(source) for source, _ in self._sentences]
        self._draw = _NUMBERS | self._of_nouns(nouns) | self._of_names(names)

    def _of_names(self, names: Names) -> dict[str, Callable[[Random], Forms]]:
        return {
            "name": lambda random: self._name(random.choice(("female", "male")), random),
            "name_f": lambda random: self._name("female", random),
            "name_m": lambda random: self._name("male", random),
            "family_name": lambda random: same(names.draw_family(random)),
            "mail": lambda random: same(mail(names, random)),
            "web": lambda random: same(web(names, random)),
        }

    def _of_nouns(self, nouns: Sequence[Pair]) -> dict[str, Callable[[Random], Forms]]:
        return {
            "thing": lambda random: self._noun("things", random),
            "animal": lambda random: self._noun("animals", random),
            "family": lambda random: self._noun("family", random),
            "father": lambda random: self._noun("family", random, " m"),
            "country": self._country,
            "land": lambda random: self._country(random, "les "),
            "city": lambda random: same(*random.choice(self._lists["cities"]).replace("·", "\0").split()),
            "language": self._language,
            "food": self._food,
            "job": self._job,
            "doing": self._two("doing"),
            "feeling": self._feeling,
            "noun": lambda random: vocabulary_forms(*random.choice(nouns)),
            "who": self._phrase("who"),
            "one": self._person,
            "close": self._phrase("close"),
            "polite": self._phrase("polite"),
            "someone": lambda random: self._phrase(random.choice(("close", "polite")))(random),
            "all": self._phrase("all"),
            "nice": self._nice,
            "wish_m": self._two("wish_m"),
            "wish_f": self._two("wish_f"),
        }

    def fixed(self) -> list[str]:
        """Return the English sentences without placeholders."""
        return [source for source, _ in self._sentences if "{" not in source]

    def draw(self, random: Random) -> Pair:
        """Draw a pair; templates with more placeholders or numbers in words have more variants and are likelier."""
        source, targets = random.choices(self._sentences, self._weights)[0]
        target = random.choice(targets)
        drawn: dict[str, Forms] = {}
        for kind, number, _ in _PLACE.findall(source + target):
            if kind + number not in drawn:
                drawn[kind + number] = self._draw[kind](random)
        return Pair(*(_capital(_filled(text, drawn, side), text) for side, text in enumerate((source, target))))

    def _name(self, gender: str, random: Random) -> Forms:
        return same(random.choice(self._names).draw(gender, random))

    def _two(self, name: str) -> Callable[[Random], Forms]:
        return lambda random: same(*random.choice(self._lists[name]).split(" ", 1))

    def _phrase(self, name: str) -> Callable[[Random], Forms]:
        return lambda random: same(*random.choice(self._lists[name]).split(" = "))

    def _person(self, random: Random) -> Forms:
        """Draw a person before whom French *que* does not elide."""
        lines = [line for line in self._lists["who"] if not re.search(" = (les|un|une) ", line)]
        return same(*random.choice(lines).split(" = "))

    def _nice(self, random: Random) -> Forms:
        english, french = random.choice(self._lists["nice"]).split(" = ")
        male, female = french.split()
        return {"m": english, "f": english}, {"m": male, "f": female}

    def _noun(self, name: str, random: Random, holding: str = "") -> Forms:
        colour = random.choice(self._lists["colours"]).split()
        size = random.choice(self._lists["sizes"]).split()
        other = random.choice([line for line in self._lists["colours"] if line.split() != colour]).split()
        kind = f"{name}_qualities"
        quality = random.choice(self._lists[kind if kind in self._lists else "qualities"]).split()
        action = random.choice(self._lists["actions"]).split()
        line = random.choice([line for line in self._lists[name] if holding in line])
        return noun_forms(line, Agreeing(colour, size, other, quality, action))

    def _country(self, random: Random, without: str = "\0") -> Forms:
        english, french = random.choice([line for line in self._lists["countries"] if without not in line]).split(" = ")
        article, bare = ("l'", french[2:]) if french.startswith("l'") else french.split(" ", 1)
        origin, place = {"le": ("du", "au"), "les": ("des", "aux"), "la": ("de", "en")}.get(article, ("d'", "en"))
        origin = f"{origin} {bare}".replace("' ", "'")
        of = f"de {french}" if article in ("la", "l'") else origin
        return {"the": english, "of": english, "in": english}, {
            "nom": french,
            "from": origin,
            "in": f"{place} {bare}",
            "of": of,
        }

    def _language(self, random: Random) -> Forms:
        english, french = random.choice(self._lists["languages"]).split()
        return {"": english}, {"": french, "the": elide("le", french)}

    def _food(self, random: Random) -> Forms:
        words = random.choice(self._lists["foods"]).split()
        place = next(index for index, word in enumerate(words) if word in ("le", "la", "les") or word.startswith("l'"))
        english, french = " ".join(words[:place]), " ".join(words[place:])
        some = {"le": "du", "la": "de la", "les": "des"}.get(words[place])
        bare = french.removeprefix("l'") if some is None else french.split(" ", 1)[1]
        written = {"the": french, "some": f"{some} {bare}" if some else f"de {french}", "de": elide("de", bare)}
        return {"": english}, written

    def _job(self, random: Random) -> Forms:
        english, french = random.choice(self._lists["jobs"]).split(" = ")
        male, female = french.split(" ")
        return {"a": english}, {"": male, "f": female}

    def _feeling(self, random: Random) -> Forms:
        english, french = random.choice(self._lists["feelings"]).split(" ", 1)
        you = french.replace("Je suis", "Tu es").replace("J'ai", "Tu as")
        very = french.replace(" suis ", " suis très ").replace("'ai ", "'ai très ")
        return {"": english}, {"": french, "you": you, "very": very}


def lists_of(content: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the entries of each list: sentences are one per line, all other entries are separated by commas."""
    return {
        name: [entry for entry in (text.splitlines() if name == "sentences" else re.split(", |\n", text)) if entry]
        for name, text in content.items()
    }


def _number_in_words(random: Random) -> Forms:
    """Draw a number in words that does not end in *un*, which would have to agree with its noun."""
    number = random.choice((random.randrange(2, 100), random.randrange(100, 10_001)))
    french = number_words.french(number)
    if french.endswith("un"):
        return _number_in_words(random)
    return same(random.choice(number_words.english_variants(number)), french)


def _counted(random: Random) -> Forms:
    """Draw a number up to 10,000: in words, in digits, and before a feminine noun."""
    number = random.choice((random.randrange(101), random.randrange(1000), random.randrange(10_001)))
    words = random.choice(number_words.english_variants(number))
    feminine = number_words.french_feminine(number)
    return {"": words, "f": words, "n": str(number)}, {"": number_words.french(number), "f": feminine, "n": str(number)}


def _nth(number: int) -> Forms:
    english, french = number_words.english_ordinal(number), number_words.french_ordinal(number)
    return {"": english, "f": english}, {"": french, "f": "première" if number == 1 else french}


def _weight(source: str) -> int:
    return (2 + source.count("{")) * (3 if any(place in source for place in IN_WORDS) else 1)


_NUMBERS: dict[str, Callable[[Random], Forms]] = {
    "time": time,
    "date": date,
    "price": price,
    "day": day,
    "month": lambda random: same(*random.choice(list(MONTHS.items()))),
    "year": lambda random: same(str(random.randrange(1900, 2031))),
    "n": lambda random: same(str(random.randrange(2, 100))),
    "small": lambda random: same(*UNTIL_TWENTY[random.randrange(2, 7)]),
    "number": lambda random: same(*random.choice(list(UNTIL_TWENTY.values()))),
    "said": _number_in_words,
    "counted": _counted,
    "money": money,
    "percent": percentage,
    "full_date": full_date,
    "telephone": lambda random: same(telephone(random)),
    "nth": lambda random: _nth(random.randrange(1, 32)),
    "rank": lambda random: _nth(random.randrange(1, 100)),
    "digits": lambda random: same(str(random.randrange(10**4, 10**8))),
}


def _sides(line: str) -> tuple[str, list[str]]:
    source, targets = line.split(" = ")
    return source, targets.split(" | ")


def _filled(text: str, drawn: Mapping[str, Forms], side: int) -> str:
    filled = _PLACE.sub(lambda place: drawn[place[1] + place[2]][side][place[3] or ""], text)
    return filled.replace("\0", " ").replace(".m..", ".m.")  # the full stop of 6 p.m. also ends the sentence


def _capital(text: str, template: str) -> str:
    """Capitalise a sentence; an entry of a vocabulary is returned unchanged."""
    whole = template.rstrip().endswith((".", "!", "?")) or template[0].isupper()
    return text[0].upper() + text[1:] if whole else text
