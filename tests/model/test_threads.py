from collections.abc import Iterator
from threading import Event, Thread

import pytest
import torch

from regard.model.threads import SETTING, decoding_threads


@pytest.fixture(autouse=True)
def three_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """PyTorch has three threads, and the environment does not say how many."""
    monkeypatch.delenv(SETTING, raising=False)
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def decoding() -> Iterator[int]:
    """Yield the number of threads at each step of a decoder, twice."""
    with decoding_threads():
        yield torch.get_num_threads()
        yield torch.get_num_threads()


@pytest.mark.parametrize("first", [0, 1])
def test_overlapping_contexts_have_one_thread_and_the_last_restores_the_number(first: int) -> None:
    streams = [decoding(), decoding()]
    assert [next(stream) for stream in streams] == [1, 1]
    assert list(streams[first]) == [1]
    assert list(streams[1 - first]) == [1]
    assert torch.get_num_threads() == 3


def test_threads_that_decode_at_the_same_time_restore_the_number_each() -> None:
    entered, left, found = Event(), Event(), list[int]()

    def decode() -> None:
        with decoding_threads():
            entered.set()
            left.wait(5)
            found.append(torch.get_num_threads())
        found.append(torch.get_num_threads())

    other = Thread(target=decode)
    with decoding_threads():
        other.start()
        entered.wait(5)
    found.append(torch.get_num_threads())
    left.set()
    other.join()
    new = Thread(target=lambda: found.append(torch.get_num_threads()))
    new.start()
    new.join()
    assert found == [3, 1, 3, 3]


def test_the_environment_decides_if_it_names_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "3")
    assert list(decoding()) == [3, 3]
