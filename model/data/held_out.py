"""Held-out sentences: lists that measure the models, and what is too near to them to be learned from.

A pair is left out when its source has the letters and digits of a held-out sentence, whatever its case, blanks and
punctuation. For held-out sentences of at least `FEWEST` different words it is left out, too, if the Jaccard similarity
of the two sets of words (the number of words in both divided by the number in either) is at least `NEAR`.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from regard.model.data.corpus import read_lines
from regard.model.words import normalise

NEAR = 0.75
FEWEST = 4

_APOSTROPHE = re.compile(r"['’]")
_WORD = re.compile(r"[^\W_]+")


class HeldOut:
    """A set of sentences that no training pair may have as its source, nor anything near to one."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        held = list(dict.fromkeys(sentences))
        self._letters = {letters(sentence) for sentence in held}
        sets = [bag for sentence in held if len(bag := word_set(sentence)) >= FEWEST]
        common = Counter(word for bag in sets for word in bag)
        self._by_word: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        for bag in sets:
            rarest = sorted(bag, key=lambda word: (common[word], -len(word), word))
            for word in rarest[: len(bag) - math.ceil(NEAR * len(bag)) + 1]:  # a near set holds at least one of these
                self._by_word[word].append(bag)

    @classmethod
    def read(cls, paths: Iterable[Path]) -> "HeldOut":
        """Read lists with the sentences in their second column."""
        return cls(line.split("\t")[1] for path in paths for line in read_lines(path) if "\t" in line)

    def near(self, source: str) -> bool:
        """Return True when `source` is a held-out sentence or too near to one."""
        if letters(source) in self._letters:
            return True
        mine = word_set(source)
        candidates = (bag for word in mine for bag in self._by_word.get(word, ()))
        return any(len(mine & bag) >= NEAR * len(mine | bag) for bag in candidates)


def letters(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return "".join(_WORD.findall(normalise(text).lower()))


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text in lower case; an apostrophe joins, other punctuation separates."""
    return frozenset(_WORD.findall(_APOSTROPHE.sub("", normalise(text).lower())))
