"""A model's folder with its records, which nobody trained."""

from pathlib import Path

import pytest

from tests.support.model_records import recorded_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return recorded_model(tmp_path)
