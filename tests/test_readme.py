"""README's *How it is built*: a reading order of files that are there, and a line for every folder."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = (ROOT / "README.md").read_text(encoding="utf-8").partition("## How it is built")[2].partition("\n## ")[0]
MOST = 20  # files that one reads first
INSIDE = ("app/components/", "app/screens/", "app/figures/")  # a line of their own stands for all within


def test_the_files_to_read_first_are_there_and_few() -> None:
    files = re.findall(r"^\d+\. `([^`]+)`", BUILT, re.MULTILINE)
    assert 0 < len(files) <= MOST
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_every_folder_of_code_has_a_line_and_every_line_a_folder() -> None:
    told = set(re.findall(r"^\| `([^`]+/)`", BUILT, re.MULTILINE))
    folders = {
        f"{file.parent.relative_to(ROOT).as_posix()}/"
        for part in ("model", "app")
        for file in (ROOT / part).rglob("*.py")
    }
    assert [folder for folder in folders - told if not folder.startswith(INSIDE)] == []
    assert [folder for folder in told if not (ROOT / folder).is_dir()] == []
