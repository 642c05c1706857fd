"""Record files of a model: the results of training and evaluation, beside its weights."""

import csv
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from regard.model.files import write_file
from regard.model.input_error import InputError

FORMAT = 1  # version of scores.json and training.json
COLUMNS = frozenset({"update", "tokens", "seconds", "validation_loss"})  # columns that every history has
SCORES_FILE, TRAINING, HISTORY, CARD = "scores.json", "training.json", "history.csv", "README.md"


def read_scores(folder: Path) -> dict[str, Any]:
    """Read a folder's `scores.json`. Raises InputError if it is missing or of another format version."""
    return _read(folder / SCORES_FILE)


def training_record(folder: Path) -> dict[str, Any]:
    """Read a model's `training.json`; empty if there is none. Raises InputError if it is unreadable."""
    return _read(folder / TRAINING) if (folder / TRAINING).exists() else {}


def history(folder: Path) -> list[dict[str, str]]:
    """Return the rows of `history.csv`, or none without the file. Raises InputError if it is unreadable."""
    path = folder / HISTORY
    if not path.exists():
        return []
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a table in UTF-8 ({error})") from error
    for number, row in enumerate(rows, start=2):
        if not row.keys() >= COLUMNS or None in row or None in row.values():
            raise InputError(f"{path}, line {number}: cut short; a line has {', '.join(sorted(COLUMNS))}")
    return rows


def versions(*others: str) -> dict[str, str]:
    """Return the versions of Python and of the libraries that compute, as records state them."""
    return {"python": python_version(), **{name: version(name) for name in ("torch", "tokenizers", *others)}}


def write_record(values: dict[str, Any], path: Path) -> None:
    """Write `scores.json` or `training.json`, atomically."""
    write_file(path, json.dumps(values, indent=2, ensure_ascii=False) + "\n")


def write_history(rows: Sequence[Mapping[str, object]], path: Path) -> None:
    """Write `history.csv`."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0] if rows else ())
        writer.writeheader()
        writer.writerows(rows)


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        version = values["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: not a file of this program ({error})") from error
    if version != FORMAT:
        raise InputError(f"{path}: format {version} cannot be read; this program reads {FORMAT}")
    return values
