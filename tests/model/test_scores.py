import math

import pytest
import torch

from regard.model.scores import ConcatScore, DotScore, GeneralScore, Score


def score(module: Score, state: list[float], annotation: list[float]) -> float:
    keys = module.keys(torch.tensor([[annotation]], dtype=torch.float32))
    return module(torch.tensor([[state]], dtype=torch.float32), keys).item()


def test_the_dot_score_by_hand() -> None:
    assert score(DotScore(2, 2), [1, 2], [3, 4]) == 11


def test_the_general_score_by_hand() -> None:
    general = GeneralScore(2, 3)
    general.W_a.weight.data = torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 2.0]])  # W_a h = (4, 3 + 2 · 5)
    assert score(general, [1, 2], [3, 4, 5]) == 4 + 2 * 13


def test_the_concat_score_by_hand() -> None:
    concat = ConcatScore(2, 3)
    concat.W.weight.data = torch.eye(2)
    concat.U.weight.data = torch.eye(2, 3)
    concat.v.weight.data = torch.tensor([[1.0, 2.0]])
    state, annotation = [math.log(2), 0.0], [0.0, math.log(3), 7.0]  # tanh(log 2) = 0.6, tanh(log 3) = 0.8
    assert score(concat, state, annotation) == pytest.approx(0.6 + 2 * 0.8)


def test_the_dot_score_refuses_sizes_that_differ() -> None:
    with pytest.raises(ValueError, match="4 is not 3"):
        DotScore(3, 4)
