"""`show` writes the page of attention in a file."""

from pathlib import Path

import pytest

import regard
from tests.support.run_command import call

GIVEN = regard.show([[0.9, 0.1], [0.2, 0.8]], ["I", "see"], ["je", "vois"])


@pytest.mark.parametrize("ending", ["json", "npz"])
def test_a_saved_attention_becomes_its_page(ending: str, tmp_path: Path) -> None:
    file, page = tmp_path / f"given.{ending}", tmp_path / "given.html"
    GIVEN.save(file)
    assert call("show", str(file), "--html", str(page))[:2] == (0, f"{page}, sentence 1 of 1\n".encode())
    assert page.read_text(encoding="utf-8") == regard.read(file)[0].to_html()


def test_what_cannot_be_shown_is_told_in_a_line(tmp_path: Path) -> None:
    GIVEN.save(tmp_path / "given.json")
    page = ("--html", str(tmp_path / "given.html"))
    assert "has sentences 1 to 1" in call("show", str(tmp_path / "given.json"), *page, "--number", "2")[2]
    assert "Is a directory" in call("show", str(tmp_path), *page)[2]
    assert not (tmp_path / "given.html").exists()
