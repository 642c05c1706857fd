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
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby, islice
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.soft_alignments.links import are_links, fields, linked, parse
from regard.model.soft_alignments.record import (
    NUMBERED,
    ForeignSentence,
    Read,
    SecondFile,
    Shape,
    check_counts,
    each,
    foreign_sentence,
    matrix,
    oriented,
)
from regard.model.soft_alignments.text_file import TOKENS, File, split
from regard.model.soft_alignments.tokens import ended, numbered
from regard.model.words import END

ROW, COLUMN = 10, 7  # characters kept of a name in OpenNMT-py's table
LOG = re.compile(r"\[|SENT |PRED |GOLD |ALIGN: |BEST HYP|ESTIM ")
CELL = re.compile(r"\**\d[\d.e+-]*")
CUT = f"OpenNMT-py cuts names to {COLUMN} characters above and {ROW} beside the table; longer ones are not whole."
LINE = re.compile(r"([A-Z])-(\d{1,9})\t(.*)")  # of fairseq's log
NO_TARGET = "no H- line of this sentence before; accepted are lines S-, H- and A- of the same number"
HEADINGS = {5: "nematus", 6: "sockeye"}  # by the number of fields
ACCEPTED = "id ||| target ||| score ||| source ||| and how many tokens the source and the target have"


class Found(NamedTuple):
    """A matrix of weights as it stands at a line, and what is known of its tokens."""

    line: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    rows: Float[ndarray, "R C"]

    @property
    def shape(self) -> Shape:
        """The matrix and the numbers of its tokens."""
        return Shape(self.rows, len(self.target), len(self.source))


def _built(file: File, found: Found, by_source: bool) -> ForeignSentence:
    weights = found.rows.T if by_source else found.rows
    return foreign_sentence(file, found.line, found.source, found.target, weights)


def marian(file: File, second: SecondFile) -> Iterator[Read]:
    """Read `target ||| weights`; n-best lists, scores and amun's --return-soft-alignment are read, too."""

    def matrix_of(index: int) -> Found:
        number, target, attention = fields(file, index)
        words = split(target) or second.target(number)
        rows = _rows(attention, len(words))
        if not rows:
            raise file.wrong(
                index + 1, "no weights behind |||; accepted are numbers separated by commas, such as 0.9,0.1"
            )
        return Found(index + 1, second.source(number), words or (END,), _on_one_line(file, index + 1, rows))

    def sentence(found: Found, by_source: bool) -> ForeignSentence:
        columns, notes = found.rows.shape[not by_source], ()
        if not found.source and columns > 1:
            found, notes = found._replace(source=numbered(columns - 1)), (NUMBERED.format("source"),)
        return replace(_built(file, found, by_source), notes=notes)

    second.check(file, [text.split("|||", 1)[0] for text in file.lines if text.count("|||") > 2])
    return oriented(each(range(len(file.lines)), matrix_of), lambda found: found.shape, sentence)


def _rows(text: str, target: int) -> list[list[str]]:
    """Return the weights of each target token."""
    if ";" in text:
        return [list(split(row)) for row in text.split(";", TOKENS + 1) if row.strip()]
    rows = [row.split(",", TOKENS + 1) for row in split(text)]
    single = target == 1 and len(rows) > 2 and "," not in text  # one row of OpenNMT-tf, which needs no semicolon
    return [list(split(text))] if single else rows


def _on_one_line(file: File, line: int, rows: list[list[str]]) -> Float[ndarray, "T S"]:
    """Return the weights of all target tokens from one line."""
    check_counts(file, line, len(rows), len(rows[0]))
    for place, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise file.wrong(line, f"{len(row)} weights for target token {place + 1}; the first has {len(rows[0])}")
    return np.concatenate([matrix(file, line, [row]) for row in rows])


def fairseq(file: File, second: SecondFile) -> Iterator[Read]:
    """Read a sentence for each A- line of `fairseq-generate --print-alignment`; other lines are ignored.

    Lines of one sentence share its number; a sentence has several H- and A- with `--nbest`.
    """
    sources: dict[str, tuple[str, ...]] = {}
    targets: dict[str, tuple[str, ...]] = {}

    def matrix_of(found: tuple[int, str, str]) -> Found | ForeignSentence:
        line, number, content = found
        if number not in targets:
            raise file.wrong(line, NO_TARGET)
        source, target = sources.get(number, ()), targets[number]
        if are_links(content) or not content.strip():
            return linked(file, line, parse(file, line, content, 0), source, target)
        rows = [row.split(",", TOKENS + 1) for row in split(content)]
        return Found(line, source, target or (END,), _on_one_line(file, line, rows))

    def matrices() -> Iterator[Found | Read]:
        for line, text in enumerate(file.lines, 1):
            found = LINE.fullmatch(text)
            kind, number, content = found.groups() if found else ("", "", "")
            if kind == "S":
                sources[number] = split(content)
            elif kind == "H":
                targets[number] = split(content.partition("\t")[2])
            elif kind == "A":
                yield from each([(line, number, content)], matrix_of)

    return oriented(matrices(), lambda found: found.shape, partial(_built, file))


