"""Files of other programs: untrusted text by lines, the second file with what the first lacks, and what is read.

A reader yields for each sentence a `ForeignSentence`, a `Matrix` whose rows may belong to either side, or the
InputError for which the sentence is left out; `oriented` makes sentences of the matrices.
"""

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment
from regard.model.input_error import InputError
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.given_attention import CELLS, TOKENS, GivenAttention
from regard.model.soft_alignments.tokens import ended, numbered, sentence
from regard.model.trace import AnyTrace

LINES = 500_000  # per file
CHARACTERS = 1_000_000  # per line; a trace has more
BRACKETS = 100_000  # opening brackets in the JSON of a sentence
ONE = 0.02  # how far from 1 the sum of a softmax's weights may be, with few digits
TURNED = "Its rows belong to the {} tokens: only so do matrices of this file fit their tokens or sum to 1."
NUMBERED = "The file does not have the tokens of the {}, so they are numbered; a second file can give them."

Item = TypeVar("Item")
Made = TypeVar("Made")

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TOKEN = re.compile(r"[^ \t]+")
_LONGEST_QUOTE = 40
_NUMBERED = re.compile(r"[ ]*(\d{1,9})[ ]*\t|<s snum=[\"']?(\d{1,9})[\"']?>")  # sentences of simalign and of NAACL


@dataclass(frozen=True)
class File:
    """Text by lines. Line numbers count from 1, as in editors."""

    name: str
    lines: tuple[str, ...] = ()
    total: int = 0  # with the blank lines at the end, which `lines` lacks

    @classmethod
    def decode(cls, name: str, content: bytes) -> "File":
        """Decode a file, also from gzip and from UTF-16 with its mark. Raises InputError if it is too large or neither
        that nor UTF-8.
        """
        if content.startswith(b"\x1f\x8b"):
            try:
                with gzip.open(BytesIO(content)) as packed:
                    content = packed.read(ATTENTION_BYTES + 1)
            except (OSError, EOFError, zlib.error) as error:
                raise InputError(f"{name} is not a complete gzip file ({error})") from error
        for count, most, units in ((len(content), ATTENTION_BYTES, "bytes"), (content.count(b"\n"), LINES, "lines")):
            if count > most:
                raise InputError(f"{name} has {count:,} {units}; up to {most:,} are read")
        try:
            text = content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise InputError(f"{name}, line {line}: this is not text in UTF-8 ({error.reason})") from error
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
        total = len(lines)
        while lines and not lines[-1].strip():
            lines.pop()
        return cls(name, tuple(lines), total)

    def check_lengths(self) -> None:
        """Check the lengths of the lines. Raises InputError for a line too long for a sentence."""
        for number, text in enumerate(self.lines, 1):
            if len(text) > CHARACTERS:
                raise self.wrong(number, f"{len(text):,} characters; up to {CHARACTERS:,} are read of a line")

    def parse_json(self, line: int, text: str, most: int = BRACKETS) -> Any:
        """Parse the JSON that begins at a line. Raises InputError if it is none, or could hold too much: a list takes
        twenty times as much memory as its two characters, a million names a second."""
        for count, limit, of in (
            (text.count("[") + text.count("{"), most, "lists and objects"),
            (text.count(":"), 2 * most, "names"),
            (text.count(","), CELLS, "values"),
        ):
            if count > limit:
                raise self.wrong(line, f"{count:,} {of}; up to {limit:,} are read")
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            place = line + error.lineno - 1
            raise self.wrong(place, f"this is not JSON at column {error.colno} ({error.msg})") from error
        except (ValueError, RecursionError) as error:
            raise self.wrong(line, f"this is not JSON ({error})") from error

    def objects(self) -> list[tuple[int, str]]:
        """Return the number and the text of each line of JSON; a single object may be spread over lines."""
        lines = [(number, text) for number, text in enumerate(self.lines, 1) if text.strip()]
        if len(lines) > 1 and not lines[0][1].rstrip().endswith("}"):
            lines = [(lines[0][0], "\n".join(self.lines[lines[0][0] - 1 :]))]
        return lines

    def wrong(self, line: int, reason: str) -> InputError:
        """Return an error that names the line, the problem and the accepted values."""
        return InputError(f"{self.name}, line {line}: {reason}")


NO_SENTENCES = File("sentences")


