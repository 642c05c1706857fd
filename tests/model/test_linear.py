"""Linear layers of loaded models: the float16 product, the cases that need float32, and machines without FBGEMM."""

from collections.abc import Iterator
from threading import Event, Thread

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from regard.model.linear import SETTING, decoding_threads, linear, make_ready, packed_bytes


def made(*shape: int, seed: int = 1) -> Tensor:
    """Random numbers that float16 holds exactly."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).half().float()


@given(
    rows=st.lists(st.integers(0, 5), max_size=3),
    sides=st.tuples(st.integers(1, 70), st.integers(1, 70)),
    seed=st.integers(0, 1000),
)
def test_a_packed_matrix_gives_the_product_of_its_numbers(rows: list[int], sides: tuple[int, int], seed: int) -> None:
    matrix, bias = made(*sides, seed=seed), made(sides[0], seed=seed + 1)
    inputs = torch.randn(*rows, sides[1], generator=torch.Generator().manual_seed(seed))
    make_ready(matrix, bias)
    exact = inputs.double() @ matrix.double().T + bias.double()
    with torch.no_grad():
        torch.testing.assert_close(linear(inputs, matrix, bias).double(), exact, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("changed", [0, 1])
def test_what_was_changed_in_place_is_read_anew(changed: int) -> None:
    layer, inputs = (made(6, 4), made(6)), torch.ones(1, 4)
    make_ready(*layer)
    with torch.inference_mode():
        layer[changed].mul_(2)
        torch.testing.assert_close(linear(inputs, *layer), (layer[0].sum(1) + layer[1])[None])


def test_without_fbgemm_as_on_arm_the_product_is_pytorchs_of_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.quantized, "engine", "qnnpack")
    matrix, bias, inputs = made(6, 4), made(6), torch.ones(2, 4)
    make_ready(matrix, bias)
    assert packed_bytes(matrix) == 0
    assert matrix.t().is_contiguous()
    with torch.no_grad():
        assert torch.equal(linear(inputs, matrix, bias), torch.nn.functional.linear(inputs, matrix, bias))


@pytest.fixture
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
@pytest.mark.usefixtures("three_threads")
def test_overlapping_contexts_have_one_thread_and_the_last_restores_the_number(first: int) -> None:
    streams = [decoding(), decoding()]
    assert [next(stream) for stream in streams] == [1, 1]
    assert list(streams[first]) == [1]
    assert list(streams[1 - first]) == [1]
    assert torch.get_num_threads() == 3


@pytest.mark.usefixtures("three_threads")
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


@pytest.mark.usefixtures("three_threads")
def test_the_environment_decides_if_it_names_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, "3")
    assert list(decoding()) == [3, 3]
