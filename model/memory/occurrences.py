"""Occurrences: counts of each source word, and of each token of both sides, in the training text.

Words are counted in lower case. The file `occurrences.safetensors` is beside the weights of the model whose hash it
names; each pair of the text counts once, however often training read it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from regard.model.files import companion_content, read_companion, write_file
from regard.model.tokenizer import STOP, Tokenizer

OCCURRENCES = "occurrences.safetensors"
Progress = Callable[[Iterable[int]], Iterable[int]]
RARE = 10  # words that occurred fewer times in the training text are marked


@dataclass(frozen=True, eq=False)
class Occurrences:
    """Counts over a training text of `pairs` sentence pairs; `words` has only words that occurred."""

    pairs: int
    words: Mapping[str, int]  # of the source, in lower case
    source_tokens: Int[ndarray, " V"]
    target_tokens: Int[ndarray, " V"]

    def word(self, word: str) -> int:
        """Return the count of a source word in the training text, regardless of case."""
        return self.words.get(word.lower(), 0)


def count(tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]], progress: Progress = iter) -> Occurrences:
    """Count the words and tokens of a text; `</s>` ends every sentence. `progress` wraps the iteration over sides."""
    words: Counter[str] = Counter()
    sides = np.zeros((2, len(tokenizer)), dtype=np.int64)
    for side in progress(range(2)):
        whole, tokens = tokenizer.occurrences((pair[side] for pair in pairs), tokenizer.languages[side])
        sides[side, list(tokens)] = list(tokens.values())
        sides[side, STOP] = len(pairs)
        if side == 0:
            for word, times in whole.items():
                words[word.lower()] += times
    return Occurrences(len(pairs), words, *sides)


def save(counted: Occurrences, fingerprint: str, folder: Path) -> None:
    """Write the counts for the model whose files have this hash."""
    words = sorted(counted.words)
    tensors = {
        "words": np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        "word_counts": np.array([counted.words[word] for word in words], dtype=np.uint32),
        "source_tokens": counted.source_tokens.astype(np.uint32),
        "target_tokens": counted.target_tokens.astype(np.uint32),
    }
    write_file(folder / OCCURRENCES, companion_content(tensors, fingerprint, pairs=counted.pairs))


def load(folder: Path, fingerprint: str) -> Occurrences | None:
    """Read the counts beside a model; None if they are missing, broken or for other weights."""
    return read_companion(folder / OCCURRENCES, fingerprint, _occurrences)


def _occurrences(tensors: dict[str, ndarray], facts: Mapping[str, str]) -> Occurrences:
    words = tensors["words"].tobytes().decode().split("\n")
    counts = dict(zip(words, tensors["word_counts"].tolist(), strict=True))
    sides = (tensors[name].astype(np.int64) for name in ("source_tokens", "target_tokens"))
    return Occurrences(int(facts["pairs"]), counts, *sides)
