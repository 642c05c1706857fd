"""Formats of links and of matrices in text: a reader each, which yields what a sentence has.

Pharaoh (fast_align, eflomal)        0-0 1-2                or `source ||| target ||| links`, or `links ||| score`
    simalign, awesome-align          3 TAB 0-0 2p1          with the sentence's number; p for links only possible
    giza-py                          7-0:0.2266             with a probability
Marian, OpenNMT, Moses               target ||| links       in n-best lists and with scores: `number ||| target ||| ...`
Sockeye                              target TAB links       or JSON: {"translations": [...], "alignments": [[[0, 0]]]}
NAACL (WPT), gold                    1 2 3 S                a line a link: sentence, places from 1, sure or possible
GIZA++ (*.A3.final)                  three lines            # Sentence pair (1) ..., target, NULL ({ }) source ({ 1 2 })

Marian, soft           target ||| 0.9,0.1 0.2,0.8       the weights of one target token are separated by commas
OpenNMT-tf, soft       target ||| 0.9 0.1 ; 0.2 0.8     or by blanks, and target tokens by semicolons
fairseq                S-0, H-0 and A-0 TAB ...         lines of its log; A- has links or Marian's weights
OpenNMT-py             a table                          source tokens across, a row for each target token
Nematus, amun, Lua     id ||| target ||| score ||| source ||| S T        then a row for each target token
Sockeye 1              id ||| target ||| score ||| source ||| S ||| T    then a row for each source token

The end of the source sentence has a weight if the program kept it, and so has the end of the target. A number alone
before a translation is its score.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby, islice, repeat
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.soft_alignments.given_attention import TOKENS
from regard.model.soft_alignments.json_files import parse_json
from regard.model.soft_alignments.record import (
    LINK,
    File,
    ForeignSentence,
    Found,
    LineError,
    SecondFile,
    each,
    parse_weight,
    quoted,
    split,
)
from regard.model.soft_alignments.tokens import joined
from regard.model.words import END

NUMBER = re.compile(r"\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*|\s*(?:-inf|nan)\s*")
SCORE = re.compile(r"\s*[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?\s*")
NUMBERED_LINE = re.compile(r"\s*\d+\t")
NAACL = re.compile(r"\s*(\d{1,9})[ \t]+(\d{1,6})[ \t]+(\d{1,6})(?:[ \t]+([SP]))?(?:[ \t]+([\d.eE+-]+))?\s*")
GIZA = re.compile(r"# Sentence pair \((\d{1,9})\)")
GIZA_WORD = re.compile(r"(\S{1,200}) \(\{((?: \d{1,6})*) \}\)")
LOG = re.compile(r"\[|SENT |PRED |GOLD |ALIGN: |BEST HYP|ESTIM ")
TABLE_ROW = re.compile(r"[ \t]*[^ \t]+(?:[ \t]+\**\d[\d.e+-]*)+[ \t]*")
FAIRSEQ = re.compile(r"([A-Z])-(\d{1,9})\t(.*)")  # a line of its log
ROW, COLUMN = 10, 7  # characters kept of a name in OpenNMT-py's table
CUT = f"OpenNMT-py cuts names to {COLUMN} characters above and {ROW} beside the table; longer ones are not whole."
HEADINGS = {5: "nematus", 6: "sockeye"}  # by the number of fields
HEADING = "id ||| target ||| score ||| source ||| and how many tokens the source and the target have"

FoundOrNot = Iterator[Found | InputError]


def are_links(text: str) -> bool:
    """True if a line has links and nothing else."""
    tokens = split(text)
    return bool(tokens) and all(LINK.fullmatch(token) for token in dict.fromkeys(tokens))


def is_number(text: str) -> bool:
    """True for a number alone, which is a score or the number of a sentence."""
    return bool(NUMBER.fullmatch(text[:50]))


def pharaoh(file: File, second: SecondFile) -> FoundOrNot:
    """Read one line per sentence: links alone, perhaps with a number or a score, or `source ||| target ||| links`."""
    rows = [text.split("|||", 4) for text in file.lines]
    rows = [row[:1] if len(row) == 2 and is_number(row[1]) and not is_number(row[0]) else row for row in rows]
    numbered = all(NUMBERED_LINE.match(row[-1]) for row in rows if row[-1].strip())

    def line(index: int) -> Iterator[Found]:
        *words, links = rows[index]
        if len(words) not in (0, 2):
            raise InputError(f"{len(words) + 1} fields; accepted are links, or source ||| target ||| links")
        number, tab, rest = links.partition("\t") if numbered else ("", "", links)
        if not rest.strip() and not words:
            raise InputError("no links")
        place = second.place(int(number), index) if tab else index
        source, target = map(split, words) if words else second.sides(place)
        yield Found(source, target, rest)

    second.check(file, any(len(row) == 3 for row in rows))
    return each(file, enumerate(range(len(rows)), 1), line)


def after_text(file: File, second: SecondFile, soft: bool = False) -> FoundOrNot:
    """Read `target ||| links`: OpenNMT (-report_align), Marian (--alignment hard or a threshold), Moses; or the weights
    of soft alignments in place of links."""

    def line(content: tuple[int, str]) -> Iterator[Found]:
        number, written, attention = _fields(*content)
        source, known = second.sides(number)
        target = split(written) or known
        if not soft:
            yield Found(source, target, attention)
            return
        rows: list[Sequence[str]] = [row.split(",", TOKENS + 1) for row in split(attention)]
        if ";" in attention:
            rows = [split(row) for row in attention.split(";", TOKENS + 1) if row.strip()]
        elif len(target) == 1 and len(rows) > 2 and "," not in attention:  # a row of OpenNMT-tf needs no semicolon
            rows = [split(attention)]
        if not rows:
            raise InputError("no weights behind |||; accepted are numbers separated by commas, such as 0.9,0.1")
        yield Found(source, target or (END,), rows=_matrix(rows), closed=True)

    second.check(file, any(text.count("|||") > 2 for text in file.lines))
    return each(file, enumerate(enumerate(file.lines), 1), line)


def _fields(index: int, text: str) -> tuple[int, str, str]:
    """Return the sentence's number, its target and the field about attention. A number alone before the target is a
    score, in n-best lists, where more follows, the sentence's number."""
    parts = text.split("|||")
    if len(parts) == 2:
        return index, "" if SCORE.fullmatch(parts[0][:50]) else parts[0], parts[1]
    if len(parts) == 3 and is_number(parts[0]):
        return index, parts[1], parts[2]
    if len(parts) >= 4 and re.fullmatch(r" *\d{1,9} *", parts[0]):
        return int(parts[0]), parts[1], parts[2]
    accepted = "target ||| weights, or in an n-best list number ||| target ||| weights ||| features ||| score"
    raise InputError(f"{len(parts)} fields between |||; accepted is {accepted}")


