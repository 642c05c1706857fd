import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from regard.model.attention import NO_STEERING, Steering, steer, weigh

SCORES = st.lists(st.floats(-(2.0**100), 2.0**100, width=32), min_size=1, max_size=8)


def attend(scores: list[float], mask: list[bool] | None = None) -> Tensor:
    shown = torch.tensor(mask) if mask else torch.ones(len(scores), dtype=torch.bool)
    return weigh(torch.tensor(scores)[None, None], shown[None, None])[0, 0]


@pytest.fixture
def step() -> tuple[Tensor, Tensor]:
    """Scores and mask of three sentences, the last one padded."""
    mask = torch.ones(3, 5, dtype=torch.bool)
    mask[2, 3:] = False
    return torch.randn(3, 5, generator=torch.Generator().manual_seed(1)), mask


@given(SCORES)
def test_weights_are_never_negative_and_sum_to_1(scores: list[float]) -> None:
    weights = attend(scores)
    assert weights.min() >= 0
    assert weights.sum().item() == pytest.approx(1, abs=1e-6)


@given(SCORES, st.data())
def test_what_the_mask_hides_weighs_exactly_0(scores: list[float], data: st.DataObject) -> None:
    mask = data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)).filter(any))
    weights = attend(scores, mask)
    assert all(weight == 0 for weight, shown in zip(weights.tolist(), mask, strict=True) if not shown)
    assert weights.sum().item() == pytest.approx(1, abs=1e-6)


@given(SCORES, st.data())
def test_what_the_mask_hides_does_not_change_the_rest(scores: list[float], data: st.DataObject) -> None:
    hidden = data.draw(SCORES)
    mask = [True] * len(scores) + [False] * len(hidden)
    assert torch.allclose(attend(scores + hidden, mask)[: len(scores)], attend(scores), atol=1e-7)


def test_neutral_steering_changes_nothing_bit_for_bit(step: tuple[Tensor, Tensor]) -> None:
    neutral = Steering(
        torch.zeros(3, 5), torch.ones(3, 1), torch.zeros(3, 5, dtype=torch.bool), torch.rand(3, 5),
        torch.zeros(3, 1, dtype=torch.bool),
    )  # fmt: skip
    for steered in (Steering.none(), neutral):
        for plain, changed in zip(steer(*step, NO_STEERING), steer(*step, steered), strict=True):
            assert torch.equal(plain, changed)
