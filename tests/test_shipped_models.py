"""The models that ship are on equal terms: the same data, tokenizer, sizes, updates and seed."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from model.card import TRAINING
from model.checkpoint import CONFIG, DEFAULT, PRETRAINED, TOKENIZER, WEIGHTS

HEAVIEST = 18_000_000  # bytes of a weights file
APART = {  # what each has otherwise than the default
    "en-fr-general": {},
    "en-fr-dot": {"score": "dot"},
    "en-fr-concat": {"score": "concat"},
    "en-fr-bahdanau": {"score": "concat", "wiring": "bahdanau"},
    "en-fr-none": {"score": "none", "initial_state": "encoder"},
    "en-fr-general-gru": {"cell": "gru"},
}
each = pytest.mark.parametrize("name", APART)


def record(name: str, file: str) -> Mapping[str, Any]:
    return json.loads((PRETRAINED / name / file).read_text(encoding="utf-8"))


@each
def test_a_model_differs_from_the_default_as_its_name_says(name: str) -> None:
    assert record(name, CONFIG) == {**record(DEFAULT, CONFIG), **APART[name]}
    assert (PRETRAINED / name / TOKENIZER).read_bytes() == (PRETRAINED / DEFAULT / TOKENIZER).read_bytes()
    assert (PRETRAINED / name / WEIGHTS).stat().st_size <= HEAVIEST


@each
def test_a_model_was_trained_like_the_default(name: str) -> None:
    training, default = record(name, TRAINING), record(DEFAULT, TRAINING)
    for key in ("files", "pairs", "source_tokens", "options"):
        assert training[key] == default[key]