def after_tab(file: File, second: SecondFile) -> FoundOrNot:
    """Read Sockeye's `target TAB links` (translation_with_alignments): links of weights above a threshold."""

    def line(index: int) -> Iterator[Found]:
        target, tab, links = file.lines[index].partition("\t")
        if not tab:
            raise InputError("no tab; accepted is the translation, a tab, and links such as 0-0 1-1")
        yield Found(second.sides(index)[0], split(target), links)

    second.check(file)
    return each(file, enumerate(range(len(file.lines)), 1), line)


def sockeye_json(file: File, second: SecondFile) -> FoundOrNot:
    """Read Sockeye's JSON of n-best lists: one object per line; each of its translations is a sentence."""

    def line(content: tuple[int, str]) -> Iterator[Found]:
        values = parse_json(content[1])
        names = "translations", "alignments"
        lists: list[Any] = [values.get(name) for name in names] if isinstance(values, dict) else [None, None]
        translations, alignments = lists
        if not all(isinstance(one, list) for one in lists) or not all(isinstance(text, str) for text in translations):
            accepted = '"translations" (texts) and "alignments" (for each a list of links)'
            raise InputError(f"this is not an object with {accepted}")
        if len(translations) != len(alignments):
            counts = f"{len(translations)} translations but {len(alignments)} alignments"
            raise InputError(f"{counts}; one each is needed")
        source = second.sides(content[0])[0]
        for text, pairs in zip(translations, alignments, strict=True):
            yield Found(source, split(text), _links_of_pairs(pairs))

    return each(file, ((at + 1, (at, text)) for at, text in enumerate(file.lines) if text.strip()), line)


