"""Baselines of word alignment without attention, on hand-linked pairs: the diagonal, and IBM Model 1 (Brown 1993)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nltk.translate import AlignedSent, IBMModel1

from regard.model.data.corpus import Pair
from regard.model.input_error import InputError
from regard.model.word_alignment.alignment_error_rate import (
    NO_LINKS,
    GoldPair,
    Link,
    agreement,
    diagonal,
    rates,
    read_story,
)
from regard.model.words import normalise, word_texts

ITERATIONS = 5


@dataclass(frozen=True)
class Aligner:
    """A trained aligner. `languages` are source and target."""

    learned: IBMModel1
    languages: tuple[str, str]

    def probability(self, target: str, source: str | None) -> float:
        """Return p(target word | source word), or given the empty word (None); 0 for words never seen together."""
        table = self.learned.translation_table
        return table[target].get(source, 0.0) if target in table else 0.0

    def links(self, pair: GoldPair) -> list[Link]:
        """Return the links between the given words, lower-cased as in training."""
        sources, targets = ([normalise(word).lower() for word in side.words] for side in pair.joined(self.languages))
        pairs_linked = []
        for row, target in enumerate(targets):
            likely = [self.probability(target, source) for source in sources]
            if max(likely, default=0) > self.probability(target, None):
                pairs_linked.append((likely.index(max(likely)), row))
        return pairs_linked


def train(pairs: Sequence[Pair], languages: tuple[str, str]) -> Aligner:
    corpus = []
    for pair in pairs:
        sides = zip(pair, languages, strict=True)
        source, target = ([word.lower() for word in word_texts(text, language)] for text, language in sides)
        corpus.append(AlignedSent(target, source))
    return Aligner(IBMModel1(corpus, ITERATIONS), languages)


@dataclass(frozen=True)
class Gold:
    """The pairs of each story, and each baseline's links for the scored pairs."""

    stories: dict[str, list[GoldPair]] = field(default_factory=dict)
    files: dict[str, list[Path]] = field(default_factory=dict)  # per story
    broken: tuple[str, ...] = ()  # errors of stories that cannot be read
    proposed: dict[str, dict[GoldPair, list[Link]]] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)  # training record of each baseline


def read_gold(folders: Sequence[Path], languages: tuple[str, str]) -> Gold:
    """Read the stories in the folders, setting aside unreadable ones, with the diagonal as baseline."""
    read, broken = {}, []
    for folder in folders:
        try:
            read[folder] = read_story(folder, languages)
        except (InputError, OSError) as error:
            broken.append(str(error))
    scored = (pair for pairs in read.values() for pair in pairs if pair.counts)
    straight = {pair: diagonal(*(len(side.words) for side in pair.joined(languages))) for pair in scored}
    files = {folder.name: sorted(folder.glob("*.txt")) for folder in read}
    stories = {folder.name: pairs for folder, pairs in read.items()}
    return Gold(stories, files, tuple(broken), {"diagonal": straight})


def with_ibm1(gold: Gold, training: Sequence[Pair], languages: tuple[str, str]) -> Gold:
    """Add IBM Model 1, trained on these pairs, as one more baseline."""
    began = time.perf_counter()
    aligner = train(training, languages)
    seconds = round(time.perf_counter() - began, 1)
    links = {pair: aligner.links(pair) for pair in gold.proposed["diagonal"]}
    about = {"iterations": ITERATIONS, "pairs": len(training), "seconds": seconds}
    return replace(gold, proposed={**gold.proposed, "ibm1": links}, about={**gold.about, "ibm1": about})


def baselines(gold: Gold, pairs: Sequence[GoldPair]) -> dict[str, dict[str, float]]:
    """Return the rates of each baseline on these pairs."""
    return {
        name: rates(sum((agreement(links[pair], pair.sure, pair.possible) for pair in pairs), NO_LINKS))
        for name, links in gold.proposed.items()
    }
