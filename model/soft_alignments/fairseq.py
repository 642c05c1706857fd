"""fairseq's log of `fairseq-generate --print-alignment`: lines S- (source), H- (score, target) and A- (alignment).

Hard alignments are links, soft ones the weights of all source tokens for each target token, `</s>` included, separated
by commas. Lines of one sentence share its number; a sentence has several H- and A- with `--nbest`.
"""

import re
from collections.abc import Iterator

from regard.model.soft_alignments.marian import on_one_line
from regard.model.soft_alignments.pharaoh import are_links, linked, parse
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside, foreign_sentence
from regard.model.soft_alignments.text_file import TOKENS, File, split
from regard.model.soft_alignments.tokens import joined
from regard.model.words import END

LINE = re.compile(r"([A-Z])-(\d{1,9})\t(.*)")
NO_TARGET = "no H- line of this sentence before; accepted are lines S-, H- and A- of the same number"


def read(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read a sentence for each A- line; other lines of the log are ignored."""
    sources: dict[str, tuple[str, ...]] = {}
    targets: dict[str, tuple[str, ...]] = {}
    for line, text in enumerate(file.lines, 1):
        found = LINE.fullmatch(text)
        kind, number, content = found.groups() if found else ("", "", "")
        if kind == "S":
            sources[number] = split(content)
        elif kind == "H":
            targets[number] = split(content.partition("\t")[2])
        elif kind == "A":
            if number not in targets:
                raise file.wrong(line, NO_TARGET)
            yield _sentence(file, line, sources.get(number, ()), targets[number], content)


def write(sentences: list[ForeignSentence]) -> str:
    """Write sentences as `fairseq-generate --print-alignment soft` does."""
    lines = []
    for number, alignment in enumerate(one.alignment for one in sentences):
        rows = " ".join(",".join(f"{weight:.6f}" for weight in row) for row in alignment.weights.tolist())
        lines += [
            f"S-{number}\t{' '.join(joined(alignment.source))}",
            f"H-{number}\t0\t{' '.join(joined(alignment.target))}",
        ]
        lines.append(f"A-{number}\t{rows}")
    return "".join(f"{line}\n" for line in lines)


def begins(text: str) -> bool:
    """True for a line of such a log."""
    return bool(LINE.fullmatch(text))


def _sentence(file: File, line: int, source: tuple[str, ...], target: tuple[str, ...], content: str) -> ForeignSentence:
    if are_links(content) or not content.strip():
        return linked(file, line, parse(file, line, content, 0), source, target)
    rows = [row.split(",", TOKENS + 1) for row in split(content)]
    return foreign_sentence(file, line, source, target or (END,), on_one_line(file, line, rows))