def _links_of_pairs(pairs: Any) -> str:
    for pair in pairs if isinstance(pairs, list) else [pairs]:
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(place) is int and place >= 0 for place in pair)
        if not whole:
            written = json.dumps(pair)[:40]
            raise InputError(f"{written} is not a link; a link is a source and a target place, such as [0, 1]")
    return " ".join(f"{source}-{target}" for source, target in pairs)


def giza(file: File, second: SecondFile) -> FoundOrNot:
    """Read GIZA++'s three lines a sentence: a heading, the target, and the source with target places from 1."""

    def lines(block: Sequence[str]) -> Iterator[Found]:
        target, written = (*block, "", "")[:2]
        words = GIZA_WORD.findall(written)
        if " ".join(f"{word} ({{{places} }})" for word, places in words) != " ".join(written.split()) or not words:
            accepted = "accepted are source words, each with its target places, such as NULL ({ }) I ({ 1 2 })"
            raise InputError(f"no third line of a sentence pair; {accepted}")
        words = words[1:] if words[0][0] == "NULL" else words
        links = " ".join(f"{place}-{one}" for place, (_, places) in enumerate(words, 1) for one in places.split())
        yield Found(tuple(word for word, _ in words), split(target), links, first=1)

    heads = (at for at, text in enumerate(file.lines) if GIZA.match(text))
    return each(file, ((min(at + 3, len(file.lines)), file.lines[at + 1 : at + 3]) for at in heads), lines)


def naacl(file: File, second: SecondFile) -> FoundOrNot:
    """Read gold links of the shared tasks at NAACL 2003 and ACL 2005, one per line; a place 0 is the empty word's."""
    links: dict[int, list[str]] = {}  # by the sentence's number
    begins: dict[int, int] = {}
    for line, text in enumerate(file.lines, 1):
        if match := NAACL.fullmatch(text):
            number, source, target, kind, value = match.groups()
            begins.setdefault(int(number), line)
            link = f"{source}{'p' if kind == 'P' else '-'}{target}" + (f":{value}" if value else "")
            links.setdefault(int(number), []).extend([link] if int(source) and int(target) else [])
        elif text.strip():
            accepted = "accepted are sentence, two places from 1, and S or P"
            yield InputError(f"{file.name}, line {line}: {quoted(text)} is no link; {accepted}")

    def sentence(number: int) -> Iterator[Found]:
        place = second.place(number, number - (min(links) > 0))
        yield Found(*second.sides(place), " ".join(links[number]), first=1)

    yield from each(file, ((line, number) for number, line in begins.items()), sentence)


def _matrix(rows: Sequence[Sequence[str]], below: Iterable[int] = repeat(0)) -> Float[ndarray, "R C"]:
    """Parse rows of equal length; `below` has how many lines each row is below the first of its sentence."""
    weights = []
    for place, row in zip(below, rows, strict=False):
        try:
            if len(row) != len(rows[0]):
                raise InputError(f"{len(row)} weights in a row; the rows before it have {len(rows[0])}")
            weights.append([*map(parse_weight, row)])
        except InputError as error:
            raise LineError(str(error), place) from error
    return np.array(weights, dtype=np.float32)


def fairseq(file: File, second: SecondFile) -> FoundOrNot:
    """Read a sentence for each A- line of `fairseq-generate --print-alignment`; other lines are ignored.

    Lines of one sentence share its number; a sentence has several H- and A- with `--nbest`.
    """
    sides: dict[tuple[str, str], tuple[str, ...]] = {}  # by the kind of line and the sentence's number

    def attention(content: tuple[str, str]) -> Iterator[Found]:
        number, text = content
        if ("H", number) not in sides:
            raise InputError("no H- line of this sentence before; accepted are lines S-, H- and A- of the same number")
        source, target = sides.get(("S", number), ()), sides["H", number]
        if are_links(text) or not text.strip():
            yield Found(source, target, text, first=0)
        else:
            rows = [row.split(",", TOKENS + 1) for row in split(text)]
            yield Found(source, target or (END,), rows=_matrix(rows))

    for line, text in enumerate(file.lines, 1):
        match = FAIRSEQ.fullmatch(text)
        kind, number, content = match.groups() if match else ("", "", "")
        if kind in ("S", "H"):
            sides[kind, number] = split(content if kind == "S" else content.partition("\t")[2])
        elif kind == "A":
            yield from each(file, [(line, (number, content))], attention)


