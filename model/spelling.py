"""Spelling correction by one edit (Damerau 1964): read a mistyped word as a frequent word that differs in one place.

    teh -> the        freind -> friend        beautifull -> beautiful        definately -> definitely

A word is mistyped if neither the dictionary nor `MORE` has it. Its best candidates differ by two swapped letters or by
a letter doubled or not doubled; next come those with one letter more; last those with one letter less, another vowel or
a consonant that sounds alike. Among equals the most frequent wins. The first letter is kept, except in a swap, and a
word of three letters is corrected only by a swap or a doubled letter.

The dictionary is that of pyspellchecker: 160,000 English words with their frequency in subtitles.
"""

from collections.abc import Callable, Iterator
from functools import cache

from regard.model.files import toml_beside

SHORTEST, LONGEST = 3, 24  # letters of a word that is corrected
FREQUENT = 15_000  # candidates are that many most frequent words, and `PROPER`
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOWELS = "aeiouy"
ALIKE = {"c": "sk", "s": "cz", "k": "c", "f": "v", "v": "f", "m": "n", "n": "m", "t": "d", "d": "t", "z": "s"}
ALIKE |= {vowel: VOWELS.replace(vowel, "") for vowel in VOWELS}
_LISTS = toml_beside(__file__, "spelling_words.toml")
# names that are always capitalised; words that the dictionary lacks
PROPER, MORE = (frozenset(_LISTS[name].split()) for name in ("proper", "more"))


@cache
def dictionary() -> dict[str, int]:
    """Return the rank of each known word, from 0 for the most frequent; words of `MORE` come last."""
    from spellchecker import SpellChecker  # 0.2 seconds

    counts = SpellChecker(distance=1).word_frequency.dictionary
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: rank for rank, word in enumerate([*ordered, *sorted(MORE - counts.keys())])}


def corrected(word: str) -> str:
    """Return the frequent word that a mistyped one in lower case stands for; itself if it is known or none is near."""
    if word in dictionary() or not SHORTEST <= len(word) <= LONGEST:
        return word
    return nearest(word) or word


def nearest(word: str) -> str | None:
    """Return the likeliest frequent word that is one edit away, or None."""
    ranks = dictionary()
    for edits in _EDITS[: 1 if len(word) == SHORTEST else None]:
        found = [edited for edited in edits(word) if edited in PROPER or ranks.get(edited, FREQUENT) < FREQUENT]
        if found:
            return min(found, key=lambda edited: ranks[edited])
    return None


def _swapped_or_doubled(word: str) -> Iterator[str]:
    for place in range(len(word)):
        before, letter, after = word[:place], word[place], word[place + 1 :]
        yield before + after[:1] + letter + after[1:]
        yield before + letter + letter + after
        if before.endswith(letter):
            yield before + after


def _longer(word: str) -> Iterator[str]:
    for place in range(1, len(word) + 1):
        for letter in LETTERS:
            yield word[:place] + letter + word[place:]


def _shorter_or_alike(word: str) -> Iterator[str]:
    for place in range(1, len(word)):
        for letter in ("", *ALIKE.get(word[place], "")):
            yield word[:place] + letter + word[place + 1 :]


_EDITS: tuple[Callable[[str], Iterator[str]], ...] = (_swapped_or_doubled, _longer, _shorter_or_alike)
