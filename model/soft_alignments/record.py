"""Records of what files of other programs hold: untrusted text by lines, the second file with what the first lacks,
what a reader finds about a sentence, and the sentences made of it.

A reader only parses: it yields a `Found` for each sentence. What takes the whole file to know is decided in `built`:
which side the rows of its matrices belong to, and whether its links count from 0 or from 1.
"""

import codecs
import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from itertools import islice
from typing import TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.input_error import InputError
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.given_attention import HIGHEST, TOKENS, GivenAttention
from regard.model.soft_alignments.tokens import ended, numbered, sentence
from regard.model.trace import AnyTrace

LINES = 500_000  # per file
LINKS = 22_500  # per sentence
ONE = 0.02  # how far from 1 the sum of a softmax's weights may be, with few digits
TURNED = "Its rows belong to the {} tokens: only so do matrices of this file fit their tokens or sum to 1."
NUMBERED = "The file does not have the tokens of the {}, so they are numbered; a second file can give them."
POSSIBLE = "{} of its links are only possible ones (written with a p): {}. They are shown like the sure ones."
FROM_ONE = "No place in the file is 0, so places are read as counted from 1; “Links counted from” changes that."
NO_ZERO = "No place in the file is 0; if places are counted from 1, “Links counted from” says so."
LINK = re.compile(r"(\d{1,6})([-p])(\d{1,6})(?::(\S+))?")

Content = TypeVar("Content")
Tokens = tuple[str, ...]

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


class LineError(InputError):
    """An error in a line that is `below` the first of its sentence."""

    def __init__(self, reason: str, below: int) -> None:
        super().__init__(reason)
        self.below = below


NO_SENTENCES = File("sentences")


@dataclass(frozen=True)
class SecondFile:
    """Context of a file: the sentences it omits, one per line, and whether its links count from 0 or 1, if known.

    A line is the source, or `source ||| target` if the file has no target either, as fast_align reads them; `number
    TAB sentence` and `<s snum=number> sentence </s>` are read, too.
    """

    sentences: File = NO_SENTENCES
    first: int | None = None

    def sides(self, index: int) -> tuple[Tokens, Tokens]:
        """Return the source and the target tokens of a sentence (from 0), empty where they were not given."""
        lines = self.sentences.lines
        if lines and index >= max(self.sentences.total, len(lines)):
            ends = "the sentences end here, but the file is about sentence"
            raise InputError(f"{self.sentences.name}, line {len(lines)}: {ends} {index + 1} too")
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
        heads = self.given.heads.values() if self.given else (self.alignment.weights,)
        return sum(weights.size for weights in heads)


@dataclass(frozen=True, eq=False)
class Found:
    """Contents of a file for one sentence: links or a matrix, and the tokens, which are empty if the file lacks them.

    `names` are the tokens above and beside a table, of either side. `build(by_source)` makes the sentence of a format
    that contains more.
    """

    source: Tokens = ()
    target: Tokens = ()
    links: str | None = None  # as text: 0-0 1p2:0.5
    first: int | None = None  # the number from which the format counts places, if it says so
    rows: Float[ndarray, "*L R C"] = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    names: tuple[Tokens, Tokens] = ((), ())
    by_source: bool = False  # the format says that rows belong to source tokens
    spare: int = 1  # the most rows and columns beyond the tokens, for ends
    closed: bool = False  # the last column is that of the end of the source
    notes: tuple[str, ...] = ()
    build: Callable[[bool], ForeignSentence] | None = None
    line: int = 1
    where: str = ""  # the file and line, in errors

    @property
    def cells(self) -> int:
        """The number of weights; 0 for links, whose matrix is not made yet."""
        return self.rows.size

    def fits(self, by_source: bool) -> bool:
        """Return True if there are as many rows and columns as tokens."""
        sides = (self.source, self.target) if by_source else (self.target, self.source)
        counts = zip(self.rows.shape[-2:], sides, strict=True)
        return self.cells > 0 and all(not side or 0 <= count - len(side) <= self.spare for count, side in counts)

    @property
    def way(self) -> int:
        """1 if the rows belong to source tokens, −1 if to target tokens, by their number or else by sums of 1; 0 if
        neither tells."""
        ways = [self.fits(False), self.fits(True)]
        if all(ways):
            ways = [bool((np.abs(self.rows.sum(axis) - 1) < ONE).all()) for axis in (-1, -2)]
        return ways[1] - ways[0]


