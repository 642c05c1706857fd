"""Pharaoh's word links: `0-0 1-2`, a source place and a target place, counted from 0.

Variants in use: counted from 1, a p instead of the hyphen for links that are possible rather than sure (the gold files
of awesome-align), and a probability after a colon (`7-0:0.2266`, giza-py).
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from regard.model.soft_alignments.record import ForeignSentence, GivenBeside, check_counts, foreign_sentence, weight
from regard.model.soft_alignments.text_file import TOKENS, File, quoted, split, tokens_of
from regard.model.soft_alignments.tokens import joined

LINKS = TOKENS**2  # per sentence
LINK = re.compile(r"(\d{1,6})([-p])(\d{1,6})(?::(\S+))?")
POSSIBLE = "{} of its links are only possible ones (written with a p); they are shown like the sure ones."


class Link(NamedTuple):
    source: int
    target: int
    weight: float
    sure: bool


def are_links(text: str) -> bool:
    """True if a line has links and nothing else."""
    tokens = split(text)
    return bool(tokens) and all(LINK.fullmatch(token) for token in dict.fromkeys(tokens))


def parse(file: File, line: int, text: str, first: int) -> list[Link]:
    """Parse links; places count from `first`. A link that is repeated is parsed once, where it stands last. Raises
    InputError naming text that is not a link."""
    parsed, tokens = [], [*islice(tokens_of(text), LINKS + 1)]
    if len(tokens) > LINKS:
        raise file.wrong(line, f"more than {LINKS:,} links, which is one for each pair of {TOKENS} tokens")
    for token in reversed(dict.fromkeys(reversed(tokens))):
        match = LINK.fullmatch(token)
        if not match:
            raise file.wrong(line, f"{quoted(token)} is not a link; a link is a source and a target place, such as 0-1")
        source, target = int(match[1]) - first, int(match[3]) - first
        if min(source, target) < 0:
            raise file.wrong(line, f"{quoted(token)} has a place before the first; were places counted from 0?")
        if max(source, target) >= TOKENS:
            raise file.wrong(line, f"{quoted(token)} has a place beyond token {TOKENS}, the last that can be shown")
        parsed.append(Link(source, target, weight(file, line, match[4] or "1"), match[2] == "-"))
    return parsed


def linked(
    file: File, line: int, links: list[Link], source: tuple[str, ...], target: tuple[str, ...]
) -> ForeignSentence:
    """Build the sentence that the links are about; one place after the last token is the end of the sentence."""
    reached = [link.source for link in links], [link.target for link in links]
    sides = [max(places, default=-1) + 1 for places in reached]
    for known, reach, name in zip((source, target), sides, ("source", "target"), strict=True):
        if known and reach > len(known) + 1:
            raise file.wrong(line, f"a link to {name} token {reach}, but the sentence has {len(known)}")
    if not links and not target:
        raise file.wrong(line, "neither links nor words; a sentence needs one or the other")
    shape = max(sides[1], len(target)), max(sides[0], len(source), 1)
    check_counts(file, line, *shape)
    weights = np.zeros(shape, np.float32)
    for link in links:
        weights[link.target, link.source] = link.weight
    possible = sum(not link.sure for link in links)
    notes = (POSSIBLE.format(possible),) if possible else ()
    return foreign_sentence(file, line, source, target, weights, bool(np.isin(weights, (0, 1)).all()), notes)


def pharaoh(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read one line per sentence: links alone, or `source ||| target ||| links`."""
    for index, text in enumerate(file.lines):
        *words, links = text.split("|||")
        if len(words) not in (0, 2):
            raise file.wrong(index + 1, f"{len(words) + 1} fields; accepted are links, or source ||| target ||| links")
        source, target = map(split, words) if words else (beside.source(index), beside.target(index))
        yield linked(file, index + 1, parse(file, index + 1, links, beside.first), source, target)


def after_text(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read `target ||| links`: OpenNMT-py (-report_align), Marian (--alignment hard or a threshold), Moses."""
    for index, text in enumerate(file.lines):
        number, target, links = fields(file, index, text)
        parsed = parse(file, index + 1, links, 0)
        yield linked(file, index + 1, parsed, beside.source(number), split(target))


def fields(file: File, index: int, text: str) -> tuple[int, str, str]:
    """Return the sentence's number, its target and the field about attention; n-best lists give the number."""
    parts = text.split("|||")
    if len(parts) == 2:
        return index, parts[0], parts[1]
    if len(parts) >= 4 and re.fullmatch(r" *\d{1,9} *", parts[0]):
        return int(parts[0]), parts[1], parts[2]
    accepted = "target ||| weights, or in an n-best list number ||| target ||| weights ||| features ||| score"
    raise file.wrong(index + 1, f"{len(parts)} fields between |||; accepted is {accepted}")


def write_pharaoh(sentences: list[ForeignSentence]) -> str:
    """Write `source ||| target ||| links`: for each target token its heaviest source token, without `</s>`."""
    lines = []
    for each in sentences:
        source, target = joined(each.alignment.source), joined(each.alignment.target)
        kept = " ".join(f"{s}-{t}" for s, t in links_of(each) if s < len(source) and t < len(target))
        lines.append(f"{' '.join(source)} ||| {' '.join(target)} ||| {kept}\n")
    return "".join(lines)


def write_after_text(sentences: list[ForeignSentence]) -> str:
    """Write as Marian does with --alignment hard: the sentence ends count, one after the last tokens."""
    return "".join(
        f"{' '.join(joined(each.alignment.target))} ||| {' '.join(f'{s}-{t}' for s, t in links_of(each))}\n"
        for each in sentences
    )


def links_of(foreign: ForeignSentence) -> list[tuple[int, int]]:
    """Return its links, or each target token's heaviest source token; in the order of the source."""
    weights = foreign.alignment.weights
    if foreign.links:
        return [(int(source), int(target)) for source, target in np.argwhere(weights.T > 0)]
    return sorted((int(source), target) for target, source in enumerate(weights.argmax(1)))
