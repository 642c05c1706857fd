"""docs/claims.md names functions and tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = re.findall(
    r"^\| `([^`]+)` \|.*\| `([^`]+)` \|$", (ROOT / "docs/claims.md").read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.mark.parametrize("place", sorted({place for row in ROWS for place in row}))
def test_a_function_that_the_table_names_exists(place: str) -> None:
    file, name = place.split(":")
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_every_row_is_read() -> None:
    table = (ROOT / "docs/claims.md").read_text(encoding="utf-8").partition("|---|")[2]
    assert len(ROWS) == table.count("\n| ")
