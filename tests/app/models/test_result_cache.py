from pathlib import Path
from threading import Barrier, Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.models import result_cache
from regard.app.models.registry import OwnModel
from regard.app.models.result_cache import ResultCache, forget_all, forget_model, remembered, size
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.linear import packed_bytes
from regard.model.translate import translate


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were computed for; `mine` and `other` are visitors' own."""
    mine = {name: OwnModel(Path("/srv/scratch/own") / name, name) for name in ("mine", "other")}
    monkeypatch.setattr(result_cache, "own", lambda: mine)
    monkeypatch.setattr(result_cache, "model_names", lambda: ["shipped", *mine])
    monkeypatch.setattr(result_cache, "folder", lambda name: Path("/srv/scratch/own") / name)
    return []


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(1, 60)), max_size=60))
def test_values_stay_within_the_room_and_the_ones_used_last_are_there(uses: list[tuple[bool, int, int]]) -> None:
    kept = ResultCache(400 + 33 * 12)
    for visitors, key, length in uses:
        assert len(kept.get((key, length), lambda length=length: b"a" * length, visitors)) == length
        assert all(kept.held(side) <= kept.room[side] for side in (True, False))
        assert next(reversed(kept._values[visitors])) == (key, length)


def test_visitors_displace_only_one_another() -> None:
    kept = ResultCache(8 * size(b"a" * 100))
    for key in range(40):
        kept.get(key, lambda: b"a" * 100, key >= 10)
    assert [list(kept._values[visitors]) for visitors in (False, True)] == [[4, 5, 6, 7, 8, 9], [38, 39]]


def test_what_many_ask_for_at_once_is_made_once_and_an_error_is_everybodys_own() -> None:
    kept, together, made = ResultCache(1000), Barrier(8), list[int]()

    def ask() -> None:
        together.wait()
        kept.get("key", lambda: made.append(1) or 7)

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept.get("fails", lambda: 1 // 0)
    assert kept.get("fails", lambda: 3) == 3


def test_what_is_about_a_model_goes_with_it(asked: list[str]) -> None:
    @remembered()
    def zeros(name: str, count: int) -> np.ndarray:
        asked.append(name)
        return np.zeros(count)

    zeros("mine", 1)
    forget_model("other")
    zeros("mine", 1)
    forget_model("mine")
    zeros("mine", 1)
    zeros("shipped", 1)
    forget_all()
    zeros("shipped", 1)
    assert asked == ["mine", "mine", "shipped", "shipped"]


def test_parameters_that_begin_with_an_underscore_do_not_count(asked: list[str]) -> None:
    @remembered()
    def length(name: str, text: str, _way: object) -> int:
        asked.append(name)
        return len(text)

    assert [length("shipped", text, object()) for text in ("ab", "ab", "c")] == [2, 2, 1]
    assert asked == ["shipped"] * 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (InputError("/srv/scratch/own/mine/model.safetensors: not complete"), "mine/model.safetensors: not complete"),
        (FileNotFoundError(2, "No such file or directory", "/srv/scratch/own/mine/a"), "the files of mine cannot be"),
    ],
)
def test_what_is_wrong_with_a_models_files_is_told_without_where_they_are(
    error: Exception, told: str, asked: list[str]
) -> None:
    @remembered()
    def fails(name: str) -> int:
        raise error

    with pytest.raises(ValueError, match=told) as caught:
        fails("mine")
    assert "/srv" not in str(caught.value)


def test_a_size_is_that_of_all_arrays_each_counted_once(tiny_model: Pretrained) -> None:
    array = np.zeros((100, 100))
    assert 0 <= size((array, [array], {"a": array})) - array.nbytes < 1000
    weights = sum(value.numel() * value.element_size() for value in tiny_model.network.parameters())
    halves = sum(packed_bytes(value) for value in tiny_model.network.parameters())
    assert weights + halves <= size(tiny_model)
    trace = translate(tiny_model, ["A cat."])[0]
    arrays = sum(value.nbytes for value in vars(trace).values() if isinstance(value, np.ndarray))
    assert arrays < size(trace) < arrays + 100_000
