"""Record of one sentence in another program's file: the weights, and notes on them."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.alignment import Alignment
from regard.model.soft_alignments.given_attention import GivenAttention
from regard.model.soft_alignments.text_file import HIGHEST, TOKENS, File, quoted, split
from regard.model.soft_alignments.tokens import ended, numbered, sentence
from regard.model.trace import Trace


@dataclass(frozen=True)
class ForeignSentence:
    """One sentence, beginning at `line`. Links are weights of 0 or 1; a row of them sums to the number of links."""

    alignment: Alignment
    line: int
    links: bool = False
    notes: tuple[str, ...] = ()  # remarks for the reader, in sentences
    trace: Trace | None = None  # the other numbers, which only our own traces have
    given: GivenAttention | None = None  # layers, heads and probabilities, where the file has them

    @property
    def sums(self) -> Float[ndarray, " T"]:
        """Return the sums of the rows: 1 for a softmax's, up to rounding."""
        return self.alignment.weights.sum(1, dtype=np.float64)


NO_SENTENCES = File("sentences")


@dataclass(frozen=True)
class GivenBeside:
    """Information that a file omits: its sentences, one per line, and whether its links count from 0 or 1.

    A line is the source, or `source ||| target` if the file has no target either, as fast_align reads them.
    """

    sentences: File = NO_SENTENCES
    first: int = 0

    def source(self, index: int) -> tuple[str, ...]:
        """Return the source tokens of a sentence (from 0), or none if they were not given."""
        return split(self._fields(index)[0])

    def target(self, index: int) -> tuple[str, ...]:
        """Return the target tokens, or none if they were not given."""
        return split(self._fields(index)[-1]) if len(self._fields(index)) > 1 else ()

    def _fields(self, index: int) -> list[str]:
        lines = self.sentences.lines
        if lines and index >= len(lines):
            raise self.sentences.wrong(
                len(lines), f"the sentences end here, but the file is about sentence {index + 1} too"
            )
        return lines[index].split("|||") if lines else [""]


NUMBERED = "The file does not have the tokens of the {}, so they are numbered; a second file can give them."


def foreign_sentence(
    file: File,
    line: int,
    source: tuple[str, ...],
    target: tuple[str, ...],
    weights: Float[ndarray, "T S"],
    links: bool = False,
    notes: tuple[str, ...] = (),
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
    return ForeignSentence(alignment, line, links, notes)


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
