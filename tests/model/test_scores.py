import math

import pytest
import torch
from torch import Tensor

from regard.model.scores import SCORES, ConcatScore, DotScore, GeneralScore, NoScore, Score
from tests.support.every_kind import LEARNED


def score(module: Score, state: list[float], annotation: list[float]) -> float:
    keys = module.keys(torch.tensor([[annotation]], dtype=torch.float32))
    return module(torch.tensor([[state]], dtype=torch.float32), keys).item()


def random(*sizes: int) -> Tensor:
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(sum(sizes)))


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


def test_no_score_compares_nothing() -> None:
    assert score(NoScore(2, 3), [1, 2], [3, 4, 5]) == 0
    assert NoScore(2, 3).keys(random(2, 5, 3)).shape == (2, 5, 0)
    assert not list(NoScore(2, 3).parameters())


def test_no_score_reaches_the_first_and_the_last_token_alone() -> None:
    tokens = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]]).bool()
    assert NoScore(2, 3).reach(tokens).int().tolist() == [[1, 0, 0, 0, 1], [1, 0, 1, 0, 0], [1, 0, 0, 0, 0]]


@pytest.mark.parametrize("name", LEARNED)
def test_a_learned_score_reaches_every_token(name: str) -> None:
    tokens = torch.tensor([[1, 1, 1], [1, 0, 0]]).bool()
    assert torch.equal(SCORES[name](4, 4).reach(tokens), tokens)


def test_general_with_the_identity_is_dot() -> None:
    general = GeneralScore(4, 4)
    general.W_a.weight.data = torch.eye(4)
    states, annotations = random(2, 3, 4), random(2, 5, 4)
    assert torch.allclose(general(states, general.keys(annotations)), DotScore(4, 4)(states, annotations))


def test_concat_is_the_additive_score_when_its_matrix_is_split_in_two() -> None:
    concat = ConcatScore(3, 4)
    states, annotations = random(2, 3), random(2, 4)
    W = torch.cat([concat.W.weight, concat.U.weight], dim=1)  # Luong's one matrix: (3, 3 + 4)
    together = torch.tanh(torch.cat([states, annotations], dim=1) @ W.T) @ concat.v.weight[0]
    split = concat(states.unsqueeze(1), concat.keys(annotations.unsqueeze(1))).flatten()
    assert torch.allclose(together, split, atol=1e-6)
    assert len(list(concat.parameters())) == 3  # no bias beside W, U and v


def test_the_dot_score_refuses_sizes_that_differ() -> None:
    with pytest.raises(ValueError, match="4 is not 3"):
        DotScore(3, 4)


@pytest.mark.parametrize("name", SCORES)
def test_each_pair_is_scored_by_itself(name: str) -> None:
    module = SCORES[name](4, 4)
    states, annotations = random(2, 3, 4), random(2, 5, 4)
    table = module(states, module.keys(annotations))
    assert table.shape == (2, 3, 5)
    alone = module(states[1:, 2:], module.keys(annotations[1:, 3:4]))
    assert table[1, 2, 3].item() == pytest.approx(alone.item(), abs=1e-6)


def test_the_scaled_score_is_the_general_one_by_the_root_of_the_states_size() -> None:
    torch.manual_seed(0)
    general, scaled = SCORES["general"](9, 4), SCORES["scaled_dot"](9, 4)
    scaled.load_state_dict(general.state_dict())
    states, annotations = torch.randn(2, 3, 9), torch.randn(2, 5, 4)
    expected = general(states, general.keys(annotations)) / 3
    assert torch.allclose(scaled(states, scaled.keys(annotations)), expected)
