"""Invented names: syllables in the spelling of many languages, so that a model copies names that it has never seen.

    Kóko, Lékine, Wissou, Ngaumova, Giranka, Patopoulos

They begin with an ASCII letter, because French elides before some letters with accents and not before others.
"""

from random import Random

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
