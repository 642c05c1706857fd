"""Text input: untrusted bytes as lines to translate, each with its reference and word links, if any.

A line is English, or English TAB French, or both, with words separated by blanks, TAB links such as `0-0 1p2` (Pharaoh
format, source-target from 0; p marks a link that is only possible). Columns of numbers, as in Tatoeba's `id text id
text`, are left out. Corrections are reported, and an empty line keeps its place.

Sentences are split by one rule: a sentence ends at `.`, `!`, `?` or `…` before a blank and a capital, digit or quote.
No split follows a title (`Mr.`), an abbreviation (`e.g.`, `Mt.`) or an initial (`J.`). One that may also end a sentence
(`p.m.`, `U.S.`, `Inc.`, `Jan.`) ends it before a word that opens sentences (`He`, `The`). Limitation: a sentence that
begins in lower case is joined to the one before.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from regard.model.data.corpus import number_columns, without
from regard.model.input_error import InputError
from regard.model.readable import SENTENCE_CHARACTERS, TEXT_BYTES
from regard.model.soft_alignments.record import LINK
from regard.model.word_alignment.alignment_error_rate import GoldPair, read_marks
from regard.model.words import ONE_WIDTH, visible, visible_note

RULE = "a sentence ends at . ! ? or … before a capital, a digit or a quote, but not after Mr., e.g. or an initial"
_ABBREVIATIONS = frozenset(
    """mr mrs ms mx messrs dr prof st mt ft sen rep gov gen col capt cpt lt sgt maj adm rev hon pres supt vs fig figs
    vol pp ed eds cf approx ca est e.g i.e viz tel ext art sec ch mme mlle""".split()
)
_MAY_END = frozenset(
    """jr sr no etc inc ltd co corp bros llc dept univ ave blvd rd jan feb mar apr jun jul aug sep sept oct nov dec mon
    tue tues wed thu thur thurs fri al ph.d""".split()
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # U.S, p.m, D.C
_OPENS = re.compile(
    r"\s+[\"'“‘(\[]?(?:I|He|She|It|We|You|They|The|A|An|This|That|These|Those|There|Here|But|And|So|Then|My|His|Her|Our|"
    r"Their|In|On|At|When|If|What|Who|Why|How|Where|After|Before|Now|Yes|No)(?:\b(?!\.)|')"
)
_END = re.compile(r"""[.!?…]+["'”’)\]]*(?=\s+["'“‘(\[]?[A-Z0-9À-Þ])""")
_LAST = re.compile(r"([\w.]+)\.$")


def sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph in order, without the blanks around them."""
    found, start = [], 0
    for end in _END.finditer(paragraph):
        before = _LAST.search(paragraph[start : end.end()])
        word = before[1].lower() if before else ""
        initial = word in _ABBREVIATIONS or (len(word) == 1 and word != "i" and word.isalpha())
        may_end = word in _MAY_END or _INITIALS.fullmatch(word)
        if initial or (may_end and not _OPENS.match(paragraph, end.end())):
            continue
        found.append(paragraph[start : end.end()].strip())
        start = end.end()
    return [*found, paragraph[start:].strip()]


LINES = 1000  # sentences in a text
NAMED = 5  # lines named in one note
FOREIGN = 0.5  # share of letters outside the Latin alphabet that is reported


@dataclass(frozen=True)
class TextLine:
    """A sentence, its number in the text and its line in the file, both from 1."""

    number: int
    line: int
    source: str
    reference: str = ""
    gold: GoldPair | None = None


@dataclass(frozen=True)
class TextToTranslate:
    """A text to translate; `notes` report the corrections made."""

    lines: tuple[TextLine, ...]
    notes: tuple[str, ...] = ()


def read(content: bytes, languages: tuple[str, str], split: bool = True) -> TextToTranslate:
    """Read a text. With `split`, lines with several sentences and no reference are divided.

    Raises InputError if it is not text, empty or too large.
    """
    decoded, notes = decode(content)
    raw = decoded.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while raw and not raw[-1].strip():
        raw.pop()
    if not raw:
        raise InputError("the text is empty; expected are lines in plain text")
    rows, left_out = _text_columns(raw, languages)
    notes += left_out
    long = [number for number, row in enumerate(rows, 1) if max(map(len, row)) > SENTENCE_CHARACTERS]
    lines, wrong = [], []
    for number, row in enumerate(rows, 1):
        try:
            lines += _sentences(number, row, languages, split)
        except InputError as error:
            wrong.append(str(error))
            lines.append(_line(number, row[:2]))
        if len(lines) > LINES:
            break
    divided = len({line.line for line in lines if line.source}), sum(bool(line.source) for line in lines)
    notes += [f"{_named(long)} cut at {SENTENCE_CHARACTERS:,} characters."] if long else []
    notes += (
        [f"{divided[0]} lines were divided into {divided[1]} sentences: {RULE}."] if divided[0] < divided[1] else []
    )
    notes += [f"{error}; its links are left out." for error in wrong[:NAMED]]
    if len(lines) > LINES:
        notes.append(f"The text has {len(raw):,} lines; its first {LINES:,} sentences are read.")
    numbered = zip(count(1), lines[:LINES], strict=False)
    text = TextToTranslate(tuple(replace(line, number=number) for number, line in numbered))
    return replace(text, notes=tuple(notes + _foreign(text)))


def _text_columns(lines: list[str], languages: tuple[str, str]) -> tuple[list[list[str]], list[str]]:
    """Return the columns of each line that are text or links, without invisible characters, and what was left out."""
    language = next((one for one in languages if one not in ONE_WIDTH), languages[0])  # that keeps widths
    rows, notes = [visible(line, language).split("\t") for line in lines], list[str]()
    if numbers := number_columns(rows, texts=1):
        columns = " and ".join(str(place + 1) for place in numbers)
        notes.append(f"Columns of numbers, such as ids, are left out: column {columns}.")
        rows = [without(row, numbers) or [""] for row in rows]
    if changed := [number for number, line in enumerate(lines, 1) if visible(line, language) != line]:
        notes.append(f"{_named(changed)} changed: {visible_note(' '.join(lines), language)}.")
    remarks = [
        number for number, row in enumerate(rows, 1) if any(row[2:]) and not any(map(LINK.fullmatch, row[2].split()))
    ]
    if remarks:
        notes.append(f"{_named(remarks)} read without a third column, which has no links such as 0-0.")
        for number in remarks:
            del rows[number - 1][2:]
    return rows, notes


def decode(content: bytes) -> tuple[str, list[str]]:
    """Return the text and notes on its encoding: UTF-8, else UTF-16 with its mark, else Windows-1252."""
    if len(content) > TEXT_BYTES:
        raise InputError(f"the text has {len(content):,} bytes; up to {TEXT_BYTES:,} are read")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace").lstrip("\ufeff"), ["It was read as UTF-16."]
    if b"\0" in content:
        raise InputError("this is no plain text: it has zero bytes, as programs, pictures and archives have")
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        told = f"Line {line} is not UTF-8, so the text was read as Windows-1252, the encoding of Western Europe."
        return content.decode("cp1252", errors="replace"), [told]


def _sentences(number: int, parts: list[str], languages: tuple[str, str], split: bool) -> Iterator[TextLine]:
    """Yield the sentences of one line. Raises InputError if its links are invalid."""
    if len(parts) == 1 and split:
        yield from (_line(number, [sentence]) for sentence in sentences(parts[0][:SENTENCE_CHARACTERS].strip()))
    elif len(parts) > 2 and parts[2].strip():
        yield _linked(number, parts, languages)
    else:
        yield _line(number, parts)


def _line(number: int, parts: list[str]) -> TextLine:
    source, reference = (part.strip()[:SENTENCE_CHARACTERS] for part in (*parts, "")[:2])
    return TextLine(0, number, source, reference)


def _linked(number: int, parts: list[str], languages: tuple[str, str]) -> TextLine:
    source, target = (" ".join(part[:SENTENCE_CHARACTERS].split()) for part in parts[:2])
    try:
        marks = read_marks(parts[2], len(source.split(" ")), len(target.split(" ")))
    except InputError as error:
        raise InputError(f"the text, line {number}: {error}") from error
    gold = GoldPair(str(number), source, target, marks.sure, marks.sure | marks.possible)
    one, other = gold.joined(languages)
    return TextLine(0, number, one.text, other.text, gold)


def _foreign(text: TextToTranslate) -> list[str]:
    letters = [character for line in text.lines for character in line.source[:100] if character.isalpha()]
    other = sum(character > "\u024f" for character in letters)
    if letters and other > FOREIGN * len(letters):
        return ["Most of its letters are not of the Latin alphabet; the model knows them byte by byte at best."]
    return []


def _named(numbers: list[int]) -> str:
    more = f" and {len(numbers) - NAMED:,} more" if len(numbers) > NAMED else ""
    named = ", ".join(map(str, numbers[:NAMED]))
    return f"Lines {named}{more} were" if len(numbers) > 1 else f"Line {named} was"
