"""Formats of soft alignments: how each is read and recognised. This is the only list of them.

`read` takes a file of any of them; three are written: JSON, NPZ and Pharaoh links.
"""

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from regard.model import archive
from regard.model.input_error import InputError, InputWarning, check_choice, naming
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments import json_files, text_formats
from regard.model.soft_alignments.given_attention import CELLS, GivenAttention
from regard.model.soft_alignments.record import File, ForeignSentence, Found, SecondFile, built, split
from regard.model.trace import AnyTrace
from regard.model.uploads.unpacking import directory, members, path_of, read_entry

LOOKED_AT = 2_000  # lines in which a log is looked for
MARKED = 100_000  # characters in which a format's mark is looked for
SENTENCES = 5_000  # per file
SizedT = TypeVar("SizedT", Found | InputError, ForeignSentence | InputError)
OF_OBJECTS = {  # formats by a name in their objects; the first that is found counts
    "sequence_attributions": "inseq",
    "alignments": "sockeye_json",
    "types": "trace",
    "weights": "plain",
}
NEAREST = {  # formats by what a text has; the first that is found counts
    r"\({": ("giza",),
    r"\|\|\|": ("marian", "hard", "nematus"),
    r"^\s*[\[{]": ("plain", "sockeye_json"),
    r"(?m)^[A-Z]-\d": ("fairseq",),
    r"\t": ("sockeye_links", "pharaoh"),
    r"(?m)^\s*\S+(\s+\**\d\.\d+)+\s*$": ("opennmt", "marian"),
    "": ("pharaoh", "marian"),
}


@dataclass(frozen=True)
class Format:
    """A format. `option` is the setting that makes a program write it."""

    title: str
    option: str
    read: Callable[[File, SecondFile], Iterator[Found | InputError]]
    needs_source: bool = False  # without a second file its source tokens are numbered
    counted: bool = False  # true if its links may count from 1


