"""Word links: `0-0 1-2`, a source place and a target place each, alone or behind a translation.

Pharaoh (fast_align, eflomal)        0-0 1-2              or `source ||| target ||| links`, or `links ||| score`
    simalign, awesome-align          3 TAB 0-0 2p1        with the sentence's number; p for links that are only possible
    giza-py                          7-0:0.2266           with a probability
Marian, OpenNMT, Moses               target ||| links     in n-best lists and with scores: `number ||| target ||| links`
Sockeye                              target TAB links     or JSON: {"translations": [...], "alignments": [[[0, 0]]]}
NAACL (WPT), gold                    1 2 3 S              a line a link: sentence, places from 1, sure or possible
GIZA++ (*.A3.final)                  three lines          # Sentence pair (1) ..., target, NULL ({ }) source ({ 1 2 })

A reader finds the links of each sentence as text; `sentences` then counts their places from 0, or from 1, as in gold
files: a file of the others without any place 0 is read so.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from regard.model.input_error import InputError
from regard.model.soft_alignments.given_attention import HIGHEST, TOKENS
from regard.model.soft_alignments.record import (
    File,
    ForeignSentence,
    Read,
    SecondFile,
    check_counts,
    each,
    foreign_sentence,
    quoted,
    split,
)
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


class LinkedLine(NamedTuple):
    """The links that begin at a line, and the tokens, empty if they are not known."""

    line: int
    links: str
    source: tuple[str, ...]
    target: tuple[str, ...]


def are_links(text: str) -> bool:
    """True if a line has links and nothing else."""
    tokens = split(text)
    return bool(tokens) and all(LINK.fullmatch(token) for token in dict.fromkeys(tokens))


def is_number(text: str) -> bool:
    """True for a number alone, which is a score or the number of a sentence."""
    return bool(NUMBER.fullmatch(text[:50]))


def weight(file: File, line: int, text: str) -> float:
    """Parse one weight."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= HIGHEST or "_" in text:  # also true for NaN
        raise file.wrong(line, f"{quoted(text)} is not a weight; a weight is a number from 0 to 1")
    return abs(value)  # turns −0 into 0


def _tokens(text: str) -> list[str]:
    return [token for token in text.replace("\t", " ").split(" ") if token]


def parse(file: File, line: int, text: str, first: int) -> list[Link]:
    """Parse links; places count from `first`. A link that is repeated is parsed once, where it stands last. Raises
    InputError naming text that is not a link."""
    parsed, tokens = [], _tokens(text)
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


def sentences(file: File, lines: Iterable[LinkedLine | InputError], first: int | None) -> Iterator[Read]:
    """Build the sentences of a file whose links count from `first`, or else as all places of the file show."""
    found = [*lines]
    tokens = (token for one in found if isinstance(one, LinkedLine) for token in dict.fromkeys(_tokens(one.links)))
    places = [min(int(match[1]), int(match[3])) for token in tokens if (match := LINK.fullmatch(token))]
    note = {None: (FROM_ONE,), 0: (NO_ZERO,)}.get(first, ()) if places and min(places) else ()
    counted = (1 if note else 0) if first is None else first
    for one in found:
        yield from [one] if isinstance(one, InputError) else each([one], lambda one: linked(file, one, counted, note))


def linked(file: File, one: LinkedLine, first: int, notes: tuple[str, ...] = ()) -> ForeignSentence:
    """Build the sentence that the links are about; one place after the last token is the end of the sentence."""
    line, links = one.line, parse(file, one.line, one.links, first)
    shape = []
    for places, known, name in zip((1, 0), (one.target, one.source), ("target", "source"), strict=True):
        reach = max((link[places] for link in links), default=-1) + 1
        if known and reach > len(known) + 1:
            raise file.wrong(line, f"a link to {name} token {reach}, but the sentence has {len(known)}")
        shape.append(max(reach, len(known)))
    if not links and not one.target:
        raise file.wrong(line, "neither links nor words; a sentence needs one or the other")
    steps, length = shape[0], max(shape[1], 1)
    check_counts(file, line, steps, length)
    weights = np.zeros((steps, length), np.float32)
    for link in links:
        weights[link.target, link.source] = link.weight
    possible = tuple((link.source, link.target) for link in links if not link.sure)
    if possible:
        notes += (POSSIBLE.format(len(possible), " ".join(f"{source}-{target}" for source, target in possible)),)
    hard = bool(np.isin(weights, (0, 1)).all())
    return foreign_sentence(file, line, one.source, one.target, weights, hard, notes, possible)


def pharaoh(file: File, second: SecondFile) -> Iterator[Read]:
    """Read one line per sentence: links alone, perhaps with a number or a score, or `source ||| target ||| links`."""
    rows = [text.split("|||", 4) for text in file.lines]
    rows = [row[:1] if len(row) == 2 and is_number(row[1]) and not is_number(row[0]) else row for row in rows]
    numbered = all(NUMBERED_LINE.match(row[-1]) for row in rows if row[-1].strip())

    def line(index: int) -> LinkedLine:
        *words, links = rows[index]
        if len(words) not in (0, 2):
            raise file.wrong(index + 1, f"{len(words) + 1} fields; accepted are links, or source ||| target ||| links")
        number, tab, rest = links.partition("\t") if numbered else ("", "", links)
        if not rest.strip() and not words:
            raise file.wrong(index + 1, "no links")
        place = second.place(int(number), index) if tab else index
        source, target = map(split, words) if words else second.sides(place)
        return LinkedLine(index + 1, rest, source, target)

    second.check(file, any(len(row) == 3 for row in rows))
    return sentences(file, each(range(len(rows)), line), second.first)


