"""Synthetic tasks, such as reversing a sequence of numbers: small enough to be learned while one watches.

    reverse  2 5 9 → 9 5 2      copy  2 5 9 → 2 5 9      sort  5 9 2 → 2 5 9      shift  2 5 9 → 5 9 2

A sequence is a tuple of numbers from 0 and is written with blanks between them; each number is one word and one token.
A hash of the sequence decides which are held out at every length, as `regard.model.data.corpus.bucket` does for
sentences: training never meets them, whatever the seed, and measuring uses nothing else.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import ceil

import numpy as np

from regard.model.data.corpus import Batch, Pair
from regard.model.seq2seq import pad
from regard.model.tokenizer import BYTES, CONTROL, STOP, Tokenizer, plain_tokenizer

Numbers = tuple[int, ...]
HELD_OUT = 0.05  # share of the sequences of each length
COUNTED = 5000  # up to this many sequences of a length are listed to choose from; beyond, a hash decides for each
HASHES = 2**32  # upper bound of the hashes
FIRST = len(CONTROL + BYTES)  # id of the number 0


TASKS: dict[str, Callable[[Numbers], Numbers]] = {
    "reverse": lambda sequence: sequence[::-1],
    "copy": lambda sequence: sequence,
    "sort": lambda sequence: tuple(sorted(sequence)),
    "shift": lambda sequence: sequence[1:] + sequence[:1],
}


def written(sequence: Numbers) -> str:
    """Return a sequence as a person types it: `2 5 9`."""
    return " ".join(map(str, sequence))


def pair(task: str, sequence: Numbers) -> Pair:
    """Return a sequence and its answer as text."""
    return Pair(written(sequence), written(TASKS[task](sequence)))


def tokenizer(symbols: int) -> Tokenizer:
    """Build a tokenizer for sequences of `symbols` different numbers."""
    return plain_tokenizer([str(number) for number in range(symbols)])


def batch(task: str, sequences: Sequence[Numbers]) -> Batch:
    """Return sequences and their answers as `tokenizer` encodes them."""
    targets = map(TASKS[task], sequences)
    return Batch(pad([_ids(sequence) for sequence in sequences]), pad([_ids(target) for target in targets]))


def held_out(sequence: Numbers, symbols: int) -> bool:
    """True if the sequence is kept from training."""
    if symbols ** len(sequence) <= COUNTED:
        return sequence in _held_out(len(sequence), symbols)
    return _hash(sequence) < HELD_OUT * HASHES


def draw(random: np.random.Generator, length: int, symbols: int) -> Numbers:
    """Sample a training sequence of this length, one that is not held out."""
    return _draw(random, length, symbols, kept_out=False)


def sample(length: int, symbols: int, most: int) -> list[Numbers]:
    """Return held-out sequences of this length, always the same: `most` different ones, or all if there are fewer."""
    if symbols**length <= COUNTED:
        return sorted(_held_out(length, symbols), key=_hash)[:most]
    random, numbers = np.random.default_rng((length, symbols)), dict[Numbers, None]()
    while len(numbers) < most:
        numbers[_draw(random, length, symbols, kept_out=True)] = None
    return list(numbers)


def _ids(sequence: Numbers) -> list[int]:
    return [FIRST + number for number in sequence] + [STOP]


def _draw(random: np.random.Generator, length: int, symbols: int, kept_out: bool) -> Numbers:
    while True:
        sequence = tuple(random.integers(symbols, size=length).tolist())
        if held_out(sequence, symbols) == kept_out:
            return sequence


@cache
def _held_out(length: int, symbols: int) -> frozenset[Numbers]:
    """Return the sequences with the smallest hashes, at least one."""
    everything = sorted(product(range(symbols), repeat=length), key=_hash)
    return frozenset(everything[: ceil(HELD_OUT * len(everything))])


def _hash(sequence: Numbers) -> int:
    return int.from_bytes(hashlib.sha1(written(sequence).encode()).digest()[:4], "big")
