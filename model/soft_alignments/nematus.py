"""Nematus and SoftAlignments: a heading for each sentence, a line of weights for each token, and an empty line.

Nematus (translate.py -a), amun (--return-nematus-alignment), OpenNMT (translate.lua -save_attention):
    id ||| target ||| score ||| source ||| S T        then a row for each target token
Sockeye 1 (--output-type translation_with_alignment_matrix):
    id ||| target ||| score ||| source ||| S ||| T    then a row for each source token

The ends of the sentences have weights if the program kept them. The counts in the heading are not always filled in.
"""

from collections.abc import Iterator

from jaxtyping import Float
from numpy import ndarray

from regard.model.soft_alignments.record import ForeignSentence, GivenBeside, foreign_sentence, matrix
from regard.model.soft_alignments.text_file import TOKENS, File, split
from regard.model.soft_alignments.tokens import joined
from regard.model.words import END

HEADINGS = {5: "nematus", 6: "sockeye"}  # by the number of fields
ACCEPTED = "id ||| target ||| score ||| source ||| and how many tokens the source and the target have"
TURNED = "Its rows belong to the {} tokens, although its heading says otherwise."


def is_heading(text: str) -> bool:
    """True if a line heads a sentence, with the numbers of tokens at its end."""
    counts = text.split("|||", 6)[4:]
    return 1 <= len(counts) <= 2 and all(count.isdecimal() for part in counts for count in split(part))


def read(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read either kind. Rows belong to the side whose length they match; if both match, the heading decides."""
    line, lines = 0, file.lines
    while line < len(lines):
        if not lines[line].strip():
            line += 1
            continue
        heading = lines[line].split("|||")
        if len(heading) not in HEADINGS:
            raise file.wrong(line + 1, f"{len(heading)} fields between |||, where a sentence begins with {ACCEPTED}")
        end = line + 1
        while end < len(lines) and lines[end].strip() and "|||" not in lines[end]:
            end += 1
        rows = [list(split(text)) for text in lines[line + 1 : min(end, line + TOKENS + 2)]]
        if not rows:
            raise file.wrong(line + 1, "no rows of weights below the heading; a row is numbers separated by blanks")
        yield _sentence(file, line, heading, matrix(file, line + 2, rows))
        line = end


def write_nematus(sentences: list[ForeignSentence]) -> str:
    """Write as Nematus does: a row per target token, numbers in full; `</s>` has weights but is not written."""
    written = []
    for index, each in enumerate(one.alignment for one in sentences):
        target, source = joined(each.target), joined(each.source)
        counts = f"{each.weights.shape[1]} {each.weights.shape[0]}"
        rows = "".join(f"{' '.join(str(weight) for weight in row)} \n" for row in each.weights)
        written.append(f"{index} ||| {' '.join(target)} ||| 0 ||| {' '.join(source)} ||| {counts}\n{rows}\n")
    return "".join(written)


def write_sockeye(sentences: list[ForeignSentence]) -> str:
    """Write as Sockeye 1 does: a row per source token, six decimals; `</s>` is a token."""
    written = []
    for index, each in enumerate(one.alignment for one in sentences):
        target, source = (joined(side) + side.tokens[len(joined(side)) :] for side in (each.target, each.source))
        rows = "".join(f"{' '.join(f'{weight:f}' for weight in row)}\n" for row in each.weights.T.tolist())
        heading = f"{index} ||| {' '.join(target)} ||| 0.000000 ||| {' '.join(source)}"
        written.append(f"{heading} ||| {len(source)} ||| {len(target)}\n{rows}\n")
    return "".join(written)


def _sentence(file: File, line: int, heading: list[str], rows: Float[ndarray, "R C"]) -> ForeignSentence:
    target, source = (split(heading[field]) or (END,) for field in (1, 3))
    by_source = HEADINGS[len(heading)] == "sockeye"
    ways = {by: _fits(rows.T if by else rows, target, source) for by in (by_source, not by_source)}
    turned = not ways[by_source] and ways[not by_source]
    by = by_source != turned
    notes = (TURNED.format("source" if by else "target"),) if turned else ()
    return foreign_sentence(file, line + 1, source, target, rows.T if by else rows, notes=notes)


def _fits(weights: Float[ndarray, "T S"], target: tuple[str, ...], source: tuple[str, ...]) -> bool:
    return all(0 <= count - len(side) <= 1 for count, side in zip(weights.shape, (target, source), strict=True))
