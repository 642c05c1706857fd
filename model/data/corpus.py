"""Parallel text: files to checked sentence pairs, to a split that does not leak, to padded batches.

Text that cannot be read as sentence pairs stops a training, with the file and the line. Lines that would teach nothing
or mistakes are skipped. Suspicious lines are used and reported, so that a person can look at them.

Collections such as Tatoeba have several translations of one source sentence, so the split is by source sentence, not
by line: pairs whose sources differ only in case, blanks or punctuation at the ends go to the same part.
"""

import codecs
import gzip
import hashlib
import math
import re
import string
import zlib
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np
from jaxtyping import Int
from torch import Tensor

from regard.model.input_error import InputError
from regard.model.seq2seq import pad
from regard.model.tokenizer import STOP, Tokenizer
from regard.model.words import normalise, visible

APART, MOST_APART = 30, 100  # pairs wanted in each held-out part, and at most so many of 1000 in a small text
MOST_BYTES = 2**30  # of a text file
MOST_UNPACKED = 100  # times the packed size; text unpacks to three to ten times its size
LOOKED_AT, MOSTLY = 1000, 0.9  # rows by which a column of numbers is known, and the share of them that are numbers
UNKNOWN = ("", "")  # languages
TRAINING_TOKENS = 100  # tokens on a side, `</s>` included
_NUMBER = re.compile(r"\s*[-+]?\d+(?:[.,]\d+)?\s*")


class Pair(NamedTuple):
    """A sentence and its translation, in normal form."""

    source: str
    target: str


@dataclass(frozen=True)
class Recorded:
    """A file's name without folders, and the SHA-256 of its decompressed contents."""

    name: str
    sha256: str


class Bounds(NamedTuple):
    """Bounds among 1000 buckets: sentences below `test` are held out, others below `validation` are for validation."""

    test: int
    validation: int


USUAL = Bounds(15, 25)


@dataclass(frozen=True)
class Split:
    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]


@dataclass(frozen=True, eq=False)
class Batch:
    """Padded ids; every sentence ends with `</s>`."""

    source: Int[Tensor, "B S"]
    target: Int[Tensor, "B T"]

    def part(self, rank: int, ranks: int) -> "Batch":
        """Return the rows of one of several processes that share the batch."""
        return Batch(self.source[rank::ranks], self.target[rank::ranks])


def recorded(path: Path) -> Recorded:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        return Recorded(path.name, hashlib.file_digest(file, "sha256").hexdigest())


