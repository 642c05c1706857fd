"""eflomal, a word aligner without a network, as a yardstick. Östling and Tiedemann (2016).

It samples alignments by IBM Model 1, jumps between words (HMM) and the number of target words per source word
(fertility). It is optional: `pip install eflomal` installs it, given a C compiler.

Symmetrisation combines the links of two directions by grow-diag-final-and (Koehn et al. 2003, 2005):

    intersection: links that both directions have
    grow-diag:    add a link of either direction next to an existing one, also diagonally, if one of its words has none
    final-and:    then add a link of either direction if both its words have none

Forward links are tried before reverse ones, each in the order of source and target.
"""

import importlib
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from regard.model.data.corpus import Pair
from regard.model.input_error import InputError
from regard.model.word_alignment.alignment_error_rate import Link
from regard.model.word_alignment.baselines import Gold
from regard.model.words import normalise, word_texts

COMMAND = "eflomal.Aligner(model=3).align(source, target)"
NOTHING = "_"  # replaces a word without a visible character, so that the others keep their places

NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def intersection(forward: Collection[Link], reverse: Collection[Link]) -> set[Link]:
    return set(forward) & set(reverse)


def grow_diag_final_and(forward: Collection[Link], reverse: Collection[Link]) -> set[Link]:
    links = _grow_diag(intersection(forward, reverse), set(forward) | set(reverse))
    for direction in (forward, reverse):
        for source, target in sorted(direction):
            if not _linked(source, 0, links) and not _linked(target, 1, links):
                links.add((source, target))
    return links


def _grow_diag(links: set[Link], union: set[Link]) -> set[Link]:
    """Add neighbours until nothing more can be added."""
    grown = set(links)
    while True:
        before = len(grown)
        for source, target in sorted(grown):
            for down, right in NEIGHBOURS:
                link = (source + down, target + right)
                lonely = not _linked(link[0], 0, grown) or not _linked(link[1], 1, grown)
                if link in union and lonely:
                    grown.add(link)
        if len(grown) == before:
            return grown


def _linked(word: int, side: int, links: Collection[Link]) -> bool:
    return any(link[side] == word for link in links)


PROPOSED: dict[str, Callable[[Collection[Link], Collection[Link]], Collection[Link]]] = {
    "eflomal_forward": lambda forward, reverse: forward,  # at most one source word per target word
    "eflomal_reverse": lambda forward, reverse: reverse,  # at most one target word per source word
    "eflomal_intersection": intersection,
    "eflomal_grow_diag_final_and": grow_diag_final_and,
}


def eflomal_version() -> str:
    """Return the installed version of eflomal. Raises InputError if it is not installed."""
    try:
        importlib.import_module("eflomal")
        return version("eflomal")
    except (ImportError, PackageNotFoundError) as error:
        raise InputError(
            f"eflomal cannot be used ({error}); install it with `pip install eflomal` or leave out --eflomal"
        ) from error


def with_eflomal(gold: Gold, training: Sequence[Pair], languages: tuple[str, str]) -> Gold:
    """Add eflomal's links. It learns from these pairs and the stories' sentences, never from their links."""
    installed, began = eflomal_version(), time.perf_counter()
    pairs = list(gold.proposed["diagonal"])
    joined = (pair.joined(languages) for pair in pairs)
    sides = zip(*([map(normalise, side.words) for side in both] for both in joined), strict=True)
    texts = [
        [_line(words) for words in (*(word_texts(pair[side], language) for pair in training), *told)]
        for side, (language, told) in enumerate(zip(languages, sides, strict=True))
    ]
    forward, reverse = (lines[len(training) :] for lines in _align(*texts))
    proposed = {
        name: {pair: sorted(put(*both)) for pair, *both in zip(pairs, forward, reverse, strict=True)}
        for name, put in PROPOSED.items()
    }
    seconds = round(time.perf_counter() - began, 1)
    about = {"version": installed, "command": COMMAND, "pairs": len(training) + len(pairs), "seconds": seconds}
    return replace(gold, proposed=gold.proposed | proposed, about=gold.about | {"eflomal": about})


def _align(source: Sequence[str], target: Sequence[str]) -> list[list[list[Link]]]:
    """Return forward and reverse links of each pair of lines, source first in both."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("forward", "reverse")]
        importlib.import_module("eflomal").Aligner(model=3).align(source, target, *map(str, files))
        return [[_links(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in files]


def _links(line: str) -> list[Link]:
    pairs = (item.split("-") for item in line.split())
    return [(int(source), int(target)) for source, target in pairs]


def _line(words: Iterable[str]) -> str:
    """Return words in lower case on one line, each without its blanks, at which eflomal would split."""
    return " ".join(NOTHING.join(word.lower().split()) or NOTHING for word in words)