def is_row(text: str) -> bool:
    """True if a line is a name followed by numbers, as in OpenNMT-py's table."""
    return bool(TABLE_ROW.fullmatch(text))


def opennmt(file: File, second: SecondFile) -> FoundOrNot:
    """Read OpenNMT-py's table (-attn_debug), one per sentence.

                      Indien        und      Japan
         India  *0.7271880  0.0094570  0.0841424

    The largest weight of a row has a star. Row names are cut to ten characters and column names to seven; a file with
    the source restores those. Log lines in between are skipped.
    """
    lines = [
        (number, text) for number, text in enumerate(file.lines, 1) if text.strip() and not LOG.match(text.strip())
    ]

    def table(content: tuple[int, tuple[str, ...], list[str]]) -> Iterator[Found]:
        place, above, rows = content
        beside = tuple(split(text)[0] for text in rows)
        if not above:
            raise InputError("a row of weights, but no source tokens above it")
        weights = _matrix([[number.lstrip("*") for number in split(text)[1:]] for text in rows], count())
        source = second.sides(place)[0]
        cut = max(map(len, beside)) >= ROW or (not source and max(map(len, above)) >= COLUMN)
        yield Found(source, rows=weights, names=(above, beside), notes=(CUT,) * cut)

    tables, above = 0, ()
    for rows, group in groupby(lines, lambda one: is_row(one[1]) and not one[1].startswith(" " * (ROW + 1))):
        if rows:
            found = [*islice(group, TOKENS + 1)]
            yield from each(file, [(found[0][0], (tables, above, [text for _, text in found]))], table)
            tables, above = tables + 1, ()
        else:
            above = split(deque(group, 1)[0][1])


def is_heading(text: str) -> bool:
    """True if a line heads a matrix of Nematus or Sockeye, with the numbers of tokens at its end."""
    counts = text.split("|||", 6)[4:]
    return 1 <= len(counts) <= 2 and all(count.isdecimal() for part in counts for count in split(part))


def nematus(file: File, second: SecondFile) -> FoundOrNot:
    """Read the matrices of Nematus or Sockeye, below their headings; the counts are not always filled in, so that rows
    are tried both ways. Those of Sockeye belong to source tokens, by its heading."""

    def block(lines: Sequence[str]) -> Iterator[Found]:
        heading, *below = lines
        fields = heading.split("|||")
        if len(fields) not in HEADINGS:
            raise InputError(f"{len(fields)} fields between |||, where a sentence begins with {HEADING}")
        if not below:
            raise InputError("no rows of weights below the heading; a row is numbers separated by blanks")
        source, target = split(fields[3]) or (END,), split(fields[1]) or (END,)
        weights = _matrix([split(text) for text in below], count(1))
        yield Found(source, target, rows=weights, by_source=HEADINGS[len(fields)] == "sockeye")

    line, lines = 0, file.lines
    while line < len(lines):
        end = line + 1
        if lines[line].strip():
            while end < len(lines) and lines[end].strip() and "|||" not in lines[end]:
                end += 1
            yield from each(file, [(line + 1, lines[line : min(end, line + TOKENS + 2)])], block)
        line = end


def write_pharaoh(one: ForeignSentence) -> str:
    """Write `source ||| target ||| links`: the links of the file, or for each target token its heaviest source token,
    without `</s>`."""
    source, target = joined(one.alignment.source), joined(one.alignment.target)
    inside = [(s, t) for s, t in links_of(one) if s < len(source) and t < len(target)]
    links = " ".join(f"{s}{'p' if (s, t) in one.possible else '-'}{t}" for s, t in inside)
    return f"{' '.join(source)} ||| {' '.join(target)} ||| {links}\n"


def links_of(foreign: ForeignSentence) -> list[tuple[int, int]]:
    """Return its links, or each target token's heaviest source token; in the order of the source."""
    weights = foreign.alignment.weights
    if foreign.links:
        return [(int(source), int(target)) for source, target in np.argwhere(weights.T > 0)]
    return sorted((int(source), target) for target, source in enumerate(weights.argmax(1)))
