"""Sentences from templates: greetings, introductions, questions, times, prices, with several correct translations.

`templates.toml` has the sentences and the words that fill them. A placeholder such as `{thing.red_a}` takes one form of
the drawn thing on both sides: *a red car*, *une voiture rouge*. `noun_forms` derives French articles, genders, plurals
and elisions from the gender and the first letter of the noun.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from regard.model.data.corpus import Pair
from regard.model.files import toml_beside
from regard.pretrained.recipe import numbers
from regard.pretrained.recipe.names import Names, mail, telephone, web
from regard.pretrained.recipe.numbers import (
    MONTHS,
    UNTIL_TWENTY,
    Forms,
    date,
    day,
    full_date,
    money,
    percentage,
    price,
    time,
)

_IRREGULAR = {  # plurals
    "mouse": "mice", "knife": "knives", "wolf": "wolves", "sheep": "sheep", "fish": "fish", "leaf": "leaves",
    "shelf": "shelves", "tooth": "teeth", "foot": "feet", "potato": "potatoes", "tomato": "tomatoes",
}  # fmt: skip
_SOUNDS_OF_VOWELS = "aeiouyhàâéèêëîïôùûœæAEIOUÉÈÊÎÔ"


@dataclass(frozen=True)
class Agreeing:
    """Words that agree with a noun: English, French masculine, French feminine. `quality` adds an adjective's English
    comparative; `action` is an English past tense, an English participle and a French masculine one."""

    colour: Sequence[str] = ("red", "rouge", "rouge")
    size: Sequence[str] = ("big", "grand", "grande")
    other: Sequence[str] = ("blue", "bleu", "bleue")  # another colour
    quality: Sequence[str] = ("old", "older", "vieux", "vieille")
    action: Sequence[str] = ("found", "found", "trouvé")


def noun_forms(line: str, agreeing: Agreeing) -> Forms:
    """Return all forms of a noun `English French m|f [French plural]` and of the words that agree with it."""
    english, french = _noun_alone(line, agreeing.colour, agreeing.size)
    female = french["e"] == "e"
    english_quality, comparative, *adjectives = (word.replace("·", " ") for word in agreeing.quality)
    many, adjective = french["many"], adjectives[female]
    other = agreeing.other[1 + female]
    done = agreeing.action[2] + french["e"]
    english |= {
        "this": f"this {english['bare']}",
        "red_one": f"the {agreeing.colour[0]} one",
        "other_one": f"the {agreeing.other[0]} one",
        "adj": english_quality,
        "adjs": english_quality,
        "adjer": comparative,
        "did": agreeing.action[0],
        "done": agreeing.action[1],
        "dones": agreeing.action[1],
        "it": "it",
        "It": "It",
    }
    french |= {
        "red_one": f"{'la' if female else 'le'} {french['red']}",
        "other_one": f"{'la' if female else 'le'} {other}",
        "adj": adjective,
        "adjs": _plural_adjective(adjective),
        "adjer": adjective,
        "did": agreeing.action[2],
        "done": done,
        "dones": done if done.endswith("s") else f"{done}s",
        "it": "elle" if female else "il",
        "It": "Elle" if female else "Il",
        "lo": "la" if female else "le",
        "which": "quelle" if female else "quel",
        "mine": "la mienne" if female else "le mien",
        "that_one": "celle-là" if female else "celui-là",
        "all_the": f"tous les {many}" if not female else f"toutes les {many}",
    }
    return english, french


def _noun_alone(line: str, colour: Sequence[str], size: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    words = line.split()
    place = next(index for index, word in enumerate(words) if index and word in ("m", "f"))
    noun, french = words[0], " ".join(words[1:place]).replace("·", " ")
    plural = (
        words[place + 1] if words[place + 1 :] else french.replace("appareil", "appareils") + "s" * (" " not in french)
    )
    english = {
        "bare": noun,
        "a": _article(noun),
        "the": f"the {noun}",
        "many": _plural(noun),
        "red": colour[0],
        "reds": colour[0],
        "e": "",
        "red_a": _article(f"{colour[0]} {noun}"),
        "red_the": f"the {colour[0]} {noun}",
        "big_a": _article(f"{size[0]} {noun}"),
        "big_the": f"the {size[0]} {noun}",
    }
    female = words[place] == "f"
    return english, _french_forms(french, plural.replace("·", " "), female, colour[1 + female], size[1 + female])


def _french_forms(noun: str, many: str, female: bool, red: str, big: str) -> dict[str, str]:
    one, the = ("une", "la") if female else ("un", "le")
    vowel = noun[0] in _SOUNDS_OF_VOWELS
    my, your = ("ma", "ta") if female and not vowel else ("mon", "ton")
    this = "cette" if female else "cet" if vowel else "ce"
    return {
        "bare": noun,
        "a": f"{one} {noun}",
        "the": elide(the, noun),
        "my": f"{my} {noun}",
        "your": f"{your} {noun}",
        "this": f"{this} {noun}",
        "de": elide("de", noun),
        "of_a": f"d'{one} {noun}",
        "many": many,
        "red": red,
        "reds": red if red.endswith("s") else f"{red}s",
        "e": "e" if female else "",
        "red_a": f"{one} {noun} {red}",
        "red_the": f"{elide(the, noun)} {red}",
        "big_a": f"{one} {big} {noun}",
        "big_the": f"{the} {big} {noun}",
    }


def same(english: str, french: str | None = None) -> Forms:
    """Return a word with one form on each side; without a French one, the same on both sides."""
    return {"": english.replace("\0", " ")}, {"": (english if french is None else french).replace("\0", " ")}


def elide(word: str, noun: str) -> str:
    """Return two words, the first without its vowel before a vowel: *l'école*, *la maison*."""
    return f"{word[:-1]}'{noun}" if noun[0] in _SOUNDS_OF_VOWELS else f"{word} {noun}"


