"""Word links: `0-0 1-2`, a source place and a target place each, alone or behind a translation.

Pharaoh (fast_align, eflomal)        0-0 1-2              or `source ||| target ||| links`, or `links ||| score`
    simalign, awesome-align          3 TAB 0-0 2p1        with the sentence's number; p for links that are only possible
    giza-py                          7-0:0.2266           with a probability
Marian, OpenNMT, Moses               target ||| links     in n-best lists and with scores: `number ||| target ||| links`
Sockeye                              target TAB links     or JSON: {"translations": [...], "alignments": [[[0, 0]]]}
NAACL (WPT), gold                    1 2 3 S              a line a link: sentence, places from 1, sure or possible
GIZA++ (*.A3.final)                  three lines          # Sentence pair (1) ..., target, NULL ({ }) source ({ 1 2 })

Places count from 0, or from 1 in gold files: a file of the others without any place 0 is read so.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from regard.model.input_error import InputError
from regard.model.soft_alignments.record import (
    ForeignSentence,
    Read,
    SecondFile,
    check_counts,
    each,
    foreign_sentence,
    weight,
)
from regard.model.soft_alignments.text_file import TOKENS, File, quoted, split, tokens_of
from regard.model.soft_alignments.tokens import joined

LINKS = TOKENS**2  # per sentence
LINK = re.compile(r"(\d{1,6})([-p])(\d{1,6})(?::(\S+))?")
NUMBER = re.compile(r"\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*|\s*(?:-inf|nan)\s*")
NAACL = re.compile(r"\s*(\d{1,9})[ \t]+(\d{1,6})[ \t]+(\d{1,6})(?:[ \t]+([SP]))?(?:[ \t]+([\d.eE+-]+))?\s*")
GIZA = re.compile(r"# Sentence pair \((\d{1,9})\)")
GIZA_WORD = re.compile(r"(\S{1,200}) \(\{((?: \d{1,6})*) \}\)")
SCORE = re.compile(r"\s*[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?\s*")
NUMBERED_LINE = re.compile(r"\s*\d+\t")
POSSIBLE = "{} of its links are only possible ones (written with a p): {}. They are shown like the sure ones."
FROM_ONE = "No place in the file is 0, so places are read as counted from 1; “Links counted from” changes that."
NO_ZERO = "No place in the file is 0; if places are counted from 1, “Links counted from” says so."


class Link(NamedTuple):
    source: int
    target: int
    weight: float
    sure: bool


def from_place(second: SecondFile, places: Iterable[int]) -> tuple[int, tuple[str, ...]]:
    """Return the place from which links count, as chosen or as all `places` of the file show, and a note on it."""
    first, any_link = second.first, False
    for place in places:
        if not place:
            return first or 0, ()
        any_link = True
    return (1, (FROM_ONE,)) if first is None and any_link else (first or 0, (NO_ZERO,) * (first == 0 and any_link))


def _places(texts: Iterable[str]) -> Iterator[int]:
    """Yield the places of all links in some texts."""
    for text in texts:
        for token in dict.fromkeys(tokens_of(text)):
            if match := LINK.fullmatch(token):
                yield from (int(match[1]), int(match[3]))


def are_links(text: str) -> bool:
    """True if a line has links and nothing else."""
    tokens = split(text)
    return bool(tokens) and all(LINK.fullmatch(token) for token in dict.fromkeys(tokens))


def is_number(text: str) -> bool:
    """True for a number alone, which is a score or the number of a sentence."""
    return bool(NUMBER.fullmatch(text[:50]))


def parse(file: File, line: int, text: str, first: int) -> list[Link]:
    """Parse links; places count from `first`. A link that is repeated is parsed once, where it stands last. Raises
    InputError naming text that is not a link."""
    parsed, tokens = [], tokens_of(text)
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
    file: File,
    line: int,
    links: list[Link],
    source: tuple[str, ...],
    target: tuple[str, ...],
    notes: tuple[str, ...] = (),
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
    possible = tuple((link.source, link.target) for link in links if not link.sure)
    if possible:
        notes += (POSSIBLE.format(len(possible), " ".join(f"{one}-{other}" for one, other in possible)),)
    hard = bool(np.isin(weights, (0, 1)).all())
    return foreign_sentence(file, line, source, target, weights, hard, notes, possible)


def pharaoh(file: File, second: SecondFile) -> Iterator[Read]:
    """Read one line per sentence: links alone, perhaps with a number or a score, or `source ||| target ||| links`."""
    rows = [text.split("|||", 4) for text in file.lines]
    rows = [row[:1] if len(row) == 2 and is_number(row[1]) and not is_number(row[0]) else row for row in rows]
    numbered = all(NUMBERED_LINE.match(row[-1]) for row in rows if row[-1].strip())
    first, notes = from_place(second, _places(row[-1].partition("\t")[2] if numbered else row[-1] for row in rows))

    def sentence(index: int) -> ForeignSentence:
        *words, links = rows[index]
        if len(words) not in (0, 2):
            raise file.wrong(index + 1, f"{len(words) + 1} fields; accepted are links, or source ||| target ||| links")
        number, tab, rest = links.partition("\t") if numbered else ("", "", links)
        if not rest.strip() and not words:
            raise file.wrong(index + 1, "no links")
        place = second.place(int(number), index) if tab else index
        source, target = map(split, words) if words else (second.source(place), second.target(place))
        return linked(file, index + 1, parse(file, index + 1, rest, first), source, target, notes)

    if not any(len(row) == 3 for row in rows):
        second.check(file)
    return each(range(len(rows)), sentence)


def after_text(file: File, second: SecondFile) -> Iterator[Read]:
    """Read `target ||| links`: OpenNMT (-report_align), Marian (--alignment hard or a threshold), Moses."""

    first, notes = from_place(second, _places(field for text in file.lines for field in text.split("|||")[1:3]))

    def sentence(index: int) -> ForeignSentence:
        number, target, links = fields(file, index)
        parsed = parse(file, index + 1, links, first)
        return linked(file, index + 1, parsed, second.source(number), split(target) or second.target(number), notes)

    second.check(file, [text.split("|||", 1)[0] for text in file.lines if text.count("|||") > 2])
    return each(range(len(file.lines)), sentence)


def fields(file: File, index: int) -> tuple[int, str, str]:
    """Return the sentence's number, its target and the field about attention. A number alone before the target is a
    score, in n-best lists, where more follows, the sentence's number."""
    parts = file.lines[index].split("|||")
    if len(parts) == 2:
        return index, "" if SCORE.fullmatch(parts[0]) else parts[0], parts[1]
    if len(parts) == 3 and is_number(parts[0]):
        return index, parts[1], parts[2]
    if len(parts) >= 4 and re.fullmatch(r" *\d{1,9} *", parts[0]):
        return int(parts[0]), parts[1], parts[2]
    accepted = "target ||| weights, or in an n-best list number ||| target ||| weights ||| features ||| score"
    raise file.wrong(index + 1, f"{len(parts)} fields between |||; accepted is {accepted}")