Read = ForeignSentence | InputError


def each(
    file: File, blocks: Iterable[tuple[int, Content]], parse: Callable[[Content], Iterator[Found]]
) -> Iterator[Found | InputError]:
    """Yield what is found in each block of a file, which begins at a line, or the error that names this line."""
    for line, content in blocks:
        try:
            for found in parse(content):
                yield replace(found, line=line, where=found.where or f"{file.name}, line {line}")
        except InputError as error:
            below = error.below if isinstance(error, LineError) else 0
            yield InputError(f"{file.name}, line {line + below}: {error}")


def built(items: Sequence[Found | InputError], first: int | None = None) -> Iterator[Read]:
    """Build the sentences of a file.

    All links count from `first`, or else from 1 if no place in the file is 0. All rows belong to the same side: to that
    which most matrices have that tell, otherwise to that which their format says; but where only the other side fits,
    to that one, and a note says so.
    """
    matrices = [item for item in items if isinstance(item, Found) and item.cells]
    votes = sum(one.way for one in matrices) or sum(1 if one.by_source else -1 for one in matrices)
    counted, note = _first_place(items, first)
    for item in items:
        if isinstance(item, InputError):
            yield item
            continue
        by_source = next((by for by in (votes > 0, votes <= 0) if item.fits(by)), item.by_source)
        turned = (TURNED.format("source" if by_source else "target"),) if by_source != item.by_source else ()
        try:
            one = item.build(by_source) if item.build else _built(item, by_source, counted, note)
        except InputError as error:
            yield InputError(f"{item.where}: {error}")
        else:
            yield replace(one, line=item.line, notes=(*turned, *one.notes))


def _first_place(items: Sequence[Found | InputError], first: int | None) -> tuple[int, tuple[str, ...]]:
    """Return the number from which the links count whose format does not say so, and a note if that is a guess."""
    texts = (one.links for one in items if isinstance(one, Found) and one.links is not None and one.first is None)
    matches = (LINK.fullmatch(token) for text in texts for token in link_tokens(text))
    least = min((min(int(match[1]), int(match[3])) for match in matches if match), default=0)
    if not least or first == 1:
        return first or 0, ()
    return (0, (NO_ZERO,)) if first == 0 else (1, (FROM_ONE,))


def link_tokens(text: str) -> list[str]:
    """Return the links of a text, one that is repeated where it stands last; at most one more than are read."""
    tokens = [*islice((match[0] for match in _TOKEN.finditer(text)), LINKS + 1)]
    return tokens if len(tokens) > LINKS else [*reversed(dict.fromkeys(reversed(tokens)))]


def parse_links(text: str, first: int) -> list[tuple[int, int, float, bool]]:
    """Parse links, whose places count from `first`: each with its weight, and whether it is sure. Raises InputError
    naming text that is not a link."""
    parsed, tokens = [], link_tokens(text)
    if len(tokens) > LINKS:
        raise InputError(f"more than {LINKS:,} links, the most that are read of a sentence")
    for token in tokens:
        match = LINK.fullmatch(token)
        if not match:
            raise InputError(f"{quoted(token)} is not a link; a link is a source and a target place, such as 0-1")
        source, target = int(match[1]) - first, int(match[3]) - first
        if min(source, target) < 0:
            raise InputError(f"{quoted(token)} has a place before the first; were places counted from 0?")
        if max(source, target) >= TOKENS:
            raise InputError(f"{quoted(token)} has a place beyond token {TOKENS:,}, the last that can be shown")
        parsed.append((source, target, parse_weight(match[4] or "1"), match[2] == "-"))
    return parsed


