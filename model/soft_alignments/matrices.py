"""Matrices of weights in text: a line or a table for each sentence.

Marian, soft           target ||| 0.9,0.1 0.2,0.8       the weights of one target token are separated by commas
OpenNMT-tf, soft       target ||| 0.9 0.1 ; 0.2 0.8     or by blanks, and target tokens by semicolons
fairseq                S-0, H-0 and A-0 TAB ...         lines of its log; A- has links or Marian's weights
OpenNMT-py             a table                          source tokens across, a row for each target token
Nematus, amun, Lua     id ||| target ||| score ||| source ||| S T        then a row for each target token
Sockeye 1              id ||| target ||| score ||| source ||| S ||| T    then a row for each source token

The end of the source sentence has a weight if the program kept it, and so has the end of the target. A number alone
before a translation is its score.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby, islice

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.soft_alignments.given_attention import TOKENS
from regard.model.soft_alignments.links import LinkedLine, are_links, fields, linked, weight
from regard.model.soft_alignments.record import (
    File,
    ForeignSentence,
    Matrix,
    Read,
    SecondFile,
    each,
    foreign_sentence,
    split,
)
from regard.model.soft_alignments.tokens import ended
from regard.model.words import END

ROW, COLUMN = 10, 7  # characters kept of a name in OpenNMT-py's table
LOG = re.compile(r"\[|SENT |PRED |GOLD |ALIGN: |BEST HYP|ESTIM ")
CELL = re.compile(r"\**\d[\d.e+-]*")
CUT = f"OpenNMT-py cuts names to {COLUMN} characters above and {ROW} beside the table; longer ones are not whole."
LINE = re.compile(r"([A-Z])-(\d{1,9})\t(.*)")  # of fairseq's log
NO_TARGET = "no H- line of this sentence before; accepted are lines S-, H- and A- of the same number"
HEADINGS = {5: "nematus", 6: "sockeye"}  # by the number of fields
ACCEPTED = "id ||| target ||| score ||| source ||| and how many tokens the source and the target have"


def matrix(file: File, line: int, rows: Sequence[Sequence[str]], below: bool = True) -> Float[ndarray, "R C"]:
    """Parse rows of equal length with numbers from 0 to 1. The first is at `line`, and the others are `below` it."""
    width = len(rows[0])
    if max(len(rows), width) > TOKENS:
        raise file.wrong(line, f"more than {TOKENS} weights in a row or rows; a sentence of 1 to {TOKENS} can be shown")
    for place, row in enumerate(rows):
        if len(row) != width:
            raise file.wrong(line + below * place, f"{len(row)} weights in a row; the rows before it have {width}")
    weights = [[weight(file, line + below * place, text) for text in row] for place, row in enumerate(rows)]
    return np.array(weights, dtype=np.float32)


def _matrix(
    file: File,
    line: int,
    source: tuple[str, ...],
    target: tuple[str, ...],
    rows: Float[ndarray, "R C"],
    closed: bool = False,
    headed: bool = False,
) -> Matrix:
    def build(by_source: bool) -> ForeignSentence:
        weights = rows.T if by_source else rows
        return foreign_sentence(file, line, source, target or (END,), weights, closed=closed)

    return Matrix(line, rows, len(target or (END,)), len(source), build, headed=headed)


def marian(file: File, second: SecondFile) -> Iterator[Matrix | Read]:
    """Read `target ||| weights`; n-best lists, scores and amun's --return-soft-alignment are read, too."""

    def matrix_of(index: int) -> Matrix:
        number, target, attention = fields(file, index)
        source, known = second.sides(number)
        words = split(target) or known
        rows = _rows(attention, len(words))
        if not rows:
            raise file.wrong(
                index + 1, "no weights behind |||; accepted are numbers separated by commas, such as 0.9,0.1"
            )
        weights = matrix(file, index + 1, rows, below=False)
        return _matrix(file, index + 1, source, words, weights, closed=True)

    second.check(file, any(text.count("|||") > 2 for text in file.lines))
    return each(range(len(file.lines)), matrix_of)


def _rows(text: str, target: int) -> list[Sequence[str]]:
    """Return the weights of each target token."""
    if ";" in text:
        return [split(row) for row in text.split(";", TOKENS + 1) if row.strip()]
    rows: list[Sequence[str]] = [row.split(",", TOKENS + 1) for row in split(text)]
    single = target == 1 and len(rows) > 2 and "," not in text  # one row of OpenNMT-tf, which needs no semicolon
    return [split(text)] if single else rows