def after_tab(file: File, second: SecondFile) -> Iterator[Read]:
    """Read Sockeye's `target TAB links` (translation_with_alignments): links of weights above a threshold."""

    first, notes = from_place(second, _places(text.partition("\t")[2] for text in file.lines))

    def sentence(index: int) -> ForeignSentence:
        target, tab, links = file.lines[index].partition("\t")
        if not tab:
            raise file.wrong(index + 1, "no tab; accepted is the translation, a tab, and links such as 0-0 1-1")
        parsed = parse(file, index + 1, links, first)
        return linked(file, index + 1, parsed, second.source(index), split(target), notes)

    second.check(file)
    return each(range(len(file.lines)), sentence)


def sockeye_json(file: File, second: SecondFile) -> Iterator[Read]:
    """Read Sockeye's JSON of n-best lists: one object per line; each of its translations is a sentence."""
    lines = [index for index, text in enumerate(file.lines) if text.strip()]
    read = [*each(lines, lambda at: _lists(file, at))]
    every = (pair for one in read if isinstance(one, list) for *_, pairs in one for pair in pairs)
    first, notes = from_place(second, (place for pair in every if _is_link(pair) for place in pair))

    def sentence(one: tuple[int, str, list[Any]]) -> ForeignSentence:
        index, target, pairs = one
        links = [_link(file, index + 1, pair, first) for pair in pairs[: LINKS + 1]]
        if len(links) > LINKS:
            raise file.wrong(index + 1, f"{len(pairs):,} links; a sentence with up to {LINKS:,} can be shown")
        return linked(file, index + 1, links, second.source(index), split(target), notes)

    for one in read:
        yield from [one] if isinstance(one, InputError) else each(one, sentence)


