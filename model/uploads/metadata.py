"""Metadata of an uploaded model, in this program's formats: scores, training record, card and snapshots.

All of it is displayed, so all of it is checked. Missing entries are accepted; unknown entries are let through and never
read.
"""

import csv
import json
import re
from io import StringIO
from math import isfinite
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from pydantic import Field, ValidationError

from regard.model.cards.record_files import FORMAT
from regard.model.input_error import InputError
from regard.model.training.snapshots import Snapshots
from regard.model.uploads.npz import TEXT, Bound, read_header
from regard.model.uploads.scores_schema import Count, Name, Record, Scores
from regard.model.uploads.unpacking import unpack

DEEPEST = 30  # levels of nested lists in JSON; ours have about ten
MOST_VALUES = 300_000  # of JSON, names counted too: a tokenizer of 65,536 entries has 262,000
MOST_ROWS, MOST_COLUMNS = 100_000, 100  # of a history

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

RecordT = TypeVar("RecordT", bound=Record)
MOST_PAIRS, MOST_MOMENTS = 64, 1000  # ours have 8, and 12 of each run
LARGEST_ARRAY = 8 * 2**20  # bytes; the largest of ours has 188,288
RATIO = 1100  # unpacked size over packed size: blanks after short texts shrink as far as deflate goes
ROUNDING = 1e-3  # allowed distance of the sum of a row of weights from 1
ARRAYS = {  # of snapshots
    **dict.fromkeys(("sources", "targets"), Bound(TEXT, 1, MOST_PAIRS)),
    "updates": Bound("i", 1, MOST_MOMENTS),
    "log_probabilities": Bound("f", 2, MOST_MOMENTS * MOST_PAIRS),
    "translations": Bound(TEXT, 2, MOST_MOMENTS * MOST_PAIRS),
    **{f"weights_{index}": Bound("f", 3, LARGEST_ARRAY // 2) for index in range(MOST_PAIRS)},
    **{f"heads_{index}": Bound("f", 5, LARGEST_ARRAY // 2) for index in range(MOST_PAIRS)},
}


class EarlierRun(Record):
    updates: Count | None = None


class TrainingRecord(Record):
    """The entries of `training.json` that screens read."""

    began_with: EarlierRun | None = None
    source_tokens: dict[Name, Count] = Field(default_factory=dict)


def check_scores(content: bytes) -> Scores:
    return _check(content, Scores)


def check_training(content: bytes) -> None:
    _check(content, TrainingRecord)


def check_history(content: bytes) -> None:
    """Check that the history is a table of finite numbers, by update."""
    table = text(content)
    if not table.endswith("\n"):
        raise InputError("it breaks off in its last line")
    rows = csv.DictReader(StringIO(table))
    try:
        if "update" not in (rows.fieldnames or ()):
            raise InputError("its first line has no column “update”")
        if len(rows.fieldnames or ()) > MOST_COLUMNS:
            raise InputError(f"it has more than {MOST_COLUMNS} columns")
        for number, row in enumerate(rows, start=2):
            if number > MOST_ROWS:
                raise InputError(f"it has more than {MOST_ROWS:,} lines")
            if not all(isinstance(value, str) and isfinite(float(value)) for value in row.values()):
                raise InputError(f"line {number} has no number under each heading")
    except csv.Error as error:
        raise InputError(f"it is not a table ({error})") from error


def parsed(content: bytes) -> Any:
    """Parse JSON of moderate depth and number of values, without NaN. Raises InputError for anything else."""
    if (count := content.count(b",") + content.count(b":")) > MOST_VALUES:
        raise InputError(f"it has {count:,} names and values; up to {MOST_VALUES:,} are read")
    try:
        values = json.loads(text(content), parse_constant=_no_constant)
        json.dumps(values, ensure_ascii=False).encode()  # a lone half of a surrogate pair is not text
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"it is not JSON ({error})") from error
    if _depth(values) > DEEPEST:
        raise InputError(f"its lists go deeper than {DEEPEST}")
    return values


def text(content: bytes) -> str:
    """Decode UTF-8 without control characters."""
    try:
        content_text = content.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"it is not UTF-8 text ({error.reason} at byte {error.start:,})") from error
    if odd := _CONTROL.search(content_text):
        raise InputError(f"it is not plain text: its character {odd.start() + 1:,} is U+{ord(odd.group()):04X}")
    return content_text


def _check(content: bytes, kind: type[RecordT]) -> RecordT:
    values = parsed(content)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError(f"its entry “format” is not {FORMAT}")
    try:
        return kind.model_validate_json(json.dumps(values), strict=True)  # "3" is not a number
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part)[:40] for part in first["loc"])
        raise InputError(f"{place}: {first['msg']}") from error


def _depth(value: object) -> int:
    """Return how deep lists and objects are nested, up to just beyond the limit."""
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        inner = [
            outer.values() if isinstance(outer, dict) else outer for outer in level if isinstance(outer, dict | list)
        ]
        level, depth = [value for values in inner for value in values], depth + 1
    return depth


def _no_constant(name: str) -> None:
    raise InputError(f"it holds {name}, which is not a JSON number")


def check_snapshots(content: bytes) -> None:
    """Check the file. Raises InputError naming the wrong array and the reason."""
    allowed = dict.fromkeys((f"{name}.npy" for name in ARRAYS), LARGEST_ARRAY)
    for name, array in unpack(content, allowed, RATIO).items():
        read_header(name, array, ARRAYS[name.removesuffix(".npy")])
    snapshots = Snapshots.read(content)
    updates = [moment.update for moment in snapshots.moments]
    if updates != sorted(set(updates)) or min(updates, default=-1) < 0:
        raise InputError("its moments are not in the order of their updates")
    for moment in snapshots.moments:
        if not all(isfinite(value) and value <= 0 for value in moment.log_probabilities):
            raise InputError(f"a log-probability after update {moment.update} is not a number of at most 0")
        if not all(map(_are_shares, (*moment.weights, *moment.heads))):
            raise InputError(f"the weights after update {moment.update} are not rows of shares that add up to 1")


def _are_shares(weights: Float[ndarray, "*H T S"]) -> bool:
    positive = weights.size and (weights >= 0).all()
    return bool(positive and np.abs(weights.sum(axis=-1, dtype=np.float64) - 1).max() <= ROUNDING)