def after_text(file: File, second: SecondFile) -> Iterator[Read]:
    """Read `target ||| links`: OpenNMT (-report_align), Marian (--alignment hard or a threshold), Moses."""

    def line(index: int) -> LinkedLine:
        number, target, links = fields(file, index)
        source, known = second.sides(number)
        return LinkedLine(index + 1, links, source, split(target) or known)

    second.check(file, any(text.count("|||") > 2 for text in file.lines))
    return sentences(file, each(range(len(file.lines)), line), second.first)


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

    def line(index: int) -> LinkedLine:
        target, tab, links = file.lines[index].partition("\t")
        if not tab:
            raise file.wrong(index + 1, "no tab; accepted is the translation, a tab, and links such as 0-0 1-1")
        return LinkedLine(index + 1, links, second.sides(index)[0], split(target))

    second.check(file)
    return sentences(file, each(range(len(file.lines)), line), second.first)


def sockeye_json(file: File, second: SecondFile) -> Iterator[Read]:
    """Read Sockeye's JSON of n-best lists: one object per line; each of its translations is a sentence."""

    def lines(index: int) -> list[LinkedLine]:
        number, values = index + 1, file.parse_json(index + 1, file.lines[index])
        names = "translations", "alignments"
        lists: list[Any] = [values.get(name) for name in names] if isinstance(values, dict) else [None, None]
        translations, alignments = lists
        if not all(isinstance(one, list) for one in lists) or not all(isinstance(text, str) for text in translations):
            accepted = '"translations" (texts) and "alignments" (for each a list of links)'
            raise file.wrong(number, f"this is not an object with {accepted}")
        if len(translations) != len(alignments):
            counts = f"{len(translations)} translations but {len(alignments)} alignments"
            raise file.wrong(number, f"{counts}; one each is needed")
        source = second.sides(index)[0]
        texts = zip(alignments, translations, strict=True)
        return [LinkedLine(number, _links(file, number, pairs), source, split(text)) for pairs, text in texts]

    read = each((index for index, text in enumerate(file.lines) if text.strip()), lines)
    return sentences(file, (line for one in read for line in (one if isinstance(one, list) else [one])), second.first)


def _links(file: File, line: int, pairs: Any) -> str:
    """Return pairs of places as links."""
    for pair in pairs if isinstance(pairs, list) else [pairs]:
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(place) is int and place >= 0 for place in pair)
        if not whole:
            written = json.dumps(pair)[:40]
            raise file.wrong(line, f"{written} is not a link; a link is a source and a target place, such as [0, 1]")
    return " ".join(f"{source}-{target}" for source, target in pairs)


def giza(file: File, second: SecondFile) -> Iterator[Read]:
    """Read GIZA++'s three lines a sentence: a heading, the target, and the source with target places from 1."""

    def line(index: int) -> LinkedLine:
        last = index + 3
        target, written = (*file.lines[index + 1 : last], "", "")[:2]
        found = GIZA_WORD.findall(written)
        if " ".join(f"{word} ({{{places} }})" for word, places in found) != " ".join(written.split()) or not found:
            accepted = "accepted are source words, each with its target places, such as NULL ({ }) I ({ 1 2 })"
            raise file.wrong(min(last, len(file.lines)), f"no third line of a sentence pair; {accepted}")
        words = found[1:] if found[0][0] == "NULL" else found
        links = " ".join(f"{place}-{one}" for place, (_, places) in enumerate(words, 1) for one in places.split())
        return LinkedLine(last, links, tuple(word for word, _ in words), split(target))

    return sentences(file, each((at for at, text in enumerate(file.lines) if GIZA.match(text)), line), 1)


def naacl(file: File, second: SecondFile) -> Iterator[Read]:
    """Read gold links of the shared tasks at NAACL 2003 and ACL 2005, one per line; a place 0 is the empty word's."""
    found: dict[int, list[str]] = {}
    begins: dict[int, int] = {}
    wrong = []
    for line, text in enumerate(file.lines, 1):
        if match := NAACL.fullmatch(text):
            number, source, target, kind, value = match.groups()
            begins.setdefault(int(number), line)
            link = f"{source}{'p' if kind == 'P' else '-'}{target}" + (f":{value}" if value else "")
            found.setdefault(int(number), []).extend([link] if int(source) and int(target) else [])
        elif text.strip():
            wrong.append(
                file.wrong(line, f"{quoted(text)} is no link; accepted are sentence, two places from 1, and S or P")
            )

    def sentence(number: int) -> LinkedLine:
        place = second.place(number, number - (min(found) > 0))
        return LinkedLine(begins[number], " ".join(found[number]), *second.sides(place))

    return sentences(file, [*wrong, *each(found, sentence)], 1)


def write_pharaoh(one: ForeignSentence) -> str:
    """Write `source ||| target ||| links`: for each target token its heaviest source token, without `</s>`."""
    source, target = joined(one.alignment.source), joined(one.alignment.target)
    kept = [(s, t) for s, t in links_of(one) if s < len(source) and t < len(target)]
    links = " ".join(f"{s}{'p' if (s, t) in one.possible else '-'}{t}" for s, t in kept)
    return f"{' '.join(source)} ||| {' '.join(target)} ||| {links}\n"


def links_of(foreign: ForeignSentence) -> list[tuple[int, int]]:
    """Return its links, or each target token's heaviest source token; in the order of the source."""
    weights = foreign.alignment.weights
    if foreign.links:
        return [(int(source), int(target)) for source, target in np.argwhere(weights.T > 0)]
    return sorted((int(source), target) for target, source in enumerate(weights.argmax(1)))