FORMATS: dict[str, Format] = {
    "marian": Format("Marian, soft", "marian-decoder --alignment soft", partial(text_formats.after_text, soft=True),
                     needs_source=True),
    "hard": Format("Marian, hard · OpenNMT-py, links", "marian-decoder --alignment hard, onmt_translate -report_align",
                   text_formats.after_text, needs_source=True, counted=True),
    "opennmt": Format("OpenNMT-py, table", "onmt_translate -attn_debug", text_formats.opennmt),
    "sockeye": Format("Sockeye, matrix", "sockeye.translate --output-type translation_with_alignment_matrix",
                      text_formats.nematus),
    "sockeye_links": Format("Sockeye, links", "sockeye.translate --output-type translation_with_alignments",
                            text_formats.after_tab, needs_source=True, counted=True),
    "sockeye_json": Format("Sockeye, JSON", "sockeye.translate --output-type json --nbest-size 2",
                           text_formats.sockeye_json, needs_source=True, counted=True),
    "nematus": Format("Nematus · SoftAlignments", "nematus/translate.py --output_alignment", text_formats.nematus),
    "pharaoh": Format("Pharaoh links", "fast_align, eflomal, awesome-align, simalign, giza-py", text_formats.pharaoh,
                      needs_source=True, counted=True),
    "naacl": Format("NAACL, gold links", "the shared tasks on word alignment of 2003 and 2005", text_formats.naacl,
                    needs_source=True),
    "giza": Format("GIZA++, A3", "GIZA++, MGIZA++ (*.A3.final)", text_formats.giza),
    "fairseq": Format("fairseq", "fairseq-generate --print-alignment soft", text_formats.fairseq),
    "plain": Format("Plain JSON", 'json.dumps({"source": source, "target": target, "weights": weights})',
                    json_files.plain),
    "inseq": Format("Inseq", 'FeatureAttributionOutput.save("inseq.json")', json_files.inseq),
    "trace": Format("Regard, trace", "Trace (JSON) on the Translate screen", json_files.traces),
}  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A format in which a sentence is written."""

    title: str
    file_name: str
    write: Callable[[ForeignSentence], str | bytes]


WRITTEN = {
    "json": Written(
        "JSON",
        "attention.json",
        lambda one: (archive.to_json(one.trace) if one.trace else json_files.to_json(one)) + "\n",
    ),
    "npz": Written(
        "NPZ", "attention.npz", lambda one: archive.to_npz(one.trace) if one.trace else json_files.to_npz(one)
    ),
    "pharaoh": Written("Pharaoh links", "pharaoh.txt", text_formats.write_pharaoh),
}


class ReadFile(NamedTuple):
    """The contents of a file, the format of `FORMATS` in which it was read, and why sentences were left out."""

    format: str
    sentences: tuple[ForeignSentence, ...]
    left_out: tuple[str, ...] = ()


NOTHING = SecondFile()


def read(
    name: str, content: bytes, format_name: str = "", second: SecondFile = NOTHING, bounded: bool = True
) -> ReadFile:
    """Read all sentences of a file, in the named format or the one it looks like; one that is wrong is left out. A
    screen reads at most `SENTENCES` and `CELLS` (`bounded`).

    Raises InputError naming file, line, error and accepted values if no sentence can be read.
    """
    name, content = _out_of_zip(name, content)
    file = File(name)
    if content.startswith((json_files.NPZ, json_files.NPY)):
        chosen = "trace" if json_files.keeps_trace(content) else "plain"
        items: Iterator[Found | InputError] = iter([json_files.npz(name, content, second)])
    else:
        file = File.decode(name, content)
        if not file.lines:
            raise InputError(f"{name} is empty")
        chosen = format_name or recognise(file)
        check_choice("format", chosen, FORMATS)
        items = FORMATS[chosen].read(file, second)
    items = _bounded(name, items, SENTENCES if bounded else None)
    read = [*_bounded(name, built([*items], second.first), SENTENCES + 1 if bounded else None)]
    sentences = tuple(each for each in read if isinstance(each, ForeignSentence))
    left_out = tuple(str(each) for each in read if isinstance(each, InputError))
    if not sentences and left_out:
        guessed = not format_name and chosen != "plain"
        near = f" (read as {FORMATS[chosen].title}; {_nearest(file, chosen)})" if guessed else ""
        raise InputError(f"{left_out[0]}{near}")
    if not sentences:
        raise InputError(f"{name} has no sentences; files of 1 to {SENTENCES:,} are read")
    return ReadFile(chosen, sentences, left_out)


def _bounded(name: str, items: Iterator[SizedT], most: int | None) -> Iterator[SizedT | InputError]:
    """Yield up to `most` sentences and `CELLS` weights, if there are bounds, then why no more are read."""
    cells = 0
    for count, each in enumerate(items, 1):
        cells += 0 if isinstance(each, InputError) else each.cells
        if most and (count > most or cells > CELLS):
            at = name if isinstance(each, InputError) else f"{name}, line {each.line}"
            yield InputError(
                f"{at}: the first {SENTENCES:,} sentences and {CELLS:,} pairs of tokens are read, which end here"
            )
            return
        yield each


def read_path(path: Any, beside: Any = None, format: Any = None) -> list[GivenAttention | AnyTrace]:
    """Read what another program wrote, or `trace.save`: a list of attentions or traces. See `regard.read`."""
    name, content = _out_of_zip(str(path), _content(path))
    if json_files.keeps_trace(content):
        with naming(name):
            return [archive.from_npz(content)]
    text = content.lstrip()
    if format in (None, "trace") and text.startswith(b"{") and b'"types"' in text:
        found_traces = list[GivenAttention | AnyTrace]()
        for line, one in json_files.objects(File.decode(name, content)):
            with naming(f"{name}, line {line}"):
                found_traces.append(archive.from_json(one))
        return found_traces
    second = NOTHING if beside is None else SecondFile(File.decode(str(beside), _content(beside)))
    found = read(name, content, format or "", second, bounded=False)
    notes = dict.fromkeys(f"{path}: {note}" for one in found.sentences for note in one.notes)
    for reason in (*found.left_out, *notes):
        warnings.warn(reason, InputWarning, 3)
    return [
        one.given or GivenAttention(one.alignment, {"cross": one.alignment.weights[None, None]})
        for one in found.sentences
    ]


def _out_of_zip(name: str, content: bytes) -> tuple[str, bytes]:
    """Return the only file of a zip, by its name, instead of the zip; an NPZ and any other file are returned as they
    are. Raises InputError for a zip with several files."""
    if not content.startswith(json_files.NPZ):
        return name, content
    try:
        archive = directory(content)
    except InputError:  # which the reader of NPZ says
        return name, content
    files = members(archive)
    if any(path_of(entry).endswith(".npy") for entry in files):
        return name, content
    if len(files) != 1:
        raise InputError(f"{name} is a zip of {len(files)} files; accepted is one of attention, or an NPZ")
    if files[0].file_size > ATTENTION_BYTES:
        raise InputError(f"{name}: {files[0].file_size:,} bytes unpacked; up to {ATTENTION_BYTES:,} are read")
    return path_of(files[0]).rpartition("/")[2], read_entry(archive, files[0], "pack the file again")


def _content(path: Any) -> bytes:
    """Return the bytes of a file. Raises InputError if there is none."""
    if not isinstance(path, str | PathLike):
        raise InputError(f"the path is {path!r}; it must be a string or a pathlib.Path")
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def writable(foreign: ForeignSentence) -> list[str]:
    """Return the formats that can express a sentence as it is."""
    return ["pharaoh"] if foreign.links else list(WRITTEN)


def recognise(file: File) -> str:
    """Return the format that a file looks like. Raises InputError if it looks like none."""
    if re.match(r"\s*(\[\s*)?\{", "\n".join(file.lines[:LOOKED_AT])):
        text = "\n".join(file.lines)
        return next((name for key, name in OF_OBJECTS.items() if f'"{key}"' in text), "trace")
    for index, text in enumerate(file.lines):
        if not text.strip():
            continue
        below = file.lines[index + 1] if index + 1 < len(file.lines) else ""
        name = _by_line(text, below)
        if name == "hard" and text.count("|||") == 2:  # a number first; but is it a score in every line?
            firsts = [line.partition("|||")[0] for line in file.lines[:LOOKED_AT] if line.strip()]
            return "hard" if all(map(text_formats.is_number, firsts)) else "pharaoh"
        if name:
            return name
        if not text_formats.LOG.match(text.strip()):
            break
    if any(text_formats.FAIRSEQ.fullmatch(text) for text in file.lines[:LOOKED_AT]):
        return "fairseq"
    if any(
        text_formats.is_row(below) and split(above)
        for above, below in zip(file.lines[:LOOKED_AT], file.lines[1:], strict=False)
    ):
        return "opennmt"
    known = "; ".join(each.title for each in FORMATS.values())
    raise InputError(f"{file.name}: this looks like none of the known formats ({known}); {_nearest(file)}")


def _nearest(file: File, read_as: str = "") -> str:
    """Say which formats other than `read_as` come nearest to what a file has, and why it is not in them."""
    text = "\n".join(file.lines[:LOOKED_AT])[:MARKED]
    reasons = []
    for name in next(names for mark, names in NEAREST.items() if re.search(mark, text)):
        items = [*islice(FORMATS[name].read(File(file.name, file.lines[:LOOKED_AT]), NOTHING), 1)]
        first = next(built(items), None) if name != read_as else None
        reasons += [f"{FORMATS[name].title} ({first})"] if isinstance(first, InputError) else []
    return f"nearest {'are' if len(reasons) > 1 else 'is'} {' and '.join(reasons)}" if reasons else "choose a format"


def _by_line(text: str, below: str) -> str:
    """Return the format that a line begins, or ""."""
    if text_formats.FAIRSEQ.fullmatch(text):
        return "fairseq"
    if text_formats.GIZA.match(text):
        return "giza"
    if text_formats.NAACL.fullmatch(text):
        return "naacl"
    fields = [field.strip() for field in text.split("|||", 6)]
    if len(fields) in text_formats.HEADINGS and text_formats.is_heading(text) and not text_formats.are_links(fields[2]):
        return text_formats.HEADINGS[len(fields)]
    if len(fields) > 1:
        return _by_fields(fields)
    before, tab, after = text.partition("\t")
    if tab and text_formats.are_links(after):
        return "pharaoh" if before.strip().isdecimal() else "sockeye_links"
    if text_formats.are_links(text):
        return "pharaoh"
    return "opennmt" if text_formats.is_row(below) else ""


def _by_fields(fields: list[str]) -> str:
    """Return the format of a line with fields between |||; a number alone before the others is a score."""
    if len(fields) == 2 and text_formats.are_links(fields[0]) and text_formats.is_number(fields[1]):
        return "pharaoh"
    attention = fields[1] if len(fields) == 2 else fields[2]
    if text_formats.are_links(attention) or not attention:
        return "pharaoh" if len(fields) == 3 and not text_formats.is_number(fields[0]) else "hard"
    return "marian" if text_formats.is_number(split(attention)[0].partition(",")[0]) else ""
