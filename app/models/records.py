"""Records beside a model: its scores, how its losses fell, how it was trained, its card.

A model works without them, so a damaged or wrong one counts as missing; the server's log says so.
"""

import csv
import json
import logging
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from regard.app.wording import SCREEN_TOKENS
from regard.model.cards.record_files import CARD, HISTORY, SCORES_FILE, TRAINING
from regard.model.uploads.admission import check_history, record, text

_log = logging.getLogger("uvicorn.error")


def scores(folder: Path) -> dict[str, Any]:
    """Return the results of `regard evaluate`; empty if it was never run."""
    return _json(folder / SCORES_FILE, record)


def training(folder: Path) -> dict[str, Any]:
    """Return how the model was trained; empty if that is not known."""
    return _json(folder / TRAINING, record)


def usual_length(folder: Path) -> int:
    """Return the length in tokens that 99% of a model's training sentences stay within, or the page's limit without
    a record that can be read.
    """
    lengths = training(folder).get("source_tokens")
    return (lengths.get("99th percentile") if isinstance(lengths, dict) else 0) or SCREEN_TOKENS


def history(folder: Path) -> list[dict[str, float]]:
    """Return how the losses fell, a row per validation; empty without a record."""
    rows = csv.DictReader(StringIO(_text(folder / HISTORY, check_history), newline=""))
    return [{column: float(value) for column, value in row.items()} for row in rows]


def card(folder: Path) -> str:
    """Return the model card, or "" if there is none."""
    return _text(folder / CARD, text)


def _json(file: Path, check: Callable[[bytes], object]) -> dict[str, Any]:
    return json.loads(_text(file, check) or "{}")


def _text(file: Path, check: Callable[[bytes], object]) -> str:
    if not file.is_file():
        return ""
    try:
        content = file.read_bytes()
        check(content)
    except (ValueError, OSError) as error:
        _log.warning("%s is left out: %s", file, error)
        return ""
    return content.decode()
