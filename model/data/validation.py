"""Validation of parallel text before anything is learned from it.

Text that cannot be read as sentence pairs stops the command, with the file and the line. Lines that would teach nothing
or mistakes are skipped. Suspicious lines are used and reported, so that a person can look at them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from regard.model.data.corpus import Pair, is_number, number_columns, read_lines, without
from regard.model.input_error import InputError
from regard.model.words import normalise, visible

LONGEST_LINE = 1000  # characters on a side; `regard.model.data.corpus` checks the length in tokens
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


class Checks:
    """Checks one text after the other and remembers their pairs."""

    def __init__(self, keep_repeated: bool) -> None:
        self._keep_repeated = keep_repeated
        self._seen: set[Pair] = set()

    def table(self, path: Path) -> Checked:
        """Check lines of source TAB target; other columns, or those of numbers, are ignored.

        Raises InputError with file and line.
        """
        rows = [line.split("\t") for line in _text(path)]
        wrong = [number for number, row in enumerate(rows, start=1) if len(row) < 2 and row[0].strip()]
        if wrong:
            counted = f" (and in {len(wrong) - 1:,} more: {_numbers(wrong[1:])})" if wrong[1:] else ""
            place = f"{path}, line {wrong[0]}: no tab between source and target{counted}"
            raise InputError(f"{place}; a line is source TAB target, or blank")
        numbers = number_columns(rows)
        texts = [(*without(row, numbers), "", "")[:2] for row in rows]
        checked = self._sift(path.name, [(source, target) for source, target in texts])
        if numbers:
            checked.noted[COLUMNS.format(" and ".join(str(place + 1) for place in numbers))] = [
                *range(1, len(rows) + 1)
            ]
        return checked

    def two(self, source: Path, target: Path) -> Checked:
        """Check two files that translate each other line by line. Raises InputError with file and line."""
        if source.exists() and target.exists() and source.samefile(target):
            raise InputError(f"{source} is given as source and as target; they must be two files, line by line")
        left, right = _text(source), _text(target)
        if len(left) != len(right):
            counts = f"{source} has {len(left):,} lines and {target} has {len(right):,}"
            raise InputError(f"{counts}; they must correspond, each line of one translating the same line of the other")
        return self._sift(f"{source.name}, {target.name}", list(zip(left, right, strict=True)))

    def _sift(self, name: str, rows: Sequence[tuple[str, str]]) -> Checked:
        checked = Checked(name, len(rows))
        for number, (source, target) in enumerate(rows, start=1):
            for finding, found in (
                (CONTROLS, _CONTROLS.search(source) or _CONTROLS.search(target)),
                (INVISIBLE, visible(source) != source or visible(target) != target),
                (NUMBER, is_number(source) != is_number(target)),
            ):
                if found:
                    checked.noted.setdefault(finding, []).append(number)
            why, pair = self._judge(source, target)
            if why:
                checked.skipped.setdefault(why, []).append(number)
                continue
            if pair.source == pair.target:
                checked.noted.setdefault(SAME, []).append(number)
            checked.pairs.append(pair)
        return checked

    def _judge(self, source: str, target: str) -> tuple[str, Pair]:
        """Return the reason to skip a pair, or "", and the pair in normal form."""
        if max(len(source), len(target)) > LONGEST_LINE:
            return LONG, Pair("", "")
        pair = Pair(normalise(source), normalise(target))
        if not pair.source or not pair.target:
            return BLANK, pair
        if "\ufffd" in source or "\ufffd" in target:
            return DAMAGED, pair
        if pair in self._seen and not self._keep_repeated:
            return REPEATED, pair
        self._seen.add(pair)
        return "", pair


def check(tables: Iterable[Path], twos: Iterable[tuple[Path, Path]], keep_repeated: bool) -> list[Checked]:
    """Check all texts of a training, in order."""
    checks = Checks(keep_repeated)
    return [*(checks.table(path) for path in tables), *(checks.two(*paths) for paths in twos)]


def _text(path: Path) -> list[str]:
    """Return a file's lines. Raises InputError for a zero byte, which means binary data or UTF-16."""
    lines = read_lines(path)
    for number, line in enumerate(lines, start=1):
        if "\0" in line:
            raise InputError(f"{path}, line {number}: a zero byte, which no UTF-8 text has; save it as UTF-8 text")
    return lines


def _numbers(lines: Sequence[int]) -> str:
    return ", ".join(f"{number:,}" for number in lines[:SHOWN_LINES]) + ", …" * (len(lines) > SHOWN_LINES)
