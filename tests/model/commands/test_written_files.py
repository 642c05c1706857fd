"""Every command writes what its arguments name, and nothing else: neither into the package nor where it was called."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.server import ROOT
from regard.__main__ import COMMANDS
from regard.model.checkpoint import Pretrained, shipped
from tests.support.evaluation import copy, held_out_lines
from tests.support.run_command import call

PAIRS = ("--source", "source.en", "--target", "target.fr")
SMALL = ("--embedding", "4", "--encoder-state", "4", "--state", "8", "--vocabulary", "300", "--updates", "1")
TASK = ("--longest", "3", "--symbols", "10", "--hidden", "8", "--updates", "1")
# The shortest valid arguments of each command, and the files and folders that it makes.
SHORTEST = {
    "translate": (("I love you.",), ()),
    "report": (("--source", "source.en", "--tsv", "report.tsv"), ("report.tsv",)),
    "align": (PAIRS, ()),
    "show": (("links.txt", "--sentences", "pairs.txt", "--html", "shown.html"), ("shown.html",)),
    "heads": (("Hi.", "--model", "reverse-transformer"), ()),
    "evaluate": (("--model", "en-fr", "--test", "own", *PAIRS[1::2]), ()),
    "axes": (("en-fr", "--text", "many.en", "--out", "axes"), ("axes",)),
    "memory": (("--model", "en-fr", "--table", "en-fr.tsv", "--out", "memory"), ("memory",)),
    "card": (("mine",), ()),
    "export": (("--model", "reverse-gru", "--html", "page.html"), ("page.html",)),
    "train": (("--table", "en-fr.tsv", "--out", "trained", *SMALL), ("trained", "trained.run")),
    "practise": (("--out", "practised", *TASK), ("practised", "practised.run")),
}
WRITING = {  # commands that wrote into the folder of the model that they were given
    "evaluate": ("--test", "own", *PAIRS[1::2]),
    "axes": ("--text", "many.en"),
    "memory": ("--table", "en-fr.tsv"),
    "card": (),
}


@pytest.fixture
def text(tmp_path: Path, tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a few texts and a model of one's own."""
    (tmp_path / "links.txt").write_text("0-0 1-1\n")
    (tmp_path / "pairs.txt").write_text("A cat ||| Un chat\n")
    (tmp_path / "source.en").write_text("A cat.\nA car.\n")
    (tmp_path / "target.fr").write_text("Un chat.\nUne auto.\n")
    (tmp_path / "en-fr.tsv").write_text(held_out_lines() * 4, encoding="utf-8")
    (tmp_path / "many.en").write_text("".join(f"{number} dogs.\n" for number in range(100)))
    copy(tiny_model, tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(*folders: str) -> dict[Path, tuple[int, int]]:
    """Return size and time of every file of the checkout's folders that are not compiled code."""
    found = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in found if "__pycache__" not in path.parts}


def test_every_command_is_tried() -> None:
    assert SHORTEST.keys() == COMMANDS.keys() - {"serve"}  # which serves until it is stopped


@pytest.mark.usefixtures("quick_evaluation")
@pytest.mark.parametrize("command", SHORTEST)
def test_a_command_leaves_only_what_it_was_told_to_write(command: str, text: Path) -> None:
    arguments, made = SHORTEST[command]
    package, before = files("app", "model", "pretrained", "regard"), {*text.iterdir()}
    status, _, error = call(command, *arguments)
    assert status == 0, error
    assert {path.name for path in {*text.iterdir()} - before} == {*made}
    assert files("app", "model", "pretrained", "regard") == package


@pytest.mark.usefixtures("quick_evaluation")
@pytest.mark.parametrize("named", ["en-fr", str(shipped("en-fr"))])
@pytest.mark.parametrize("command", WRITING)
def test_no_command_writes_about_a_shipped_model_where_nobody_said(command: str, named: str, text: Path) -> None:
    package, before = files("pretrained"), {*text.iterdir()}
    model = (named,) if command in ("axes", "card") else ("--model", named)
    status, _, error = call(command, *model, *WRITING[command])
    assert command == "evaluate" or (status, "belongs to the package" in error) == (1, True), error
    assert files("pretrained") == package
    assert {*text.iterdir()} == before


@pytest.mark.usefixtures("quick_evaluation")
def test_results_are_printed_and_written_where_out_says(text: Path, make_model: Callable[..., Pretrained]) -> None:
    measured = ("--test", "own", *PAIRS[1::2])
    status, printed, error = call("evaluate", "--model", "mine", *measured, "--out", "there")
    assert status == 0, error
    assert "| own | greedy | 2 |" in printed.decode()
    assert {path.name for path in (text / "there").iterdir()} == {"README.md", "scores.json"}
    assert (text / "there" / "README.md").read_text(encoding="utf-8").startswith("# mine\n")
    copy(make_model(score="dot"), text / "other")
    assert call("evaluate", "--model", "mine", "other", *measured, "--out", "both")[0] == 0
    assert {path.name for path in (text / "both").iterdir()} == {"mine", "other"}
    assert not (text / "mine" / "scores.json").exists()
