"""The command that measures principal axes."""

from pathlib import Path

from tests.support.run_command import call


def test_too_little_text_for_axes_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "few.txt"
    text.write_text("A dog.\tUn chien.\nA dog.\nA cat.\nWho?\n")
    status, _, told = call("axes", "en-fr", "--text", str(text))
    assert (status, told) == (1, f"regard axes: {text} has 3 different sentences; axes take at least 100\n")
