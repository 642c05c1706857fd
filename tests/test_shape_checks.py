from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import Float, jaxtyped
from numpy import ndarray

from regard.model.attention import contexts
from regard.model.trace import Maker

check: Callable[[Any], Any] = jaxtyped(typechecker=beartype)


@check
def outer(one: Float[ndarray, "A B"], other: Float[ndarray, "B"], wrong: bool = False) -> Float[ndarray, "A B+1"]:
    inner(np.zeros(len(other) + 1))  # its letters are its own
    return np.zeros((len(one), len(other) + (not wrong)))


@check
def inner(one: Float[ndarray, "B"]) -> int:
    return len(one)


@check
def plain(number: int) -> str:
    return "one" if number == 1 else number  # type: ignore[return-value]


@check
def rows(one: Float[ndarray, "A B"]) -> Iterator[Float[ndarray, "B"]]:
    yield from one


@check
@dataclass(frozen=True, eq=False)
class Pair:
    one: Float[ndarray, "A"]
    other: Float[ndarray, "A"]


def test_what_agrees_passes() -> None:
    assert outer(np.zeros((2, 3)), np.zeros(3)).shape == (2, 4)
    assert plain(1) == "one"
    assert [len(row) for row in rows(np.zeros((2, 3)))] == [3, 3]
    assert len(Pair(np.zeros(2), np.zeros(2)).one) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: outer(np.zeros((2, 3)), np.zeros(4)),  # one letter, two sizes
        lambda: outer(np.zeros((2, 3)), other=np.zeros((3, 1))),  # a dimension more
        lambda: outer(np.zeros((2, 3)), np.zeros(3), wrong=True),  # the result is not what the letters say
        lambda: outer(np.zeros((2, 3), dtype=int), np.zeros(3)),
        lambda: rows(np.zeros(3)),
        lambda: Pair(np.zeros(2), np.zeros(3)),
        lambda: plain("1"),  # type: ignore[arg-type]
        lambda: plain(2),
    ],
)
def test_what_disagrees_is_an_error(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"violates|Type-check error"):
        wrong()


def test_so_are_the_functions_and_values_of_the_model() -> None:
    with pytest.raises(TypeError, match="violates"):
        Maker(1, "", "", "", "", ())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="violates"):
        contexts(torch.zeros(1, 2, 3), torch.zeros(1, 4, 5))
