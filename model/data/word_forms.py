"""Word forms: a noun with its articles, its plural and the words that agree with it, in English and French."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Forms = tuple[Mapping[str, str], Mapping[str, str]]  # English and French, by the name of the form; "" is the default

_IRREGULAR = {  # plurals
    "mouse": "mice", "knife": "knives", "wolf": "wolves", "sheep": "sheep", "fish": "fish", "leaf": "leaves",
    "shelf": "shelves", "tooth": "teeth", "foot": "feet", "potato": "potatoes", "tomato": "tomatoes",
}  # fmt: skip
_VOWELS = "aeiouyhàâéèêëîïôùûœæAEIOUÉÈÊÎÔ"


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
    vowel = noun[0] in _VOWELS
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
    return f"{word[:-1]}'{noun}" if noun[0] in _VOWELS else f"{word} {noun}"


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
