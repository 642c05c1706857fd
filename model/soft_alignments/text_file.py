"""Text file from a stranger: its lines, and what is wrong with one of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from regard.model.input_error import InputError

BYTES = 20_000_000  # of a file
LINES = 500_000  # of a file
CHARACTERS = 1_000_000  # of a line; a trace has more
SENTENCES = 5_000  # in a file
TOKENS = 150  # of one side of a sentence; every pair of them is a cell on screen
CELLS = 2_000_000  # pairs of tokens in all sentences of a file

_TOKEN = re.compile(r"[^ \t]+")
_LONGEST_QUOTE = 40


@dataclass(frozen=True)
class File:
    """Text by lines. A line's number counts from 1, as editors count."""

    name: str
    lines: tuple[str, ...] = ()

    @classmethod
    def decode(cls, name: str, content: bytes) -> "File":
        """Raises InputError for a file that is too large or not UTF-8."""
        if len(content) > BYTES:
            raise InputError(f"{name} has {len(content):,} bytes; up to {BYTES:,} are read")
        count = content.count(b"\n") + 1
        if count > LINES:
            raise InputError(f"{name} has {count:,} lines; up to {LINES:,} are read")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise InputError(f"{name}, line {line}: this is not text in UTF-8 ({error.reason})") from error
        lines = text.replace("\r\n", "\n").split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        return cls(name, tuple(lines))

    def check_lengths(self) -> None:
        """Raises InputError where a line is too long for a sentence."""
        for number, text in enumerate(self.lines, 1):
            if len(text) > CHARACTERS:
                raise self.wrong(number, f"{len(text):,} characters; up to {CHARACTERS:,} are read of a line")

    def wrong(self, line: int, reason: str) -> InputError:
        """What is wrong in a line and what is accepted, to be raised."""
        return InputError(f"{self.name}, line {line}: {reason}")


def tokens_of(text: str) -> Iterator[str]:
    """The tokens of a line, one after the other."""
    return (token[0] for token in _TOKEN.finditer(text))


def split(text: str) -> tuple[str, ...]:
    """The tokens of a line; of too many so many that it shows."""
    return tuple(islice(tokens_of(text), TOKENS + 2))


def quoted(text: str) -> str:
    """Part of a file within a sentence; what is long is cut."""
    return f"“{text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + '…'}”"