def _plural_adjective(adjective: str) -> str:
    if adjective.endswith(("s", "x", "bon marché")):
        return adjective
    return f"{adjective}x" if adjective.endswith("eau") else f"{adjective}s"


def vocabulary_forms(source: str, target: str) -> Forms:
    """Return a noun with its article on both sides, *the oxygen*, *l'oxygène*, and its forms after *de* and *à*."""
    bare = target.removeprefix("l'").removeprefix("le ").removeprefix("la ")
    article = target.removesuffix(bare)
    of, to = {"le ": ("du ", "au "), "la ": ("de la ", "à la "), "l'": ("de l'", "à l'")}[article]
    return {"the": source, "of": source, "to": source}, {"the": target, "of": of + bare, "to": to + bare}


def _article(english: str) -> str:
    return f"{'an' if english[0] in 'aeiou' else 'a'} {english}"


def _plural(english: str) -> str:
    if english in _IRREGULAR:
        return _IRREGULAR[english]
    if english.endswith("y") and english[-2] not in "aeiou":
        return f"{english[:-1]}ies"
    return f"{english}es" if english.endswith(("s", "x", "ch", "sh")) else f"{english}s"


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
    french = numbers.french(number)
    if french.endswith("un"):
        return _number_in_words(random)
    return same(random.choice(numbers.english_variants(number)), french)


def _counted(random: Random) -> Forms:
    """Draw a number up to 10,000: in words, in digits, and before a feminine noun."""
    number = random.choice((random.randrange(101), random.randrange(1000), random.randrange(10_001)))
    words = random.choice(numbers.english_variants(number))
    feminine = numbers.french_feminine(number)
    return {"": words, "f": words, "n": str(number)}, {"": numbers.french(number), "f": feminine, "n": str(number)}


def _nth(number: int) -> Forms:
    english, french = numbers.english_ordinal(number), numbers.french_ordinal(number)
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
