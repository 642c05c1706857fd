"""Text lines: lines of text in, exactly one line out for each."""

import re
import sys
from collections.abc import Iterator

from tqdm import tqdm

TRACES = 8  # traced together: all their numbers are in memory at once

_BREAKS = re.compile("[\x85\u2028\u2029]")  # line breaks that JSON leaves unescaped


def input_lines() -> Iterator[str]:
    """Yield the lines of standard input, split at line feeds alone. Bytes that are not UTF-8 become U+FFFD, and
    standard error names the line."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            place = f"line {number} is not UTF-8 at byte {error.start + 1} ({error.reason})"
            tell(f"{place}; invalid bytes are replaced by \ufffd")
            yield line.decode("utf-8", errors="replace")


def put(line: str) -> None:
    """Write one line of UTF-8 to standard output, whatever the terminal's encoding."""
    sys.stdout.buffer.write(f"{line}\n".encode())
    sys.stdout.buffer.flush()


def tell(message: str) -> None:
    """Write one line to standard error, above any progress bar."""
    tqdm.write(message, file=sys.stderr)


def one_line(json: str) -> str:
    return _BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", json)
