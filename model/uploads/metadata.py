"""Metadata of an uploaded model, in this program's formats: scores, training record, card and snapshots.

What stands in them is only bounded here: a record that is not what it should be breaks a page of its own visitor.
"""

import csv
import json
import re
from io import StringIO
from math import isfinite
from typing import Any

from regard.model.cards.record_files import FORMAT
from regard.model.input_error import InputError
from regard.model.training.snapshots import Snapshots
from regard.model.uploads.arrays import TEXT, Bound, read_npz

MOST_VALUES = 300_000  # of JSON, names counted too: a tokenizer of 65,536 entries has 262,000
MOST_ROWS, MOST_COLUMNS = 100_000, 100  # of a history
MOST_PAIRS, MOST_MOMENTS = 64, 1000  # ours have 8, and 12 of each run
MOST_ELEMENTS = 2**22  # of an array of weights; the largest of ours has 272,160
SNAPSHOT_BYTES = 2**25  # of all arrays of snapshots, unpacked; ours have up to 2,132,192
ARRAYS = {  # of snapshots
    **dict.fromkeys(("sources", "targets"), Bound(TEXT, 1, MOST_PAIRS)),
    "updates": Bound("i", 1, MOST_MOMENTS),
    "log_probabilities": Bound("f", 2, MOST_MOMENTS * MOST_PAIRS),
    "translations": Bound(TEXT, 2, MOST_MOMENTS * MOST_PAIRS),
    **{f"weights_{index}": Bound("f", 3, MOST_ELEMENTS) for index in range(MOST_PAIRS)},
    **{f"heads_{index}": Bound("f", 5, MOST_ELEMENTS) for index in range(MOST_PAIRS)},
}

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def record(content: bytes) -> dict[str, Any]:
    """Return the values of `scores.json` or `training.json`. Raises InputError for another format."""
    values = parsed(content)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError(f"its entry “format” is not {FORMAT}")
    return values


def check_history(content: bytes) -> None:
    """Check that the history is a table of finite numbers, by update."""
    table = text(content)
    if not table.endswith("\n"):
        raise InputError("it breaks off in its last line")
    rows = csv.DictReader(StringIO(table))
    columns = rows.fieldnames or ()
    if "update" not in columns or len(columns) > MOST_COLUMNS:
        raise InputError(f"its first line has no column “update”, or more than {MOST_COLUMNS} columns")
    for number, row in enumerate(rows, start=2):
        if number > MOST_ROWS or not all(isinstance(value, str) and isfinite(float(value)) for value in row.values()):
            raise InputError(f"line {number} has no number under each heading, or is beyond {MOST_ROWS:,}")


def parsed(content: bytes) -> Any:
    """Parse JSON of a moderate number of values, without NaN. Raises InputError for anything else."""
    if (count := content.count(b",") + content.count(b":")) > MOST_VALUES:
        raise InputError(f"it has {count:,} names and values; up to {MOST_VALUES:,} are read")
    try:
        values = json.loads(text(content), parse_constant=_no_constant)
        json.dumps(values, ensure_ascii=False).encode()  # a lone half of a surrogate pair is not text
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"it is not JSON ({error})") from error
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


def _no_constant(name: str) -> None:
    raise InputError(f"it holds {name}, which is not a JSON number")


def check_snapshots(content: bytes) -> None:
    """Check the file. Raises InputError naming the wrong array and the reason."""
    read_npz(content, ARRAYS, SNAPSHOT_BYTES)
    Snapshots.read(content)