def fairseq(file: File, second: SecondFile) -> Iterator[Matrix | Read]:
    """Read a sentence for each A- line of `fairseq-generate --print-alignment`; other lines are ignored.

    Lines of one sentence share its number; a sentence has several H- and A- with `--nbest`.
    """
    sources: dict[str, tuple[str, ...]] = {}
    targets: dict[str, tuple[str, ...]] = {}

    def found(line: int, number: str, content: str) -> Matrix | ForeignSentence:
        if number not in targets:
            raise file.wrong(line, NO_TARGET)
        source, target = sources.get(number, ()), targets[number]
        if are_links(content) or not content.strip():
            return linked(file, LinkedLine(line, content, source, target), 0)
        rows = [row.split(",", TOKENS + 1) for row in split(content)]
        return _matrix(file, line, source, target, matrix(file, line, rows, below=False))

    for line, text in enumerate(file.lines, 1):
        match = LINE.fullmatch(text)
        kind, number, content = match.groups() if match else ("", "", "")
        if kind == "S":
            sources[number] = split(content)
        elif kind == "H":
            targets[number] = split(content.partition("\t")[2])
        elif kind == "A":
            yield from each([content], partial(found, line, number))


def is_row(text: str) -> bool:
    """True if a line is a name followed by numbers, as in OpenNMT-py's table."""
    numbers = split(text)[1:]
    return bool(numbers) and all(CELL.fullmatch(number) for number in numbers)


def opennmt(file: File, second: SecondFile) -> Iterator[Matrix | Read]:
    """Read OpenNMT-py's table (-attn_debug), one per sentence.

                      Indien        und      Japan
         India  *0.7271880  0.0094570  0.0841424

    The largest weight of a row has a star. Row names are cut to ten characters and column names to seven; a file with
    the source restores those. Log lines in between are skipped.
    """
    kept = [(number, text) for number, text in enumerate(file.lines, 1) if text.strip() and not LOG.match(text.strip())]

    def table(place: int, above: tuple[str, ...], lines: list[tuple[int, str]]) -> Matrix:
        line, beside = lines[0][0], tuple(split(text)[0] for _, text in lines)
        if not above:
            raise file.wrong(line, "a row of weights, but no source tokens above it")
        weights = matrix(file, line, [[number.lstrip("*") for number in split(text)[1:]] for _, text in lines])
        source = second.sides(place)[0]
        cut = max(map(len, beside)) >= ROW or (not source and max(map(len, above)) >= COLUMN)

        def build(by_source: bool) -> ForeignSentence:
            read, target = (beside, above) if by_source else (above, beside)
            turned = weights.T if by_source else weights
            return foreign_sentence(file, line, source or read, ended(target, len(target)), turned, notes=(CUT,) * cut)

        return Matrix(line, weights, 0, 0, build)

    count, above = 0, ()
    for rows, group in groupby(kept, lambda one: is_row(one[1]) and not one[1].startswith(" " * (ROW + 1))):
        if rows:
            yield from each([list(islice(group, TOKENS + 1))], partial(table, count, above))
            count, above = count + 1, ()
        else:
            above = split(deque(group, 1)[0][1])


def is_heading(text: str) -> bool:
    """True if a line heads a matrix of Nematus or Sockeye, with the numbers of tokens at its end."""
    counts = text.split("|||", 6)[4:]
    return 1 <= len(counts) <= 2 and all(count.isdecimal() for part in counts for count in split(part))


def nematus(file: File, second: SecondFile) -> Iterator[Matrix | Read]:
    """Read the matrices of Nematus or Sockeye, below their headings; the counts are not always filled in, so that rows
    are tried both ways. Those of Sockeye belong to source tokens, by its heading."""

    def block(line: int, end: int) -> Matrix:
        heading = file.lines[line].split("|||")
        if len(heading) not in HEADINGS:
            raise file.wrong(line + 1, f"{len(heading)} fields between |||, where a sentence begins with {ACCEPTED}")
        rows = [split(text) for text in file.lines[line + 1 : min(end, line + TOKENS + 2)]]
        if not rows:
            raise file.wrong(line + 1, "no rows of weights below the heading; a row is numbers separated by blanks")
        source, target = split(heading[3]) or (END,), split(heading[1])
        headed = HEADINGS[len(heading)] == "sockeye"
        return _matrix(file, line + 1, source, target, matrix(file, line + 2, rows), headed=headed)

    line, lines = 0, file.lines
    while line < len(lines):
        end = line + 1
        if lines[line].strip():
            while end < len(lines) and lines[end].strip() and "|||" not in lines[end]:
                end += 1
            yield from each([end], partial(block, line))
        line = end
