"""Fixtures of the tests of commands."""

import pytest

from regard.model.checkpoint import Pretrained
from regard.model.commands import evaluate


@pytest.fixture
def folder(tiny_model: Pretrained) -> str:
    return str(tiny_model.folder)


@pytest.fixture
def quick_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """`evaluate` measures a few of everything, but for what a fixture of a whole module measured before."""
    monkeypatch.setattr(evaluate, "WIDTHS", (1, 2))
    monkeypatch.setattr(evaluate, "WORTH", 3)
    monkeypatch.setattr(evaluate, "TIMED", 1)
    monkeypatch.setattr("regard.model.evaluation.translation_quality.SAMPLES", 50)
