from functools import partial
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from regard.model.changes.what_if import translate
from regard.model.checkpoint import Pretrained
from regard.model.commands import evaluate
from regard.pretrained.recipe import doubt, lists
from regard.pretrained.recipe import scores as scores_command
from regard.pretrained.recipe.__main__ import main
from tests.support import run_command
from tests.support.evaluation import evaluation, read

call = partial(run_command.call, program=main)
TYPED = 5  # sentences of each list, of 50 to 250


@pytest.fixture
def measured(tmp_path: Path, tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[str]]:
    """A model's folder and the arguments that measure it, on a few of everything."""
    few = {"WIDTHS": (1,), "WORTH": 1, "TIMED": 1}
    for name, value in few.items():
        monkeypatch.setattr(evaluate, name, value)
    for module in (lists, doubt):
        monkeypatch.setattr(module, "read_typed", lambda path, read=lists.read_typed: read(path)[:TYPED])
    monkeypatch.setattr(lists, "made_numbers", partial(lists.made_numbers, TYPED))
    folder, arguments = evaluation(tmp_path, tiny_model)
    return folder, ["scores", *arguments[1:]]


def test_lists_numbers_and_the_page_are_measured_beside_what_evaluate_measures(
    measured: tuple[Path, list[str]], tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, arguments = measured
    graded = MagicMock(wraps=scores_command.graded)
    monkeypatch.setattr(scores_command, "graded", graded)
    status, printed, error = call(*arguments, "--page")
    assert status == 0, error
    scores = read(folder)
    for name in lists.LISTS:
        assert scores[name]["as_read"]["all"]["sentences"] == TYPED
    assert scores["made_numbers"]["rates"]["all"]["sentences"] == TYPED
    page, held_out = scores["page"], scores["tests"]["held_out"]
    assert [page[name] for name in ("files", "pairs")] == [held_out[name] for name in ("files", "pairs")]
    (_, pairs, _), _ = graded.call_args_list[0]
    shown = {pair.source: translate(tiny_model, pair.source).text for pair in pairs}  # carried-over words included
    assert page["shipped"] == evaluate.graded(tiny_model, pairs, shown)
    assert page["rounded"].keys() == page["shipped"].keys()
    assert {"typed_first", "page", "flags", "aer"} <= scores["how"].keys()
    assert "| typed first | 5 |" in printed.decode()
    assert "## Short everyday input" in (folder / "README.md").read_text(encoding="utf-8")
