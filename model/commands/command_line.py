"""Parts of a command line: the model to read, the folder for files about it, and lines of text, one out for each in."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tqdm import tqdm

from regard.model.checkpoint import DEFAULT, PACKAGED, named_folder, shipped
from regard.model.files import check_writable
from regard.model.input_error import InputError


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        type=named_folder,
        default=shipped(),
        metavar="DIR",
        help=f"model folder or name of a shipped model (default: the shipped {DEFAULT})",
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    about = 'where the network computes: a device that PyTorch finds here, such as "cuda" (%(default)s)'
    parser.add_argument("--device", default="cpu", help=about)


def results_folder(model: Path, out: Path | None) -> Path:
    """Return the folder for files about a model, `out` or the model's own, and create it. Raises InputError for a model
    of this package, whose folder stays as it is, and if nothing can be written there."""
    folder = out or model
    if packaged(folder):
        raise InputError(
            f"{folder} belongs to the package, whose files stay as they are; give --out, or a copy of the model"
        )
    folder.mkdir(parents=True, exist_ok=True)
    check_writable(folder)
    return folder


def packaged(folder: Path) -> bool:
    """True for a folder among the models of this package."""
    return folder.resolve().is_relative_to(PACKAGED.resolve())


class LogLines(tqdm):
    """A progress bar for a log: one line a minute, and none for shorter work."""

    EVERY = 60.0  # seconds

    def __init__(self, **settings: Any) -> None:
        form = "{unit} {n:,} of {total:,}, {elapsed} so far, {remaining} left{postfix}"
        super().__init__(**settings, delay=self.EVERY, mininterval=self.EVERY, miniters=1, bar_format=form)

    def display(self, msg: str | None = None, pos: int | None = None) -> None:
        print(msg or self, file=sys.stderr, flush=True)

    def close(self) -> None:
        self.disable = True


def updates_bar(total: int, done: int, shown: bool = True) -> Any:
    """Return the progress bar of a training: lines where standard error is not a terminal."""
    kind = tqdm if sys.stderr.isatty() else LogLines
    return kind(total=total, initial=done, unit="update", smoothing=0.02, disable=not shown)


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
