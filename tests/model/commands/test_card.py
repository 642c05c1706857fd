from pathlib import Path

from regard.model.cards.readme_tables import MARKERS
from tests.support.run_command import call


def test_without_models_the_tables_of_the_readme_stay_as_they_are(tmp_path: Path) -> None:
    written = "\n".join([MARKERS[0], "| model |", "|---|", "| one |", MARKERS[1], ""])
    readme = tmp_path / "README.md"
    readme.write_text(written)
    status, _, told = call("card", "--readme", str(readme), "--pretrained", str(tmp_path))
    assert status == 1
    assert told.endswith(f"{tmp_path}: no model there has a scores.json; the tables stay as they are\n")
    assert told.count("\n") == 1
    assert readme.read_text() == written


def test_without_anything_to_write_it_says_what_could_be_asked_for() -> None:
    assert call("card")[0] == 1
    assert "nothing to write; give model folders or --readme" in call("card")[2]