def _lists(file: File, index: int) -> list[tuple[int, str, list[Any]]]:
    """Return the translations of a line, each with its pairs of places."""
    line, values = index + 1, file.parse_json(index + 1, file.lines[index])
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
    return [(index, *pair) for pair in zip(translations, alignments, strict=True)]


def _is_link(pair: object) -> TypeGuard[list[int]]:
    return isinstance(pair, list) and len(pair) == 2 and all(type(place) is int and place >= 0 for place in pair)


def _link(file: File, line: int, pair: object, first: int) -> Link:
    if _is_link(pair) and first <= min(pair) <= max(pair) < TOKENS + first:
        return Link(pair[0] - first, pair[1] - first, 1.0, True)
    written = json.dumps(pair)[:40]
    raise file.wrong(
        line, f"{written} is not a link; a link is a source and a target place below {TOKENS}, such as [0, 1]"
    )


def giza(file: File, second: SecondFile) -> Iterator[Read]:
    """Read GIZA++'s three lines a sentence: a heading, the target, and the source with target places from 1."""

    def sentence(index: int) -> ForeignSentence:
        line = index + 3
        target, written = (*file.lines[index + 1 : line], "", "")[:2]
        found = GIZA_WORD.findall(written)
        if " ".join(f"{word} ({{{places} }})" for word, places in found) != " ".join(written.split()) or not found:
            accepted = "accepted are source words, each with its target places, such as NULL ({ }) I ({ 1 2 })"
            raise file.wrong(min(line, len(file.lines)), f"no third line of a sentence pair; {accepted}")
        words = found[1:] if found[0][0] == "NULL" else found
        text = " ".join(f"{place + 1}-{one}" for place, (_, places) in enumerate(words) for one in places.split())
        return linked(file, index + 1, parse(file, line, text, 1), tuple(word for word, _ in words), split(target))

    return each((index for index, text in enumerate(file.lines) if GIZA.match(text)), sentence)


def naacl(file: File, second: SecondFile) -> Iterator[Read]:
    """Read gold links of the shared tasks at NAACL 2003 and ACL 2005, one per line; a place 0 is the empty word's."""
    found: dict[int, list[tuple[int, re.Match[str]]]] = {}
    for line, text in enumerate(file.lines, 1):
        match = NAACL.fullmatch(text)
        if match:
            found.setdefault(int(match[1]), []).append((line, match))
        elif text.strip():
            yield file.wrong(line, f"{quoted(text)} is no link; accepted are sentence, two places from 1, and S or P")
    from_one = min(found, default=1) > 0

    def sentence(number: int) -> ForeignSentence:
        line, links = found[number][0][0], []
        for at, match in found[number]:
            pair = f"{match[2]}{'p' if match[4] == 'P' else '-'}{match[3]}"
            if int(match[2]) and int(match[3]):
                links += parse(file, at, f"{pair}:{match[5]}" if match[5] else pair, 1)
        place = second.place(number, number - from_one)
        return linked(file, line, links, second.source(place), second.target(place))

    yield from each(found, sentence)


def write_pharaoh(sentences: list[ForeignSentence]) -> str:
    """Write `source ||| target ||| links`: for each target token its heaviest source token, without `</s>`."""
    lines = []
    for one in sentences:
        source, target = joined(one.alignment.source), joined(one.alignment.target)
        kept = [(s, t) for s, t in links_of(one) if s < len(source) and t < len(target)]
        links = " ".join(f"{s}{'p' if (s, t) in one.possible else '-'}{t}" for s, t in kept)
        lines.append(f"{' '.join(source)} ||| {' '.join(target)} ||| {links}\n")
    return "".join(lines)


def links_of(foreign: ForeignSentence) -> list[tuple[int, int]]:
    """Return its links, or each target token's heaviest source token; in the order of the source."""
    weights = foreign.alignment.weights
    if foreign.links:
        return [(int(source), int(target)) for source, target in np.argwhere(weights.T > 0)]
    return sorted((int(source), target) for target, source in enumerate(weights.argmax(1)))
