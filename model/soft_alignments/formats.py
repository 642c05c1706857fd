"""Formats of soft alignments: how each is read, written and recognised. This is the only list of them.

`read` takes a file of any of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from regard.model.input_error import InputError
from regard.model.soft_alignments import fairseq, inseq, marian, nematus, opennmt, pharaoh, plain, regard, sockeye
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import CELLS, SENTENCES, File, split


@dataclass(frozen=True)
class Format:
    """A format. `option` is the setting that makes a program write it; `holds` is the data a sentence needs."""

    title: str
    option: str
    file_name: str
    read: Callable[[File, GivenBeside], Iterator[ForeignSentence]]
    write: Callable[[list[ForeignSentence]], str]
    holds: str = "links"  # "links", "weights" or "trace"
    needs_source: bool = False  # without a second file its source tokens are numbered
    counted: bool = False  # true if its links may count from 1
    long: bool = False  # true if a line may have any length


FORMATS: dict[str, Format] = {
    "marian": Format("Marian, soft", "marian-decoder --alignment soft", "marian-soft.txt",
                     marian.read, marian.write, "weights", needs_source=True),
    "hard": Format("Marian, hard · OpenNMT-py, links", "marian-decoder --alignment hard, onmt_translate -report_align",
                   "marian-hard.txt", pharaoh.after_text, pharaoh.write_after_text, needs_source=True),
    "opennmt": Format("OpenNMT-py, table", "onmt_translate -attn_debug", "opennmt-attn-debug.txt",
                      opennmt.read, opennmt.write, "weights"),
    "sockeye": Format("Sockeye, matrix", "sockeye.translate --output-type translation_with_alignment_matrix",
                      "sockeye-matrix.txt", nematus.read, nematus.write_sockeye, "weights"),
    "sockeye_links": Format("Sockeye, links", "sockeye.translate --output-type translation_with_alignments",
                            "sockeye-links.tsv", sockeye.read_tab, sockeye.write_tab, needs_source=True),
    "sockeye_json": Format("Sockeye, JSON", "sockeye.translate --output-type json --nbest-size 2", "sockeye.jsonl",
                           sockeye.read_json, sockeye.write_json, needs_source=True),
    "nematus": Format("Nematus · SoftAlignments", "nematus/translate.py --output_alignment", "nematus.txt",
                      nematus.read, nematus.write_nematus, "weights"),
    "pharaoh": Format("Pharaoh links", "fast_align, eflomal, awesome-align, giza-py", "pharaoh.txt",
                      pharaoh.pharaoh, pharaoh.write_pharaoh, needs_source=True, counted=True),
    "fairseq": Format("fairseq", "fairseq-generate --print-alignment soft", "fairseq.log",
                      fairseq.read, fairseq.write, "weights"),
    "plain": Format("Plain JSON", 'json.dumps({"source": source, "target": target, "weights": weights})',
                    "attention.jsonl", plain.read, plain.write, "weights", long=True),
    "inseq": Format("Inseq", 'FeatureAttributionOutput.save("inseq.json")', "inseq.json",
                    inseq.read, inseq.write, "weights", long=True),
    "trace": Format("Regard, trace", "Trace (JSON) on the Translate screen", "trace.jsonl",
                    regard.read, regard.write, "trace", long=True),
}  # fmt: skip


class ReadFile(NamedTuple):
    """The contents of a file, and the format of `FORMATS` in which it was read."""

    format: str
    sentences: tuple[ForeignSentence, ...]


NOTHING = GivenBeside()


def read(name: str, content: bytes, format_name: str = "", beside: GivenBeside = NOTHING) -> ReadFile:
    """Read all sentences of a file, in the named format or the one it looks like.

    Raises InputError naming file, line, error and accepted values.
    """
    if content.startswith(plain.NPZ):
        return ReadFile("plain", (plain.from_npz(name, content),))
    file = File.decode(name, content)
    if not file.lines:
        raise InputError(f"{name} is empty")
    chosen = format_name or recognise(file)
    if chosen not in FORMATS:
        raise InputError(f"{chosen} is not a format; it must be one of {', '.join(FORMATS)}")
    if not FORMATS[chosen].long:
        file.check_lengths()
    beside.sentences.check_lengths()
    return ReadFile(chosen, tuple(_counted(file, FORMATS[chosen].read(file, beside))))


def _counted(file: File, sentences: Iterator[ForeignSentence]) -> Iterator[ForeignSentence]:
    """Yield the sentences, counting each before the next is read. Raises InputError if there are too many."""
    count = cells = 0
    for count, each in enumerate(sentences, 1):
        cells += each.given.size if each.given else each.alignment.weights.size
        if count > SENTENCES:
            raise file.wrong(each.line, f"this is sentence {count:,}; files of 1 to {SENTENCES:,} sentences are read")
        if cells > CELLS:
            raise file.wrong(
                each.line, f"{cells:,} pairs of tokens in the sentences up to here; up to {CELLS:,} are read of a file"
            )
        yield each
    if not count:
        raise InputError(f"{file.name} has no sentences; files of 1 to {SENTENCES:,} are read")


def writable(foreign: ForeignSentence) -> list[str]:
    """Return the formats that can express a sentence as it is."""
    held = {"links"} | (set() if foreign.links else {"weights"}) | ({"trace"} if foreign.trace is not None else set())
    return [name for name, known in FORMATS.items() if known.holds in held]


def recognise(file: File) -> str:
    """Return the format that a file looks like. Raises InputError if it looks like none."""
    if file.lines[0].lstrip().startswith("{"):
        return _by_keys("\n".join(file.lines))
    for index, text in enumerate(file.lines):
        if not text.strip():
            continue
        below = file.lines[index + 1] if index + 1 < len(file.lines) else ""
        name = _by_line(text, below)
        if name:
            return name
        if not opennmt.LOG.match(text.strip()):
            break
    known = "; ".join(each.title for each in FORMATS.values())
    raise InputError(
        f"{file.name}: this looks like none of the known formats ({known}); choose one to see what is wrong"
    )


def _by_keys(text: str) -> str:
    """Return the format of a file that begins with an object, by the object's names."""
    if '"sequence_attributions"' in text:
        return "inseq"
    if '"alignments"' in text:
        return "sockeye_json"
    return "trace" if '"types"' in text or '"weights"' not in text else "plain"


def _by_line(text: str, below: str) -> str:
    """Return the format that a line begins, or ""."""
    if fairseq.begins(text):
        return "fairseq"
    fields = [field.strip() for field in text.split("|||", 6)]
    if len(fields) in nematus.HEADINGS and nematus.is_heading(text) and not pharaoh.are_links(fields[2]):
        return nematus.HEADINGS[len(fields)]
    if len(fields) == 3 and (pharaoh.are_links(fields[2]) or not fields[2]):
        return "pharaoh"
    if len(fields) > 1:
        attention = fields[1] if len(fields) == 2 else fields[2]
        return "hard" if pharaoh.are_links(attention) or not attention else "marian" if _soft(attention) else ""
    if "\t" in text and pharaoh.are_links(text.partition("\t")[2]):
        return "sockeye_links"
    if pharaoh.are_links(text):
        return "pharaoh"
    return "opennmt" if opennmt.is_row(below) else ""


def _soft(text: str) -> bool:
    """Return True if the text begins with a single number or with numbers separated by commas."""
    try:
        float(split(text)[0].partition(",")[0])
    except ValueError:
        return False
    return True
