"""Marian's soft alignments (--alignment soft): `target ||| weights`, one line per sentence.

The weights of one target token are separated by commas, those of different tokens by blanks. The end of the source
sentence has a weight; since version 1.7 the end of the target has weights too. Numbers have six digits.
"""

from collections.abc import Iterator

import numpy as np

from regard.model.soft_alignments.pharaoh import fields
from regard.model.soft_alignments.record import (
    NUMBERED,
    ForeignSentence,
    GivenBeside,
    check_counts,
    foreign_sentence,
    matrix,
)
from regard.model.soft_alignments.text_file import TOKENS, File, split
from regard.model.soft_alignments.tokens import joined, numbered
from regard.model.words import END


def read(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read sentences; n-best lists and amun's --return-soft-alignment are read too."""
    for index, text in enumerate(file.lines):
        number, target, attention = fields(file, index, text)
        rows = [row.split(",", TOKENS + 1) for row in split(attention)]
        if not rows:
            raise file.wrong(
                index + 1, "no weights behind |||; accepted are numbers separated by commas, such as 0.9,0.1"
            )
        weights = on_one_line(file, index + 1, rows)
        source, notes = beside.source(number), ()
        if not source and len(rows[0]) > 1:
            source, notes = numbered(len(rows[0]) - 1), (NUMBERED.format("source"),)
        yield foreign_sentence(file, index + 1, source, split(target) or (END,), weights, notes=notes)


def write(sentences: list[ForeignSentence]) -> str:
    """Write sentences as `marian-decoder --alignment soft` does."""
    return "".join(
        f"{' '.join(joined(each.target))} ||| {_weights(each.weights)}\n"
        for each in (one.alignment for one in sentences)
    )


def _weights(weights: np.ndarray) -> str:
    return " ".join(",".join(f"{weight:g}" for weight in row) for row in weights.tolist())


def on_one_line(file: File, line: int, rows: list[list[str]]) -> np.ndarray:
    """Return the weights of all target tokens from one line."""
    check_counts(file, line, len(rows), len(rows[0]))
    for place, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise file.wrong(line, f"{len(row)} weights for target token {place + 1}; the first has {len(rows[0])}")
    return np.concatenate([matrix(file, line, [row]) for row in rows])