def parse_weight(text: str) -> float:
    """Parse one weight. Raises InputError unless it is a number from 0 to 1."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= HIGHEST or "_" in text:  # also true for NaN
        raise InputError(f"{quoted(text)} is not a weight; a weight is a number from 0 to 1")
    return abs(value)  # turns −0 into 0


def _built(found: Found, by_source: bool, first: int, note: tuple[str, ...]) -> ForeignSentence:
    """Build the sentence of a matrix, or of links, which count from `first`, as `note` says."""
    if found.links is not None:
        return _linked(found, found.links, *((first, note) if found.first is None else (found.first, ())))
    above, beside = reversed(found.names) if by_source else found.names
    weights = found.rows.T if by_source else found.rows
    return _of_weights(found, found.source or above, found.target or beside, weights)


def _linked(found: Found, text: str, first: int, notes: tuple[str, ...]) -> ForeignSentence:
    """Build the sentence that links are about; one place after the last token is the end of the sentence."""
    links = parse_links(text, first)
    shape = []
    for place, known, name in ((1, found.target, "target"), (0, found.source, "source")):
        reach = max((link[place] for link in links), default=-1) + 1
        if known and reach > len(known) + 1:
            raise InputError(f"a link to {name} token {reach}, but the sentence has {len(known)}")
        shape.append(max(reach, len(known)))
    if not links and not found.target:
        raise InputError("neither links nor words; a sentence needs one or the other")
    weights = np.zeros((shape[0], max(shape[1], 1)), np.float32)
    for source, target, weight, _ in links:
        weights[target, source] = weight
    possible = tuple((source, target) for source, target, _, sure in links if not sure)
    if possible:
        notes += (POSSIBLE.format(len(possible), " ".join(f"{source}-{target}" for source, target in possible)),)
    made = _of_weights(found, found.source, found.target, weights)
    return replace(made, links=bool(np.isin(weights, (0, 1)).all()), notes=(*notes, *made.notes), possible=possible)


def _of_weights(found: Found, source: Tokens, target: Tokens, weights: Float[ndarray, "T S"]) -> ForeignSentence:
    """Build a sentence of its weights; unknown tokens are numbered, the end of a sentence is added. Raises InputError
    if the tokens do not match the weights."""
    tokens, unknown = dict[str, Sentence](), list[str]()
    for side, known, count in (("source", source, weights.shape[1]), ("target", target, weights.shape[0])):
        if not 0 < count <= TOKENS:
            many = f"more than {TOKENS:,}" if count else "no"
            raise InputError(f"{many} {side} tokens; a sentence of 1 to {TOKENS:,} can be shown")
        if known and not len(known) <= count <= len(known) + 1:
            raise InputError(
                f"weights for {count} {side} tokens, but {len(known)} tokens; what fits is as many weights as tokens, "
                f"or one more for the end of the sentence ({len(known)} or {len(known) + 1}). Text that was joined "
                "again (detokenised) no longer fits its weights",
            )
        unknown += [] if known else [side]
        numbers = numbered(count - (found.closed and side == "source" and count > 1))
        tokens[side] = sentence(ended(known or numbers, count))
    notes = (NUMBERED.format(" and the ".join(unknown)),) if unknown else ()
    return ForeignSentence(
        Alignment(tokens["source"], tokens["target"], weights), found.line, notes=(*found.notes, *notes)
    )


def split(text: str) -> Tokens:
    """Return the tokens of a line, at most two more than can be shown."""
    return tuple(token[0] for token in islice(_TOKEN.finditer(text), TOKENS + 2))


def quoted(text: str) -> str:
    """Quote part of a file within a sentence, shortened if it is long."""
    return f"“{text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + '…'}”"
