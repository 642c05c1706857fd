"""Record of one sentence in another program's file, and the second file, which has what the first lacks.

A reader yields a `ForeignSentence` for each sentence, or the InputError for which one is left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment
from regard.model.input_error import InputError
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.soft_alignments.text_file import CELLS, HIGHEST, TOKENS, File, quoted, split
from regard.model.soft_alignments.tokens import ended, numbered, sentence
from regard.model.trace import Trace

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class ForeignSentence:
    """One sentence, beginning at `line`. Links are weights of 0 or 1; a row of them sums to the number of links."""

    alignment: Alignment
    line: int
    links: bool = False
    notes: tuple[str, ...] = ()  # remarks for the reader, in sentences
    possible: tuple[tuple[int, int], ...] = ()  # source and target of links that are possible rather than sure
    trace: Trace | None = None  # the other numbers, which only our own traces have
    given: GivenAttention | None = None  # layers, heads and probabilities, where the file has them

    @property
    def sums(self) -> Float[ndarray, " T"]:
        """Return the sums of the rows: 1 for a softmax's, up to rounding."""
        return self.alignment.weights.sum(1, dtype=np.float64)


ONE = 0.02  # how far from 1 the sum of a softmax's weights may be, with few digits
TURNED = "Its rows belong to the {} tokens: only so do matrices of this file fit their tokens or sum to 1."
Read = ForeignSentence | InputError
NO_SENTENCES = File("sentences")
_NUMBERED = re.compile(r"[ ]*(\d{1,9})[ ]*\t|<s snum=[\"']?(\d{1,9})[\"']?>")  # sentences of simalign and of NAACL


@dataclass(frozen=True)
class SecondFile:
    """Context of a file: the sentences it omits, one per line, and whether its links count from 0 or 1, if known.

    A line is the source, or `source ||| target` if the file has no target either, as fast_align reads them; `number
    TAB sentence` and `<s snum=number> sentence </s>` are read, too.
    """

    sentences: File = NO_SENTENCES
    first: int | None = None

    def source(self, index: int) -> tuple[str, ...]:
        """Return the source tokens of a sentence (from 0), or none if they were not given."""
        return split(self._fields(index)[0])

    def target(self, index: int) -> tuple[str, ...]:
        """Return the target tokens, or none if they were not given."""
        return split(self._fields(index)[-1]) if len(self._fields(index)) > 1 else ()

    def place(self, number: int, index: int) -> int:
        """Return the place of the sentence with a number; that of its own line where the sentences have no numbers."""
        if not self._numbers:
            return index
        if number not in self._numbers:
            raise InputError(f"{self.sentences.name}: no sentence has the number {number}, which the file is about")
        return self._numbers.index(number)

    def check(self, file: File, numbers: Sequence[str] = ()) -> None:
        """Check that there are as many sentences as lines in the file, unless it numbers them. Raises InputError."""
        known, lines = self.sentences, len(file.lines)
        if not known.lines or numbers or self._numbers:
            return
        if lines > known.total or len(known.lines) > file.total:
            raise InputError(
                f"{file.name} has {lines:,} lines, {known.name} {len(known.lines):,}; they must correspond line by line"
            )

    @cached_property
    def _numbers(self) -> list[int]:
        """The numbers with which the lines begin, if all of them do."""
        begun = [_NUMBERED.match(line) for line in self.sentences.lines]
        return [int(match[1] or match[2]) for match in begun if match] if all(begun) else []

    def _fields(self, index: int) -> list[str]:
        lines = self.sentences.lines
        if lines and index >= self.sentences.total:
            raise self.sentences.wrong(
                len(lines), f"the sentences end here, but the file is about sentence {index + 1} too"
            )
        text = lines[index] if index < len(lines) else ""
        return (_NUMBERED.sub("", text).removesuffix("</s>") if self._numbers else text).split("|||")


def each(items: Iterable[Item], build: Callable[[Item], Made]) -> Iterator[Made | InputError]:
    """Yield what is built of each item, or why it cannot be."""
    for item in items:
        try:
            yield build(item)
        except InputError as error:
            yield error


class Shape(NamedTuple):
    """A matrix, the numbers of its tokens (0 if not known), and whether its heading says that rows are source tokens.

    It may have up to `spare` rows and columns more, for ends.
    """

    rows: Float[ndarray, "*L R C"]
    target: int
    source: int
    spare: int = 1
    headed: bool = False

    def fits(self, by_source: bool) -> bool:
        """Return True if there are as many rows and columns as tokens."""
        sides = (self.source, self.target) if by_source else (self.target, self.source)
        counts = zip(self.rows.shape[-2:], sides, strict=True)
        return all(not side or 0 <= count - side <= self.spare for count, side in counts)

    @property
    def way(self) -> int:
        """1 if the rows belong to source tokens, −1 if to target tokens, by their number or else by sums of 1; 0 if
        neither tells."""
        ways = [self.fits(False), self.fits(True)]
        if all(ways):
            ways = [bool((np.abs(self.rows.sum(axis) - 1) < ONE).all()) for axis in (-1, -2)]
        return ways[1] - ways[0]


