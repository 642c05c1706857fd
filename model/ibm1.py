"""IBM Model 1 (Brown et al. 1993), the simplest of word aligners, as a baseline: no network, no order of words.

It is NLTK's, trained by five rounds of expectation maximisation on the same parallel text as the models. Each target
word is linked to the source word that it most likely translates, and to none where the empty word is as likely.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from nltk.translate import AlignedSent, IBMModel1

from model.corpus import Pair
from model.joining import join
from model.links import GoldPair, Link
from model.words import normalise, words

ITERATIONS = 5


@dataclass(frozen=True)
class Aligner:
    """What was learned, from how many pairs and in how many seconds. `languages` are source and target."""

    learned: IBMModel1
    languages: tuple[str, str]
    pairs: int
    seconds: float

    def probability(self, target: str, source: str | None) -> float:
        """p(target word | source word), or given the empty word (None); 0 for what was never seen together."""
        table = self.learned.translation_table
        return table[target].get(source, 0.0) if target in table else 0.0

    def links(self, pair: GoldPair) -> list[Link]:
        """Between words as they are given; lower-cased, as in training."""
        sources, targets = (
            [normalise(word).lower() for word in join(line, language).words]
            for line, language in zip((pair.source, pair.target), self.languages, strict=True)
        )
        found = []
        for row, target in enumerate(targets):
            likely = [self.probability(target, source) for source in sources]
            if max(likely, default=0) > self.probability(target, None):
                found.append((likely.index(max(likely)), row))
        return found


def train(pairs: Sequence[Pair], languages: tuple[str, str]) -> Aligner:
    began = time.perf_counter()
    corpus = [AlignedSent(_words(pair.target, languages[1]), _words(pair.source, languages[0])) for pair in pairs]
    return Aligner(IBMModel1(corpus, ITERATIONS), languages, len(pairs), time.perf_counter() - began)


def _words(text: str, language: str) -> list[str]:
    return [text[span.start : span.stop].lower() for span in words(text, language)]
