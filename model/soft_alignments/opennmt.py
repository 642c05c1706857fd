"""OpenNMT-py's table (-attn_debug): source tokens across, a row for each target token.

                  Indien        und      Japan
     India  *0.7271880  0.0094570  0.0841424

The largest weight of a row has a star. Row names are cut to ten characters and column names to seven, so they may be
incomplete; a file with the source sentences restores them. Log lines in between are skipped.
"""

import re
from collections import deque
from collections.abc import Iterator
from itertools import groupby, islice

from regard.model.soft_alignments.record import ForeignSentence, GivenBeside, foreign_sentence, matrix
from regard.model.soft_alignments.text_file import TOKENS, File, split
from regard.model.soft_alignments.tokens import ended, joined
from regard.model.words import END

ROW, COLUMN = 10, 7  # characters kept of a name
LOG = re.compile(r"\[|SENT |PRED |GOLD |ALIGN: |BEST HYP|ESTIM ")
NUMBER = re.compile(r"\**\d[\d.e+-]*")
CUT = f"OpenNMT-py cuts names to {COLUMN} characters above and {ROW} beside the table; longer ones are not whole."


def is_row(text: str) -> bool:
    """True if a line is a name followed by numbers."""
    numbers = split(text)[1:]
    return bool(numbers) and all(NUMBER.fullmatch(number) for number in numbers)


def read(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read one table per sentence."""
    kept = [(number, text) for number, text in enumerate(file.lines, 1) if text.strip() and not LOG.match(text.strip())]
    tables, above = 0, ()
    for rows, group in groupby(kept, lambda one: is_row(one[1]) and not one[1].startswith(" " * (ROW + 1))):
        lines = list(deque(group, 1) if not rows else islice(group, TOKENS + 1))  # noqa: B031
        if not rows:
            above = split(lines[-1][1])
            continue
        line, names = lines[0][0], [split(text)[0] for _, text in lines]
        if not above:
            raise file.wrong(line, "a row of weights, but no source tokens above it")
        weights = matrix(file, line, [[number.lstrip("*") for number in split(text)[1:]] for _, text in lines])
        source = beside.source(tables) or above
        cut = max(map(len, source)) >= COLUMN and source is above
        notes = (CUT,) if cut or max(map(len, names)) >= ROW else ()
        yield foreign_sentence(file, line, source, ended(tuple(names), len(names)), weights, notes=notes)
        tables, above = tables + 1, ()


def write(sentences: list[ForeignSentence]) -> str:
    """Write as `onmt_translate -attn_debug` prints."""
    written = []
    for each in (one.alignment for one in sentences):
        source = [*joined(each.source), END][: len(each.source.tokens)]
        target = [*joined(each.target), END][: len(each.target.tokens)]
        head = " " * (ROW + 1) + "".join(f"{name[:COLUMN]:>10} " for name in source) + "\n"
        rows = [f"{name[:ROW]:>10} " + _row(row) for name, row in zip(target, each.weights.tolist(), strict=True)]
        written.append(head + "".join(rows))
    return "".join(written)


def _row(weights: list[float]) -> str:
    largest = weights.index(max(weights))
    return "".join(f"{weight:{'*' if i == largest else ''}>10.7f} " for i, weight in enumerate(weights)) + "\n"
