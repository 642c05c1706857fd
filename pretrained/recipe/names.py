"""Names: a first name on both sides is replaced by another on both; invented names, numbers and addresses.

    Tom aime Mary. / Tom likes Mary.  ->  Ngozi aime Sigrid. / Ngozi likes Sigrid.

This teaches a model to copy any name. French elides before a vowel (`de Tom`, `d'Anna`), so `de`, `que`, `lorsque`,
`puisque` and `jusque` are adapted to the new name; if an initial h or y makes elision uncertain, another name is
chosen.

Invented names are syllables in the spelling of many languages, so that a model copies names that it has never seen:
*Kóko, Lékine, Wissou, Ngaumova, Giranka, Patopoulos*. They begin with an ASCII letter, because French elides before
some letters with accents and not before others. Telephone numbers and addresses are copied letter by letter.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from regard.model.data.corpus import Pair
from regard.model.files import toml_beside

PARTS = {name: text.split() for name, text in toml_beside(__file__, "invented_names.toml").items()}
SYLLABLES = (0, 0, 1, 1, 1, 2)  # between beginning and end, each as likely as it is often
BRIDGES = "lnrstkmd"  # between two vowels
BEFORE_A_CAPITAL = ("mc", "o'")


def invented_name(random: Random) -> str:
    """Return a beginning, at most two syllables, and an end."""

    def part(name: str) -> str:
        return random.choice(PARTS[name])

    letters = part("beginnings")
    if letters[-1] not in "aeiou":
        letters += part("vowels")
    for _ in range(random.choice(SYLLABLES)):
        letters += part("onsets") + part("vowels")
    end = part("ends")
    if end[0] in "aeiouy":
        letters += random.choice(BRIDGES)
    return _capitals(letters + end)


def _capitals(letters: str) -> str:
    for prefix in BEFORE_A_CAPITAL:
        if letters.startswith(prefix):
            return prefix.capitalize() + letters[len(prefix) :].capitalize()
    return letters.capitalize()


PLACES = frozenset(  # first names that are also places or words, which may be translated
    """
    Adelaide Asia Austin Carolina Charlotte Chelsea China Dakota Florence France Georgia India Israel Jordan Kenya
    London Madison Orlando Paris Phoenix Savannah Sydney Victoria Vienna Virginia Will Mark Grace Hope Faith Joy April
    May June August Summer Autumn Rose Bill Rob Sue Pat Drew Jack Art
    """.split()
)
TRIES = 8
FOREIGN = {  # of Polish, Czech, Turkish, Romanian, Hungarian, Vietnamese, Spanish, Portuguese and Nordic names
    "a": "áãåąăạ",
    "c": "ćčç",
    "d": "đď",
    "e": "ëęěễ",
    "g": "ğ",
    "i": "íıị",
    "l": "łľ",
    "n": "ñńň",
    "o": "öøóõőơ",
    "r": "řŕ",
    "s": "śşšș",
    "t": "ťț",
    "u": "üúůűư",
    "y": "ýỳ",
    "z": "żźž",
}
FOREIGN_CAPITALS = {"L": "Ł", "S": "ŚŞŠ", "C": "ČĆ", "Z": "ŽŻ", "R": "Ř", "T": "Ț", "D": "Đ", "N": "Ñ"}

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_VOWELS = "aeiouàâäéèêëîïôöùûüœæ"
_UNSURE = "hy"
_ELIDING = "de|que|lorsque|puisque|jusque"
_ELIDED = "d|qu|lorsqu|puisqu|jusqu"


@dataclass(frozen=True)
class Names:
    """Family names, and first names by gender, because French agrees with it."""

    female: tuple[str, ...]
    male: tuple[str, ...]
    family: tuple[str, ...]

    @staticmethod
    def of(rows: Iterable[tuple[str, str]]) -> "Names":
        """Build from names and the kind of each: female, male or family."""
        kinds: dict[str, dict[str, None]] = {"female": {}, "male": {}, "family": {}}
        for name, kind in rows:
            kinds[kind][name] = None
        female, male, family = kinds["female"], kinds["male"], kinds["family"]
        return Names(
            tuple(name for name in female if name not in male),
            tuple(name for name in male if name not in female),
            tuple(family),
        )

    def gender(self) -> dict[str, str]:
        """Return the gender of each name to exchange: first names of one gender that are not places or words."""
        kinds = dict.fromkeys(self.female, "female") | dict.fromkeys(self.male, "male")
        return {name: kind for name, kind in kinds.items() if name not in PLACES}

    def draw(self, kind: str, random: Random) -> str:
        """Draw a first name of that gender, sometimes with a family name; or a family name; or an invented name."""
        first = random.choice(self.female if kind == "female" else self.male)
        chance = random.random()
        if chance > 0.85:
            return foreign_letters(first, random)
        if chance < 0.1:
            return respelled(first, random)
        if chance < 0.2:
            return f"{first} {random.choice(self.family)}"
        if chance < 0.3:
            return random.choice(self.family)
        return invented_name(random) if chance < 0.65 else first

    def draw_family(self, random: Random) -> str:
        """Draw a family name, or often an invented one."""
        chance = random.random()
        if chance > 0.8:
            return foreign_letters(random.choice(self.family), random)
        return invented_name(random) if chance < 0.4 else random.choice(self.family)


def respelled(name: str, random: Random) -> str:
    """Return the name with one letter replaced: a vowel by a vowel, a consonant by a consonant."""
    letters = list(name)
    places = [place for place, letter in enumerate(letters) if place and letter.isascii() and letter.islower()]
    if not places:
        return name
    place = random.choice(places)
    kind = "aeiou" if letters[place] in "aeiou" else "bcdfgklmnprstvz"
    letters[place] = random.choice(kind)
    return "".join(letters)


def foreign_letters(name: str, random: Random) -> str:
    """Return the name with up to three letters replaced by foreign ones, never an initial vowel, which may elide."""
    letters = list(name)
    places = [place for place, letter in enumerate(letters) if letter in FOREIGN and place]
    for place in random.sample(places, min(len(places), random.choice((1, 1, 2, 3)))):
        letters[place] = random.choice(FOREIGN[letters[place]])
    if letters[0] in FOREIGN_CAPITALS and random.random() < 0.5:
        letters[0] = random.choice(FOREIGN_CAPITALS[letters[0]])
    return "".join(letters)


def shared_names(pair: Pair, gender: dict[str, str]) -> list[str]:
    """Return the names that occur equally often on both sides."""
    source, target = _WORD.findall(pair.source), _WORD.findall(pair.target)
    return [name for name in dict.fromkeys(source) if name in gender and source.count(name) == target.count(name)]


def exchange(pair: Pair, names: Names, gender: dict[str, str], random: Random) -> Pair:
    """Return the pair with every shared name replaced by one of the same gender; unchanged if there is none."""
    for old in shared_names(pair, gender):
        for _ in range(TRIES):
            new = names.draw(gender[old], random)
            if old not in new and not _stands_in(pair, new) and _elision_certain(pair.target, old, new):
                pair = Pair(replaced(pair.source, old, new), elided(pair.target, old, new))
                break
    return pair


def _stands_in(pair: Pair, name: str) -> bool:
    """Return True if the text already has part of the name, which would make it ambiguous."""
    text = f"{pair.source} {pair.target}".casefold()
    return any(word in text for word in name.casefold().split())


def replaced(text: str, old: str, new: str) -> str:
    """Return the text with one whole word replaced by another."""
    return re.sub(rf"(?<![^\W\d_]){re.escape(old)}(?![^\W\d_])", lambda _: new, text)


def elided(text: str, old: str, new: str) -> str:
    """Return French text with the new name; the word before it is elided or spelled out to match."""
    name = re.escape(old)
    if new[0].lower() in _VOWELS:
        text = re.sub(rf"\b({_ELIDING}) {name}\b", lambda m: f"{m[1][:-1]}'{old}", text, flags=re.I)
    else:
        text = re.sub(rf"\b({_ELIDED})'{name}\b", lambda m: f"{m[1]}e {old}", text, flags=re.I)
    return replaced(text, old, new)


def _elision_certain(target: str, old: str, new: str) -> bool:
    """Return True if it is certain whether the word before the new name elides."""
    if new[0].lower() not in _UNSURE:
        return True
    return not re.search(rf"\b(?:(?:{_ELIDING}) |(?:{_ELIDED})'){re.escape(old)}\b", target, flags=re.I)


def read_names(lines: Sequence[str]) -> Names:
    """Read lines of `name TAB kind TAB locale`, the format of names_faker, or `name TAB female|male|family`."""
    kinds = {"first_names_female": "female", "first_names_male": "male", "last_name": "family"}
    rows = [line.split("\t")[:2] for line in lines if line.strip()]
    return Names.of((name, kinds.get(kind, kind)) for name, kind in rows)


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
