"""Held-out sentences: lists that measure the models; training leaves them and similar sentences out.

A pair is left out if its source has the letters and digits of a held-out sentence, whatever its case, blanks and
punctuation. If the held-out sentence has at least `FEWEST` different words, a pair is also left out if the Jaccard
similarity of the two sets of words (words in both, divided by words in either) is at least `NEAR`.
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
    """Sentences that no training pair may have as its source, nor one similar to it."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        held = list(dict.fromkeys(sentences))
        self._letters = {letters(sentence) for sentence in held}
        sets = [bag for sentence in held if len(bag := word_set(sentence)) >= FEWEST]
        common = Counter(word for bag in sets for word in bag)
        self._by_word: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        for bag in sets:
            rarest = sorted(bag, key=lambda word: (common[word], -len(word), word))
            for word in rarest[: len(bag) - math.ceil(NEAR * len(bag)) + 1]:  # a similar one has one of these
                self._by_word[word].append(bag)

    @classmethod
    def read(cls, paths: Iterable[Path]) -> "HeldOut":
        """Read lists with the sentences in their second column."""
        return cls(line.split("\t")[1] for path in paths for line in read_lines(path) if "\t" in line)

    def near(self, source: str) -> bool:
        """Return True if `source` is a held-out sentence or similar to one."""
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
