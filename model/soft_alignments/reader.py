"""Reader of an attention file of any known program."""

from collections.abc import Iterator
from typing import NamedTuple

from regard.model.input_error import InputError
from regard.model.soft_alignments import plain
from regard.model.soft_alignments.formats import FORMATS, recognise
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import CELLS, SENTENCES, File


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