def is_row(text: str) -> bool:
    """True if a line is a name followed by numbers, as in OpenNMT-py's table."""
    numbers = split(text)[1:]
    return bool(numbers) and all(CELL.fullmatch(number) for number in numbers)


def opennmt(file: File, second: SecondFile) -> Iterator[Read]:
    """Read OpenNMT-py's table (-attn_debug), one per sentence.

                      Indien        und      Japan
         India  *0.7271880  0.0094570  0.0841424

    The largest weight of a row has a star. Row names are cut to ten characters and column names to seven; a file with
    the source restores those. Log lines in between are skipped.
    """
    kept = [(number, text) for number, text in enumerate(file.lines, 1) if text.strip() and not LOG.match(text.strip())]

    def table_of(table: tuple[int, tuple[str, ...], list[tuple[int, str]]]) -> tuple[int, Found]:
        place, above, lines = table
        line, names = lines[0][0], [split(text)[0] for _, text in lines]
        if not above:
            raise file.wrong(line, "a row of weights, but no source tokens above it")
        weights = matrix(file, line, [[number.lstrip("*") for number in split(text)[1:]] for _, text in lines])
        return place, Found(line, above, tuple(names), weights)

    def sentence(table: tuple[int, Found], by_source: bool) -> ForeignSentence:
        place, (line, above, names, weights) = table
        cut = max(map(len, names)) >= ROW or (not second.source(place) and max(map(len, above)) >= COLUMN)
        if by_source:
            above, names, weights = names, above, weights.T
        target = ended(names, len(names))
        return foreign_sentence(file, line, second.source(place) or above, target, weights, notes=(CUT,) * cut)

    def tables() -> Iterator[tuple[int, Found] | InputError]:
        count, above = 0, ()
        for rows, group in groupby(kept, lambda one: is_row(one[1]) and not one[1].startswith(" " * (ROW + 1))):
            if rows:
                yield from each([(count, above, list(islice(group, TOKENS + 1)))], table_of)
                count, above = count + 1, ()
            else:
                above = split(deque(group, 1)[0][1])

    return oriented(tables(), lambda table: Shape(table[1].rows, 0, 0), sentence)


def is_heading(text: str) -> bool:
    """True if a line heads a matrix of Nematus or Sockeye, with the numbers of tokens at its end."""
    counts = text.split("|||", 6)[4:]
    return 1 <= len(counts) <= 2 and all(count.isdecimal() for part in counts for count in split(part))


def nematus(file: File, second: SecondFile) -> Iterator[Read]:
    """Read the matrices of Nematus or Sockeye; their counts are not always filled in, so that rows are tried both ways.

    Those of Sockeye belong to source tokens, by its heading.
    """
    headed = [HEADINGS.get(text.count("|||") + 1) == "sockeye" for text in file.lines]
    blocks = each(_blocks(file), lambda block: _parsed(file, *block))
    return oriented(blocks, lambda found: found.shape._replace(headed=headed[found.line - 1]), partial(_built, file))


def _blocks(file: File) -> Iterator[tuple[int, int]]:
    """Yield the places of each heading, and of the line after its rows."""
    line, lines = 0, file.lines
    while line < len(lines):
        end = line + 1
        if lines[line].strip():
            while end < len(lines) and lines[end].strip() and "|||" not in lines[end]:
                end += 1
            yield line, end
        line = end


def _parsed(file: File, line: int, end: int) -> Found:
    """Return the matrix of a heading at a line and the rows below it."""
    heading = file.lines[line].split("|||")
    if len(heading) not in HEADINGS:
        raise file.wrong(line + 1, f"{len(heading)} fields between |||, where a sentence begins with {ACCEPTED}")
    rows = [list(split(text)) for text in file.lines[line + 1 : min(end, line + TOKENS + 2)]]
    if not rows:
        raise file.wrong(line + 1, "no rows of weights below the heading; a row is numbers separated by blanks")
    source, target = split(heading[3]) or (END,), split(heading[1]) or (END,)
    return Found(line + 1, source, target, matrix(file, line + 2, rows))
