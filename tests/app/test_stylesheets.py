"""Declarations that WebKit reads differently from Chromium, the browser of the journeys."""

import re
from pathlib import Path

import pytest

from benchmarks.server import ROOT

SHEETS = sorted((ROOT / "app").rglob("*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_webkit_takes_these_declarations_too(sheet: Path) -> None:
    text = sheet.read_text(encoding="utf-8")
    lines = re.findall(r"[;{\s]text-decoration:\s*([^;}]+)", text)
    assert {line.strip() for line in lines} <= {"none", "underline", "line-through"}  # WebKit drops longer values
    assert len(re.findall(r"(?<!-)user-select:", text)) == text.count("-webkit-user-select:")
