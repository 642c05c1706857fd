"""Data augmentation by spelling mistakes: a word of the source is misspelt; the target is unchanged.

My friend is sleeping.     My freind is sleeping.     My friend is sleping.
"""

import re
from collections.abc import Callable, Set
from random import Random

from regard.model.data.corpus import Pair

_WORD = re.compile(r"(?<![^\W\d_]|['’@.])[a-z]{3,}(?![^\W\d_]|['’@.]\w)")
_VOWELS = "aeiou"
_LIKE = {"c": "sk", "s": "cz", "k": "c", "f": "v", "v": "f", "m": "n", "n": "m", "t": "d", "d": "t", "y": "i", "z": "s"}
_NEXT = {"b": "v", "g": "h", "h": "g", "j": "h", "l": "k", "p": "o", "q": "w", "r": "t", "w": "e", "x": "c"}  # keys


def misspelt(pair: Pair, known: Set[str], random: Random) -> Pair:
    """Return the pair with a word of its source misspelt, in long sentences sometimes two; unchanged if no mistake is
    possible. A mistake never produces one of the `known` words. Names, which begin with a capital, are kept."""
    source = pair.source
    for _ in range(1 if len(source) < 30 or random.random() < 0.6 else 2):
        words = list(_WORD.finditer(source))
        if not words:
            return pair
        word = random.choice(words)
        wrong = random.choice(_MISTAKES)(word[0], random)
        if wrong not in known and wrong != word[0]:
            source = source[: word.start()] + wrong + source[word.end() :]
    return Pair(source, pair.target)


def _swapped(word: str, random: Random) -> str:
    place = random.randrange(len(word) - 1)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def _dropped(word: str, random: Random) -> str:
    place = random.randrange(1, len(word))
    return word[:place] + word[place + 1 :]


def _doubled(word: str, random: Random) -> str:
    place = random.randrange(1, len(word))
    return word[:place] + word[place] + word[place:]


def _single(word: str, random: Random) -> str:
    """Drop one of two equal letters; swap two letters if none are doubled."""
    places = [place for place in range(1, len(word)) if word[place] == word[place - 1]]
    if not places:
        return _swapped(word, random)
    place = random.choice(places)
    return word[:place] + word[place + 1 :]


def _confused(word: str, random: Random) -> str:
    """Replace a letter by one that sounds alike or is near it on the keyboard."""
    place = random.randrange(1, len(word))
    letter = word[place]
    other = random.choice(_VOWELS) if letter in _VOWELS else random.choice(_LIKE.get(letter, _NEXT.get(letter, letter)))
    return word[:place] + other + word[place + 1 :]


_MISTAKES: tuple[Callable[[str, Random], str], ...] = (_swapped, _swapped, _dropped, _doubled, _single, _confused)
