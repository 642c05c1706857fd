"""Word forms: a noun with its articles, its plural and what agrees with it, in English and in French."""

from collections.abc import Mapping

Forms = tuple[Mapping[str, str], Mapping[str, str]]  # English and French, by the name of the form; "" is the usual one

_VOWELS = "aeiouyhàâéèêëîïôùûœæAEIOUÉÈÊÎÔ"


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
            "reds": colour[0],
            "e": "",
            "red_a": _article(f"{colour[0]} {english}"),
            "red_the": f"the {colour[0]} {english}",
            "big_a": _article(f"{size[0]} {english}"),
            "big_the": f"the {size[0]} {english}",
        },
        {
            "bare": french,
            "a": f"{one} {french}",
            "the": elide(the, french),
            "my": f"{my} {french}",
            "your": f"{your} {french}",
            "this": f"{this} {french}",
            "de": elide("de", french),
            "of_a": f"d'{one} {french}",
            "many": many,
            "red": red,
            "reds": red if red.endswith("s") else f"{red}s",
            "e": "e" if female else "",
            "red_a": f"{one} {french} {red}",
            "red_the": f"{elide(the, french)} {red}",
            "big_a": f"{one} {big} {french}",
            "big_the": f"{the} {big} {french}",
        },
    )


def same(english: str, french: str | None = None) -> Forms:
    """A word with one form on each side; the same word where there is no French."""
    return {"": english.replace("\0", " ")}, {"": (english if french is None else french).replace("\0", " ")}


def elide(word: str, noun: str) -> str:
    """Before a vowel the word loses its own: *l'école*, *la maison*."""
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