def oriented(
    items: Iterator[Item | Read], shape: Callable[[Item], Shape], build: Callable[[Item, bool], ForeignSentence]
) -> Iterator[Read]:
    """Build sentences of matrices; `build` is told whether rows are source tokens. All rows of a file are of the same
    side: of that which most matrices have that tell, otherwise of the headings'; but where only the other side fits, of
    that one. A sentence is told if it is not the headings'."""
    shaped = ((item, None if isinstance(item, Read) else shape(item)) for item in items)
    seen, cells = list[tuple[Any, Shape | None]](), 0
    for item, one in shaped:
        seen.append((item, one))
        cells += one.rows.size if one else 0
        if cells > CELLS:
            break
    shapes = [one for _, one in seen if one]
    votes = sum(one.way for one in shapes) or sum(1 if one.headed else -1 for one in shapes)

    def sentence(pair: tuple[Item, Shape]) -> ForeignSentence:
        (item, one), by = pair, votes > 0
        by = by if one.fits(by) else not by
        by = by if one.fits(by) else one.headed
        built = build(item, by)
        notes = (TURNED.format("source" if by else "target"),) if by != one.headed else ()
        return replace(built, notes=(*notes, *built.notes))

    for item, one in chain(seen, shaped):
        yield from each([(item, one)], sentence) if one else [item]


NUMBERED = "The file does not have the tokens of the {}, so they are numbered; a second file can give them."


def foreign_sentence(
    file: File,
    line: int,
    source: tuple[str, ...],
    target: tuple[str, ...],
    weights: Float[ndarray, "T S"],
    links: bool = False,
    notes: tuple[str, ...] = (),
    possible: tuple[tuple[int, int], ...] = (),
) -> ForeignSentence:
    """Build a sentence from a line's parts; unknown tokens are numbered, the end of a sentence is added.

    Raises InputError if the tokens do not match the weights.
    """
    check_counts(file, line, *weights.shape)
    steps, length = weights.shape
    sides = {"target": (target, steps), "source": (source, length)}
    tokens = {}
    for side, (known, count) in sides.items():
        if known and not len(known) <= count <= len(known) + 1:
            raise file.wrong(line, _mismatch(side, len(known), count))
        tokens[side] = ended(known, count) if known else numbered(count)
    unknown = [side for side in ("source", "target") if not sides[side][0]]
    notes += (NUMBERED.format(" and the ".join(unknown)),) if unknown else ()
    alignment = Alignment(sentence(tokens["source"]), sentence(tokens["target"]), weights)
    return ForeignSentence(alignment, line, links, notes, possible)


def check_counts(file: File, line: int, target: int, source: int) -> None:
    """Check a sentence's size before anything is built. Raises InputError if it cannot be shown."""
    for side, count in (("target", target), ("source", source)):
        if not 0 < count <= TOKENS:
            many = f"more than {TOKENS}" if count else "no"
            raise file.wrong(line, f"{many} {side} tokens; a sentence of 1 to {TOKENS} can be shown")


def matrix(file: File, line: int, rows: list[list[str]]) -> Float[ndarray, "R C"]:
    """Parse rows of equal length with numbers from 0 to 1. `line` is that of the first row."""
    width = len(rows[0])
    if max(len(rows), width) > TOKENS:
        raise file.wrong(line, f"more than {TOKENS} weights in a row or rows; a sentence of 1 to {TOKENS} can be shown")
    for offset, row in enumerate(rows):
        if len(row) != width:
            raise file.wrong(line + offset, f"{len(row)} weights in a row; the rows before it have {width}")
    return np.array([[weight(file, line + o, text) for text in row] for o, row in enumerate(rows)], dtype=np.float32)


def weight(file: File, line: int, text: str) -> float:
    """Parse one weight."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= HIGHEST or "_" in text:  # also true for NaN
        raise file.wrong(line, f"{quoted(text)} is not a weight; a weight is a number from 0 to 1")
    return abs(value)  # turns −0 into 0


def _mismatch(side: str, tokens: int, count: int) -> str:
    what = f"weights for {count} {side} tokens, but {tokens} tokens"
    accepted = f"as many weights as tokens, or one more for the end of the sentence ({tokens} or {tokens + 1})"
    return f"{what}; what fits is {accepted}. Text that was joined again (detokenised) no longer fits its weights"