@dataclass(frozen=True)
class SecondFile:
    """Context of a file: the sentences it omits, one per line, and whether its links count from 0 or 1, if known.

    A line is the source, or `source ||| target` if the file has no target either, as fast_align reads them; `number
    TAB sentence` and `<s snum=number> sentence </s>` are read, too.
    """

    sentences: File = NO_SENTENCES
    first: int | None = None

    def sides(self, index: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the source and the target tokens of a sentence (from 0), empty where they were not given."""
        lines = self.sentences.lines
        if lines and index >= max(self.sentences.total, len(lines)):
            raise self.sentences.wrong(
                len(lines), f"the sentences end here, but the file is about sentence {index + 1} too"
            )
        text = lines[index] if index < len(lines) else ""
        text = _NUMBERED.sub("", text).removesuffix("</s>") if self._numbers else text
        source, _, target = text.partition("|||")
        return split(source), split(target)

    def place(self, number: int, index: int) -> int:
        """Return the place of the sentence with a number; that of its own line where the sentences have no numbers."""
        if not self._numbers:
            return index
        if number not in self._numbers:
            raise InputError(f"{self.sentences.name}: no sentence has the number {number}, which the file is about")
        return self._numbers.index(number)

    def check(self, file: File, numbered: bool = False) -> None:
        """Check that there are as many sentences as lines in the file, unless it numbers them. Raises InputError."""
        known, lines = self.sentences, len(file.lines)
        if not known.lines or numbered or self._numbers:
            return
        if lines > max(known.total, len(known.lines)) or len(known.lines) > max(file.total, lines):
            raise InputError(
                f"{file.name} has {lines:,} lines, {known.name} {len(known.lines):,}; they must correspond line by line"
            )

    @cached_property
    def _numbers(self) -> list[int]:
        """The numbers with which the lines begin, if all of them do."""
        begun = [_NUMBERED.match(line) for line in self.sentences.lines]
        return [int(match[1] or match[2]) for match in begun if match] if all(begun) else []


@dataclass(frozen=True)
class ForeignSentence:
    """One sentence, beginning at `line`. Links are weights of 0 or 1; a row of them sums to the number of links."""

    alignment: Alignment
    line: int
    links: bool = False
    notes: tuple[str, ...] = ()  # remarks for the reader, in sentences
    possible: tuple[tuple[int, int], ...] = ()  # source and target of links that are possible rather than sure
    trace: AnyTrace | None = None  # the other numbers, which only our own traces have
    given: GivenAttention | None = None  # layers, heads and probabilities, where the file has them

    @property
    def sums(self) -> Float[ndarray, " T"]:
        """Return the sums of the rows: 1 for a softmax's, up to rounding."""
        return self.alignment.weights.sum(1, dtype=np.float64)

    @property
    def cells(self) -> int:
        """The number of weights."""
        return self.given.size if self.given else self.alignment.weights.size


class Matrix(NamedTuple):
    """A matrix and the numbers of its tokens (0 if not known); `build` makes the sentence, told whether rows are source
    tokens, as `headed` says of a heading. It may have up to `spare` rows and columns more than tokens, for ends."""

    line: int
    rows: Float[ndarray, "*L R C"]
    target: int
    source: int
    build: Callable[[bool], ForeignSentence]
    spare: int = 1
    headed: bool = False

    @property
    def cells(self) -> int:
        """The number of weights."""
        return self.rows.size

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


Read = ForeignSentence | InputError


def oriented(items: Sequence[Matrix | Read]) -> Iterator[Read]:
    """Build the sentences of a file. All rows of a file are of the same side: of that which most matrices have that
    tell, otherwise of the headings'; but where only the other side fits, of that one, and a note says so."""
    matrices = [item for item in items if isinstance(item, Matrix)]
    votes = sum(one.way for one in matrices) or sum(1 if one.headed else -1 for one in matrices)

    def sentence(item: Matrix | ForeignSentence) -> ForeignSentence:
        if isinstance(item, ForeignSentence):
            return item
        by_source = next((by for by in (votes > 0, votes <= 0) if item.fits(by)), item.headed)
        built = item.build(by_source)
        turned = (TURNED.format("source" if by_source else "target"),) if by_source != item.headed else ()
        return replace(built, notes=(*turned, *built.notes))

    for item in items:
        yield from [item] if isinstance(item, InputError) else each([item], sentence)


def each(items: Iterable[Item], build: Callable[[Item], Made]) -> Iterator[Made | InputError]:
    """Yield what is built of each item, or why it cannot be."""
    for item in items:
        try:
            yield build(item)
        except InputError as error:
            yield error


def foreign_sentence(
    file: File,
    line: int,
    source: tuple[str, ...],
    target: tuple[str, ...],
    weights: Float[ndarray, "T S"],
    links: bool = False,
    notes: tuple[str, ...] = (),
    possible: tuple[tuple[int, int], ...] = (),
    closed: bool = False,
) -> ForeignSentence:
    """Build a sentence from a line's parts; unknown tokens are numbered, the end of a sentence is added. `closed` says
    that the weights have a column for the end of an unknown source. Raises InputError if the tokens do not match the
    weights."""
    check_counts(file, line, *weights.shape)
    tokens, unknown = {}, list[str]()
    for side, known, count in (("source", source, weights.shape[1]), ("target", target, weights.shape[0])):
        if known and not len(known) <= count <= len(known) + 1:
            raise file.wrong(
                line,
                f"weights for {count} {side} tokens, but {len(known)} tokens; what fits is as many weights as tokens, "
                f"or one more for the end of the sentence ({len(known)} or {len(known) + 1}). Text that was joined "
                "again (detokenised) no longer fits its weights",
            )
        unknown += [] if known else [side]
        numbers = numbered(count - (closed and side == "source" and count > 1))
        tokens[side] = sentence(ended(known or numbers, count))
    notes += (NUMBERED.format(" and the ".join(unknown)),) if unknown else ()
    alignment = Alignment(tokens["source"], tokens["target"], weights)
    return ForeignSentence(alignment, line, links, notes, possible)


def check_counts(file: File, line: int, target: int, source: int) -> None:
    """Check a sentence's size before anything is built. Raises InputError if it cannot be shown."""
    for side, count in (("target", target), ("source", source)):
        if not 0 < count <= TOKENS:
            many = f"more than {TOKENS}" if count else "no"
            raise file.wrong(line, f"{many} {side} tokens; a sentence of 1 to {TOKENS} can be shown")


def split(text: str) -> tuple[str, ...]:
    """Return the tokens of a line, at most two more than can be shown."""
    return tuple(token[0] for token in islice(_TOKEN.finditer(text), TOKENS + 2))


def quoted(text: str) -> str:
    """Quote part of a file within a sentence, shortened if it is long."""
    return f"“{text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + '…'}”"