def read_lines(path: Path) -> list[str]:
    """Return the lines of a UTF-8 text file, gzipped or not. Raises InputError naming the file and the line that is not
    UTF-8, or if it has no end. A byte order mark is kept as a character of the first line."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)  # more than there is would be read of a device such as /dev/zero
    if len(content) > MOST_BYTES:
        raise InputError(f"{path} has more than {MOST_BYTES:,} bytes; up to that many are read")
    if path.suffix == ".gz":
        try:
            most = MOST_UNPACKED * len(content) + 2**20
            with gzip.open(BytesIO(content)) as file:
                unpacked = file.read(most + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{path}: not a complete gzip file ({error})") from error
        if len(unpacked) > most:
            times = f"{MOST_UNPACKED} times its {len(content):,} bytes"
            raise InputError(f"{path}: it unpacks to over {times}; text does not")
        content = unpacked
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{path}: this is UTF-16; save it as UTF-8")
    if b"\0" in content:
        number = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise InputError(f"{path}, line {number}: a zero byte, which no UTF-8 text has; save it as UTF-8 text")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {number}: not UTF-8 ({error.reason}); save it as UTF-8") from error
    return [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def read_table(path: Path, languages: tuple[str, str] = UNKNOWN) -> list[Pair]:
    """Return pairs from `source TAB target` lines; further columns, columns of numbers and lines with an empty side are
    ignored."""
    return _pairs(_table(path)[0], languages)


def read_two(source: Path, target: Path, languages: tuple[str, str] = UNKNOWN) -> list[Pair]:
    """Return pairs from two files aligned by line; lines with an empty side are ignored."""
    return _pairs(_two(source, target), languages)


def _pairs(rows: Iterable[tuple[str, str]], languages: tuple[str, str]) -> list[Pair]:
    pairs = (Pair(*map(normalise, row, languages)) for row in rows)
    return [pair for pair in pairs if all(pair)]


def _table(path: Path) -> tuple[list[tuple[str, str]], tuple[int, ...]]:
    """Return source and target of each line, and the places of columns of numbers. Raises InputError with file and
    line."""
    rows = [line.split("\t") for line in read_lines(path)]
    wrong = [number for number, row in enumerate(rows, start=1) if len(row) < 2 and row[0].strip()]
    if wrong:
        counted = f" (and in {len(wrong) - 1:,} more: {_numbers(wrong[1:])})" if wrong[1:] else ""
        place = f"{path}, line {wrong[0]}: no tab between source and target{counted}"
        raise InputError(f"{place}; a line is source TAB target, or blank")
    numbers = number_columns(rows)
    texts = ((*without(row, numbers), "", "")[:2] for row in rows)
    return [(source, target) for source, target in texts], numbers


def _two(source: Path, target: Path) -> list[tuple[str, str]]:
    """Return the lines of two files that translate each other. Raises InputError with the files."""
    if source.exists() and target.exists() and source.samefile(target):
        raise InputError(f"{source} is given as source and as target; they must be two files, line by line")
    left, right = read_lines(source), read_lines(target)
    if len(left) != len(right):
        counts = f"{source} has {len(left):,} lines and {target} has {len(right):,}"
        raise InputError(f"{counts}; they must correspond, each line of one translating the same line of the other")
    return list(zip(left, right, strict=True))


def number_columns(rows: Sequence[Sequence[str]], texts: int = 2) -> tuple[int, ...]:
    """Return the places of columns that hold numbers, such as the ids of Tatoeba's `id TAB text TAB id TAB text`.

    Returns none if fewer than `texts` columns hold anything else.
    """
    looked_at = [row for row in rows[:LOOKED_AT] if any(map(str.strip, row))]
    columns = [[cell for cell in column if cell] for column in zip_longest(*looked_at)]
    counts = [sum(map(is_number, column)) for column in columns]
    found = tuple(place for place, column in enumerate(columns) if column and counts[place] >= MOSTLY * len(column))
    return found if len(columns) - len(found) >= texts else ()


def is_number(text: str) -> bool:
    """Return True for a number, such as an id or a score."""
    return bool(_NUMBER.fullmatch(text))


def without(row: Sequence[str], places: Sequence[int]) -> list[str]:
    """Return the columns of a row but those at some places."""
    return [cell for place, cell in enumerate(row) if place not in places]


def key(source: str) -> str:
    """Return a key that ignores case, blanks, and punctuation at the ends of a sentence."""
    return " ".join(normalise(source).lower().strip(string.punctuation + string.whitespace + "«»…“”").split())


def bucket(source: str) -> int:
    """Return a number from 0 to 999, equal for sentences with the same key."""
    return int(hashlib.sha1(key(source).encode("utf-8")).hexdigest(), 16) % 1000


def bounds(pairs: int) -> Bounds:
    """Return the bounds of the split, which hold out a larger share of a small text, so that it can be measured."""
    share = min(MOST_APART, math.ceil(1000 * APART / max(1, pairs)))
    test = max(USUAL.test, share)
    return Bounds(test, test + max(USUAL.validation - USUAL.test, share))


def split(pairs: Sequence[Pair], at: Bounds = USUAL) -> Split:
    parts = Split([], [], [])
    for pair in pairs:
        place = bucket(pair.source)
        part = parts.test if place < at.test else parts.validation if place < at.validation else parts.train
        part.append(pair)
    return parts


class Corpus:
    """Encoded pairs, ready to be batched; pairs with over `longest` tokens on a side are left out."""

    def __init__(self, pairs: Sequence[Pair], tokenizer: Tokenizer, longest: int = TRAINING_TOKENS) -> None:
        source, target = tokenizer.languages
        encoded = [
            (tokenizer.encode(pair.source, source).ids + (STOP,), tokenizer.encode(pair.target, target).ids + (STOP,))
            for pair in pairs
        ]
        kept = [sides for sides in encoded if max(map(len, sides)) <= longest]
        self.left_out = len(encoded) - len(kept)
        self.sources = [np.array(sides[0]) for sides in kept]
        self.targets = [np.array(sides[1]) for sides in kept]
        self.lengths = np.array([(len(one), len(other)) for one, other in kept]).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self.sources)

    def epoch(self, number: int) -> "Corpus":
        """Return the corpus of an epoch, counted from 0; here all epochs are equal."""
        return self

    def batches(self, tokens: int, seed: int) -> Iterator[Batch]:
        """Yield all pairs once, grouped by length, in an order that depends on the seed."""
        random = np.random.default_rng(seed)
        order = np.lexsort((random.random(len(self)), self.lengths[:, 1], self.lengths[:, 0]))
        groups = _cut(order, self.lengths, tokens)
        for group in random.permutation(len(groups)):
            yield self._batch(groups[group])

    def count(self, tokens: int) -> int:
        """Return the number of batches of an epoch."""
        return len(_cut(np.lexsort((self.lengths[:, 1], self.lengths[:, 0])), self.lengths, tokens))

    def longest(self, tokens: int) -> Batch:
        """Return a batch of the longest sentences."""
        order = np.argsort(-self.lengths.max(axis=1), kind="stable")
        return self._batch(_cut(order[:tokens], self.lengths, tokens)[0])

    def _batch(self, chosen: np.ndarray) -> Batch:
        return Batch(pad([self.sources[i] for i in chosen]), pad([self.targets[i] for i in chosen]))


def _cut(order: np.ndarray, lengths: np.ndarray, tokens: int) -> list[np.ndarray]:
    """Return consecutive groups of at least one pair and at most `tokens` tokens, padding and both sides counted."""
    cuts, longest, size = [0], np.zeros(2, dtype=int), 0
    for place, pair in enumerate(order):
        longest, size = np.maximum(longest, lengths[pair]), size + 1
        if size > 1 and longest.sum() * size > tokens:
            cuts.append(place)
            longest, size = lengths[pair], 1
    return np.split(order, cuts[1:])


LONGEST_LINE = 1000  # characters on a side; `Corpus` checks the length in tokens
SHOWN_LINES = 5  # line numbers reported for each finding

BLANK = "a side is blank"
LONG = f"a side has over {LONGEST_LINE:,} characters"
DAMAGED = "a character was lost in an earlier conversion (U+FFFD)"
REPEATED = "the same pair stands earlier"

SAME = "source and target are the same"
NUMBER = "a side is only a number; is its column one of ids?"
CONTROLS = "control characters, read as blanks"
INVISIBLE = "invisible characters left out, or ligatures written plainly"
COLUMNS = "columns of numbers are not used: column {}"

_CONTROLS = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Checked:
    """One text: the pairs to learn from, and the line numbers, from 1, of each finding."""

    name: str
    lines: int
    pairs: list[Pair] = field(default_factory=list)
    skipped: dict[str, list[int]] = field(default_factory=dict)
    noted: dict[str, list[int]] = field(default_factory=dict)

    def report(self) -> list[str]:
        """Return a report as lines of a table."""
        text = [f"{self.name}: {self.lines:,} lines, {len(self.pairs):,} pairs to use"]
        for head, pairs in (("skipped, because", self.skipped), ("used, but worth a look", self.noted)):
            if pairs:
                text.append(f"{'lines':>9}  {head:<56}  the first of them")
                text += [f"{len(lines):>9,}  {why:<56}  {_numbers(lines)}" for why, lines in pairs.items()]
        return text


def check(
    tables: Iterable[Path],
    twos: Iterable[tuple[Path, Path]],
    keep_repeated: bool,
    languages: tuple[str, str] = UNKNOWN,
) -> list[Checked]:
    """Check all texts of a training, in order; a pair that an earlier one has is repeated. Raises InputError with file
    and line."""
    texts = [(path.name, *_table(path)) for path in tables]
    texts += [(f"{source.name}, {target.name}", _two(source, target), ()) for source, target in twos]
    seen: set[Pair] = set()
    found = []
    for name, rows, numbers in texts:
        checked = Checked(name, len(rows))
        for number, row in enumerate(rows, start=1):
            pair = Pair("", "") if max(map(len, row)) > LONGEST_LINE else Pair(*map(normalise, row, languages))
            why = _reason(row, pair, set() if keep_repeated else seen)
            for finding in _findings(row, pair, languages):
                checked.noted.setdefault(finding, []).append(number)
            if why:
                checked.skipped.setdefault(why, []).append(number)
            else:
                seen.add(pair)
                checked.pairs.append(pair)
        if numbers:
            places = " and ".join(str(place + 1) for place in numbers)
            checked.noted[COLUMNS.format(places)] = list(range(1, len(rows) + 1))
        found.append(checked)
    return found


def _reason(row: tuple[str, str], pair: Pair, seen: Set[Pair]) -> str:
    """Return the reason to skip a line, or ""."""
    reasons = {
        LONG: max(map(len, row)) > LONGEST_LINE,
        BLANK: not all(pair),
        DAMAGED: "\ufffd" in "".join(row),
        REPEATED: pair in seen,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _findings(row: tuple[str, str], pair: Pair, languages: tuple[str, str]) -> list[str]:
    """Return what is worth a look in a line."""
    findings = {
        CONTROLS: any(map(_CONTROLS.search, row)),
        INVISIBLE: (*map(visible, row, languages),) != row,
        NUMBER: is_number(row[0]) != is_number(row[1]),
        SAME: pair.source == pair.target != "",
    }
    return [finding for finding, holds in findings.items() if holds]


def _numbers(lines: Sequence[int]) -> str:
    return ", ".join(f"{number:,}" for number in lines[:SHOWN_LINES]) + ", …" * (len(lines) > SHOWN_LINES)
