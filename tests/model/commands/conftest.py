"""Fixtures of the tests of commands."""

import pytest

from regard.model.commands import evaluate_model


@pytest.fixture
def quick_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """`evaluate` measures a few of everything, but for what a fixture of a whole module measured before."""
    monkeypatch.setattr(evaluate_model, "WIDTHS", (1, 2))
    monkeypatch.setattr(evaluate_model, "WORTH", 3)
    monkeypatch.setattr(evaluate_model, "TIMED", 1)
    monkeypatch.setattr("regard.model.evaluation.translation_quality.SAMPLES", 50)
