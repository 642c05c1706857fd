"""Text file from a stranger: its lines, and what is wrong with one of them."""

import re
from dataclasses import dataclass

BYTES = 20_000_000  # of a file
SENTENCES = 5_000  # in a file
TOKENS = 150  # of one side of a sentence; every pair of them is a cell on screen

_BLANKS = re.compile(r"[ \t]+")
_LONGEST_QUOTE = 40


@dataclass(frozen=True)
class File:
    """Text by lines. A line's number counts from 1, as editors count."""

    name: str
    lines: tuple[str, ...] = ()

    @classmethod
    def decode(cls, name: str, content: bytes) -> "File":
        """Raises ValueError for a file that is too large or not UTF-8."""
        if len(content) > BYTES:
            raise ValueError(f"{name} has {len(content):,} bytes; up to {BYTES:,} are read")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ValueError(f"{name}, line {line}: this is not text in UTF-8 ({error.reason})") from error
        lines = text.replace("\r\n", "\n").split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        return cls(name, tuple(lines))

    def wrong(self, line: int, reason: str) -> ValueError:
        """What is wrong in a line and what is accepted, to be raised."""
        return ValueError(f"{self.name}, line {line}: {reason}")


def split(text: str) -> tuple[str, ...]:
    """The tokens of a line."""
    return tuple(token for token in _BLANKS.split(text) if token)


def quoted(text: str) -> str:
    """Part of a file within a sentence; what is long is cut."""
    return f"“{text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + '…'}”"
