"""What is remembered of models: everybody's for all, a visitor's own for the visit, and no more than fits."""

import pytest

from app.models import result_cache
from app.models.registry import Own
from app.models.result_cache import Shelved, remembered
from model.checkpoint import Pretrained


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(result_cache, "own", lambda: {"mine": Own})
    return []


def test_visitors_models_are_in_memory_up_to_a_size_and_the_ones_used_last_stay(tiny_model: Pretrained) -> None:
    loaded: list[str] = []
    models = Shelved(2 * tiny_model.parameters)
    for name in ("a", "b", "a", "c", "a", "b"):
        models.get(name, lambda name=name: loaded.append(name) or tiny_model)
    assert loaded == ["a", "b", "c", "b"]


def test_a_model_that_is_larger_than_the_room_is_still_used(tiny_model: Pretrained) -> None:
    models = Shelved(1)
    assert models.get("a", lambda: tiny_model) is tiny_model


def test_a_model_that_was_given_back_is_forgotten(tiny_model: Pretrained) -> None:
    loaded: list[str] = []
    models = Shelved(10**9)
    for _ in range(2):
        models.get("a", lambda: loaded.append("a") or tiny_model)
        models.drop("a")
    assert loaded == ["a", "a"]


def test_what_is_of_a_visitors_own_model_takes_no_place_of_what_is_everybodys(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = "streamlit.runtime.caching.cache_resource_api.get_session_id_or_throw"
    monkeypatch.setattr(session, lambda: "visit")

    @remembered(2)
    def length(name: str, text: str) -> int:
        asked.append(name)
        return len(text)

    assert length("shipped", "") == 0
    for count in range(5):
        assert length("mine", "a" * count) == count
    assert length("shipped", "") == 0
    assert asked.count("shipped") == 1
    asked.clear()
    result_cache.st.cache_resource.clear()
    length("mine", "")
    monkeypatch.setattr(session, lambda: "another visit")
    length("mine", "")
    assert asked == ["mine", "mine"]
