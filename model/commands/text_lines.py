"""Text lines: lines of text in, exactly one line out for each."""

import re
import sys
from collections.abc import Iterator

from tqdm import tqdm

from regard.model.checkpoint import AnyModel
from regard.model.words import normalise

LONGEST = 200  # source tokens that are read of one line; sentences in training have up to 100
CHARACTERS = 10_000  # of a line, before anything else is done with it
TRACES = 8  # made together: all their numbers are in memory at once

_BREAKS = re.compile("[\x85\u2028\u2029]")  # what is left of line breaks when JSON has escaped the rest


def input_lines() -> Iterator[str]:
    """Standard input, divided at line feeds alone; what is not UTF-8 becomes U+FFFD."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", errors="replace")


def put(line: str) -> None:
    """One line of UTF-8 to standard output, whatever the terminal's encoding."""
    sys.stdout.buffer.write(f"{line}\n".encode())
    sys.stdout.buffer.flush()


def tell(message: str) -> None:
    """One line to standard error, above a progress bar if there is one."""
    tqdm.write(message, file=sys.stderr)


def one_line(json: str) -> str:
    return _BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", json)


def shorten(model: AnyModel, text: str, side: int) -> str:
    """A text in normal form, cut to its beginning when it is too long to be read as one sentence."""
    text = normalise(text[: CHARACTERS + 1])[:CHARACTERS]
    if len(text.encode()) <= LONGEST:  # a token covers a byte or more
        return text
    encoding = model.tokenizer.encode(text, model.tokenizer.languages[side])
    if len(encoding.ids) <= LONGEST:
        return text
    return text[: encoding.characters[LONGEST - 1].stop].rstrip(" ")
