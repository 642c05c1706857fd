"""Reader of a file of attention, whichever program wrote it."""

from typing import NamedTuple

from model.soft_alignments.formats import FORMATS, recognise
from model.soft_alignments.record import ForeignSentence, GivenBeside
from model.soft_alignments.text_file import SENTENCES, File


class ReadFile(NamedTuple):
    """What a file has, and in which format of `FORMATS` it was read."""

    format: str
    sentences: tuple[ForeignSentence, ...]


NOTHING = GivenBeside()
LINES = 100 * SENTENCES  # of a file


def read(name: str, content: bytes, format_name: str = "", beside: GivenBeside = NOTHING) -> ReadFile:
    """All sentences of a file, in the named format or in that which it looks like.

    Raises ValueError naming file, line, what is wrong and what is accepted.
    """
    file = File.decode(name, content)
    if not file.lines:
        raise ValueError(f"{name} is empty")
    if len(file.lines) > LINES:
        raise ValueError(f"{name} has {len(file.lines):,} lines; up to {LINES:,} are read")
    chosen = format_name or recognise(file)
    if chosen not in FORMATS:
        raise ValueError(f"{chosen} is no format; it must be one of {', '.join(FORMATS)}")
    sentences = FORMATS[chosen].read(file, beside)
    if not 0 < len(sentences) <= SENTENCES:
        raise ValueError(f"{name} has {len(sentences):,} sentences; files of 1 to {SENTENCES:,} are read")
    return ReadFile(chosen, tuple(sentences))
