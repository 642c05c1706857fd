"""Untrusted text file: its lines, and errors that name one."""

import codecs
import gzip
import json
import re
import zlib
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Any

from regard.model.input_error import InputError
from regard.model.readable import ATTENTION_BYTES

LINES = 500_000  # per file
CHARACTERS = 1_000_000  # per line; a trace has more
SENTENCES = 5_000  # per file
TOKENS = 150  # per side of a sentence; every pair of them is a cell on screen
BRACKETS = 100_000  # opening brackets in the JSON of a sentence
CELLS = 2_000_000  # pairs of tokens in all sentences of a file
LONGEST_NAME = 200  # characters of a token, a word or a name in JSON and NPZ
HIGHEST = 1.001  # largest accepted weight: 1, and some rounding

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TOKEN = re.compile(r"[^ \t]+")
_LONGEST_QUOTE = 40


@dataclass(frozen=True)
class File:
    """Text by lines. Line numbers count from 1, as in editors."""

    name: str
    lines: tuple[str, ...] = ()
    blank: int = 0  # blank lines at the end, which `lines` lacks

    @property
    def total(self) -> int:
        """The number of lines, with those."""
        return len(self.lines) + self.blank

    @classmethod
    def decode(cls, name: str, content: bytes) -> "File":
        """Decode a file, also from gzip and from UTF-16 with its mark. Raises InputError if it is too large or neither
        that nor UTF-8.
        """
        if content.startswith(b"\x1f\x8b"):
            content = _unpacked(name, content)
        if len(content) > ATTENTION_BYTES:
            raise InputError(f"{name} has {len(content):,} bytes; up to {ATTENTION_BYTES:,} are read")
        count = content.count(b"\n") + 1
        if count > LINES:
            raise InputError(f"{name} has {count:,} lines; up to {LINES:,} are read")
        try:
            text = content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise InputError(f"{name}, line {line}: this is not text in UTF-8 ({error.reason})") from error
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
        total = len(lines)
        while lines and not lines[-1].strip():
            lines.pop()
        return cls(name, tuple(lines), total - len(lines))

    def check_lengths(self) -> None:
        """Check the lengths of the lines. Raises InputError for a line too long for a sentence."""
        for number, text in enumerate(self.lines, 1):
            if len(text) > CHARACTERS:
                raise self.wrong(number, f"{len(text):,} characters; up to {CHARACTERS:,} are read of a line")

    def check_brackets(self, line: int, text: str, most: int = BRACKETS) -> None:
        """Check how much a text of JSON can hold, before it is parsed at once: a list takes twenty times as much
        memory as its two characters, a million names a second."""
        for count, limit, of in (
            (text.count("[") + text.count("{"), most, "lists and objects"),
            (text.count(":"), 2 * most, "names"),
            (text.count(","), CELLS, "values"),
        ):
            if count > limit:
                raise self.wrong(line, f"{count:,} {of}; up to {limit:,} are read")

    def parse_json(self, line: int, text: str, most: int = BRACKETS) -> Any:
        """Parse the JSON that begins at a line. Raises InputError if it is none, or has more than `most` brackets."""
        self.check_brackets(line, text, most)
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            place = line + error.lineno - 1
            raise self.wrong(place, f"this is not JSON at column {error.colno} ({error.msg})") from error
        except (ValueError, RecursionError) as error:
            raise self.wrong(line, f"this is not JSON ({error})") from error

    def objects(self) -> list[tuple[int, str]]:
        """Return the number and the text of each line of JSON; a single object may be spread over lines."""
        lines = [(number, text) for number, text in enumerate(self.lines, 1) if text.strip()]
        if len(lines) > 1 and not lines[0][1].rstrip().endswith("}"):
            lines = [(lines[0][0], "\n".join(self.lines[lines[0][0] - 1 :]))]
        return lines

    def wrong(self, line: int, reason: str) -> InputError:
        """Return an error that names the line, the problem and the accepted values."""
        return InputError(f"{self.name}, line {line}: {reason}")


def _unpacked(name: str, packed: bytes) -> bytes:
    """Return the content of a gzip file, at most one byte more than is read. Raises InputError if it is damaged."""
    try:
        with gzip.open(BytesIO(packed)) as file:
            return file.read(ATTENTION_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name} is not a complete gzip file ({error})") from error


def tokens_of(text: str) -> list[str]:
    """Return all tokens of a line."""
    return [token for token in text.replace("\t", " ").split(" ") if token]


def split(text: str) -> tuple[str, ...]:
    """Return the tokens of a line, at most two more than can be shown."""
    return tuple(token[0] for token in islice(_TOKEN.finditer(text), TOKENS + 2))


def quoted(text: str) -> str:
    """Quote part of a file within a sentence, shortened if it is long."""
    return f"“{text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + '…'}”"
