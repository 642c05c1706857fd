from pathlib import Path

from benchmarks.server import ROOT
from regard.pretrained.recipe.__main__ import main
from tests.support.run_command import call


def test_the_tables_of_the_readme_are_those_of_the_records(tmp_path: Path) -> None:
    readme, written = tmp_path / "README.md", (ROOT / "README.md").read_text(encoding="utf-8")
    readme.write_text(written, encoding="utf-8")
    status, _, error = call("readme", str(readme), program=main)
    assert (status, error) == (0, f"{readme}: models in the tables: 12\n")
    assert readme.read_text(encoding="utf-8") == written
