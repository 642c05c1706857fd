"""Fixtures of the tests of commands."""

import pytest

from regard.model.commands import evaluate_doubt, evaluate_lists, evaluate_model
from regard.model.evaluation.made_numbers import made_numbers
from regard.model.evaluation.typed_first import read_typed
from tests.support.evaluation import TYPED


@pytest.fixture
def quick_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """`evaluate` measures a few of everything, but for what a fixture of a whole module measured before."""
    monkeypatch.setattr(evaluate_model, "WIDTHS", (1, 2))
    monkeypatch.setattr(evaluate_model, "WORTH", 3)
    monkeypatch.setattr(evaluate_model, "TIMED", 1)
    monkeypatch.setattr(evaluate_lists, "read_typed", lambda path: read_typed(path)[:TYPED])
    monkeypatch.setattr(evaluate_doubt, "read_typed", lambda path: read_typed(path)[:TYPED])
    monkeypatch.setattr(evaluate_lists, "made_numbers", lambda: made_numbers(TYPED))
    monkeypatch.setattr("regard.model.evaluation.translation_quality.SAMPLES", 50)
