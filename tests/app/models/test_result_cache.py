import time
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event, Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.models import result_cache
from regard.app.models.registry import OwnModel
from regard.app.models.result_cache import (
    MEGABYTE,
    OF_VISITORS,
    Bounded,
    Caches,
    forget_all,
    forget_model,
    held,
    remembered,
    size,
)
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


@pytest.fixture
def zeros(asked: list[str]) -> Callable[[str, int], np.ndarray]:
    """So many megabytes of them, of which four are remembered, and one of visitors' own."""

    @remembered(4)
    def zeros(name: str, megabytes: int) -> np.ndarray:
        asked.append(name)
        return np.zeros(megabytes * MEGABYTE - 200, np.uint8)

    return zeros


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 60)), max_size=60))
def test_values_stay_within_the_room_and_the_ones_used_last_are_there(uses: list[tuple[int, int]]) -> None:
    kept = Bounded[bytes](100 + 33 * 3)
    for key, length in uses:
        assert len(kept.get((key, length), lambda length=length: b"a" * length)) == length
        sizes = {key: size(entry.value) for key, entry in kept._values.items()}
        assert kept.bytes == sum(sizes.values())
        assert kept.bytes <= kept.room or len(sizes) == 1
        assert next(reversed(sizes)) == (key, length)


def test_what_is_forgotten_leaves_its_room_to_others() -> None:
    kept = Bounded[bytes](3 * size(b"a" * 100))
    for key in "abc":
        kept.get(key, lambda: b"a" * 100)
    kept.forget(lambda key: key != "c")
    for key in "de":
        kept.get(key, lambda: b"b" * 100)
    assert kept.get("c", lambda: b"again") == b"a" * 100


def test_a_value_larger_than_the_room_is_kept_until_the_next_comes() -> None:
    kept = Bounded[bytes](10)
    assert kept.get("a", lambda: b"a" * 100) is kept.get("a", lambda: b"")
    kept.get("b", lambda: b"b" * 100)
    assert kept.get("a", lambda: b"again") == b"again"


def test_what_many_ask_for_at_once_is_made_once_and_an_error_is_everybodys_own() -> None:
    kept, together, made = Bounded[int](1000), Barrier(8), list[int]()

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


def test_after_an_error_those_who_wait_and_those_who_come_make_the_value_once() -> None:
    kept, begun, broken, going, made = Bounded[bytes](1000), Event(), Event(), Event(), list[int]()

    def fail() -> bytes:
        begun.set()
        broken.wait(5)
        raise ZeroDivisionError

    def first() -> None:
        with pytest.raises(ZeroDivisionError):
            kept.get("key", fail)

    def slowly() -> bytes:
        made.append(1)
        going.set()
        time.sleep(0.1)
        return b"a" * 100

    threads = [Thread(target=first), *(Thread(target=kept.get, args=("key", slowly)) for _ in range(3))]
    threads[0].start()
    begun.wait(5)
    for thread in threads[1:3]:
        thread.start()
    time.sleep(0.1)  # both wait for the first
    broken.set()
    going.wait(5)
    threads[3].start()
    for thread in threads:
        thread.join()
    assert made == [1]
    assert kept.bytes == size(b"a" * 100)


def test_what_is_of_visitors_own_models_takes_no_room_of_what_is_everybodys(
    zeros: Callable[[str, int], np.ndarray], asked: list[str]
) -> None:
    assert OF_VISITORS == 4
    for name in ("shipped", "mine", "other", "mine", "shipped"):
        zeros(name, 1)
    assert asked == ["shipped", "mine", "other", "mine"]


def test_what_is_about_a_model_goes_with_it(zeros: Callable[[str, int], np.ndarray], asked: list[str]) -> None:
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
    @remembered(1)
    def length(name: str, text: str, _way: object) -> int:
        asked.append(name)
        return len(text)

    assert [length("shipped", "ab", object()), length("shipped", "ab", object()), length("shipped", "c", 0)] == [
        2,
        2,
        1,
    ]
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
    @remembered(1)
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


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(1, 500)), max_size=60))
def test_several_caches_stay_within_one_bound_and_the_value_that_came_last_is_there(
    uses: list[tuple[int, int, int]],
) -> None:
    caches = Caches(2000)
    rooms = [Bounded[bytes](1500, caches.fit) for _ in range(4)]
    caches.everybodys, caches.visitors = rooms[:3], rooms[3:]
    for room, key, length in uses:
        rooms[room].get((key, length), lambda length=length: b"a" * length)
        assert held(rooms) <= 2000
        assert (key, length) in rooms[room]._values


def test_beyond_the_bound_what_was_dearest_to_make_goes_last_and_visitors_displace_a_quarter_at_most() -> None:
    caches = Caches(10 * size(b"a" * 100))
    dear, cheap, own = rooms = [Bounded[bytes](1e6, caches.fit) for _ in range(3)]
    caches.everybodys, caches.visitors = [dear, cheap], [own]
    for key in range(5):
        dear.get(key, lambda: time.sleep(0.02) or b"a" * 100)
        cheap.get(key, lambda: b"a" * 100)
    for key in range(30):
        own.get(key, lambda: b"a" * 100)
    assert [len(room._values) for room in rooms] == [5, 3, 2]
