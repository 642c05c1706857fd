"""Sockeye's links: after a tab, or in the JSON of an n-best list.

--output-type translation_with_alignments    target, a tab, and links whose weight was above a threshold
--output-type json with --nbest-size         {"translations": [...], "alignments": [[[source, target], ...], ...]}

Sockeye's JSON never has whole matrices; `regard.model.soft_alignments.nematus` reads those.
"""

import json
from collections.abc import Iterator

import numpy as np

from regard.model.alignment import Alignment
from regard.model.soft_alignments.pharaoh import LINKS, Link, linked, parse
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import TOKENS, File, split
from regard.model.soft_alignments.tokens import joined

THRESHOLD = 0.9  # as Sockeye's --sure-align-threshold


def read_tab(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read one line per sentence."""
    for index, text in enumerate(file.lines):
        target, tab, links = text.partition("\t")
        if not tab:
            raise file.wrong(index + 1, "no tab; accepted is the translation, a tab, and links such as 0-0 1-1")
        parsed = parse(file, index + 1, links, 0)
        yield linked(file, index + 1, parsed, beside.source(index), split(target))


def read_json(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read one object per line; each of its translations is a sentence."""
    for index, text in enumerate(file.lines):
        if not text.strip():
            continue
        translations, alignments = _lists(file, index + 1, text)
        for target, pairs in zip(translations, alignments, strict=True):
            links = [_link(file, index + 1, pair) for pair in pairs[: LINKS + 1]]
            if len(links) > LINKS:
                raise file.wrong(index + 1, f"{len(pairs):,} links; a sentence with up to {LINKS:,} can be shown")
            yield linked(file, index + 1, links, beside.source(index), split(target))


def write_tab(sentences: list[ForeignSentence]) -> str:
    """Write as `--output-type translation_with_alignments` does; links are weights above the threshold."""
    return "".join(
        f"{' '.join(joined(each.target))}\t{' '.join(f'{s}-{t}' for s, t in _above(each))}\n"
        for each in (one.alignment for one in sentences)
    )


def write_json(sentences: list[ForeignSentence]) -> str:
    """Write as `--output-type json` writes an n-best list, here of one."""
    objects = [
        {
            "sentence_id": index,
            "translation": " ".join(joined(each.target)),
            "translations": [" ".join(joined(each.target))],
            "alignments": [_above(each)],
        }
        for index, each in enumerate(one.alignment for one in sentences)
    ]
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def _above(alignment: Alignment) -> list[list[int]]:
    """Return source and target of weights above the threshold, except those of `</s>`, in Sockeye's order."""
    target, source = len(joined(alignment.target)), len(joined(alignment.source))
    return np.argwhere(alignment.weights[:target, :source].T > THRESHOLD).tolist()


def _lists(file: File, line: int, text: str) -> tuple[list[str], list[list]]:
    values = file.parse_json(line, text)
    accepted = 'accepted is an object with "translations" (texts) and "alignments" (for each a list of places)'
    if not isinstance(values, dict):
        raise file.wrong(line, f"this is not an object; {accepted}")
    translations, alignments = values.get("translations"), values.get("alignments")
    if not isinstance(translations, list) or not all(isinstance(each, str) for each in translations):
        raise file.wrong(line, f'no texts in "translations"; {accepted}')
    if not isinstance(alignments, list) or not all(isinstance(each, list) for each in alignments):
        raise file.wrong(line, f'no lists in "alignments"; {accepted}')
    if len(translations) != len(alignments):
        raise file.wrong(line, f"{len(translations)} translations but {len(alignments)} alignments; one each is needed")
    return translations, alignments


def _link(file: File, line: int, pair: object) -> Link:
    if isinstance(pair, list) and len(pair) == 2 and all(type(place) is int and 0 <= place < TOKENS for place in pair):
        return Link(pair[0], pair[1], 1.0, True)
    written = json.dumps(pair)[:40]
    raise file.wrong(
        line, f"{written} is not a link; a link is a source and a target place below {TOKENS}, such as [0, 1]"
    )
