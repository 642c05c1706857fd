from math import log

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from regard.model.attention import contexts, weigh
from regard.model.examples.pytorch_module import (
    EntryByEntry,
    GeneralAttention,
    Trial,
    compare,
    distance,
    gradients,
    in_numpy,
    outcome,
    scores,
    trial,
    weights,
)
from regard.model.reference.formulas import softmax
from regard.model.scores import GeneralScore

SEEDS = st.integers(0, 9999)
FEW = st.integers(2, 8)
few = settings(max_examples=25)


@pytest.fixture
def five() -> Trial:
    """Five positions of eight numbers, as many queries."""
    return trial(5, 8, 0)


def general(W: list[list[float]]) -> GeneralAttention:
    module = GeneralAttention(len(W), len(W[0]))
    module.W.weight.data = torch.tensor(W)
    return module


def test_the_tutorials_module_by_hand() -> None:
    """q1 · h1 = log 3 and q2 · h2 = 0, so that the weights are 3 to 1; what else the queries hold counts nowhere."""
    queries, annotations = torch.tensor([[[log(3), 7.0], [5.0, 0.0]]]), torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    context, found = EntryByEntry(2)(queries, annotations)
    assert found[0].tolist() == pytest.approx([0.75, 0.25])
    assert context[0, 0].tolist() == pytest.approx([0.75, 0.25])


def test_the_module_set_right_by_hand() -> None:
    """W h1 = (0, 1) and W h2 = (1, 0), so that q · W h is 0 and log 3."""
    context, found = general([[0.0, 1.0], [1.0, 0.0]])(
        torch.tensor([[log(3), 0.0]]), torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    )
    assert found[0].tolist() == pytest.approx([0.25, 0.75])
    assert context[0].tolist() == pytest.approx([0.25, 0.75])


def test_no_gradient_reaches_what_the_tutorials_module_declares(five: Trial) -> None:
    assert gradients(five.tutorials, five.queries, five.annotations) == {"W.weight": None, "W.bias": None}


def test_a_gradient_reaches_the_module_set_right(five: Trial) -> None:
    """Its length is that of the change that finite differences measure."""
    query, module = five.queries[:, 0].double(), five.repaired.double()
    annotations, W, step = five.annotations.double(), module.W.weight, 1e-6

    def total() -> float:
        with torch.no_grad():
            return module(query, annotations)[0].sum().item()

    found = gradients(module, query, annotations)["W.weight"]
    here, slopes = total(), []
    for place in np.ndindex(*W.shape):
        with torch.no_grad():
            W[place] += step
            slopes.append((total() - here) / step)
            W[place] -= step
    assert found == pytest.approx(float(np.linalg.norm(slopes)), rel=1e-4)
    assert found


@few
@given(SEEDS, FEW, st.floats(-3, 3))
def test_other_parameters_change_nothing_in_one_module_and_the_weights_in_the_other(
    seed: int, positions: int, factor: float
) -> None:
    made = trial(positions, 4, seed)
    for query in (made.queries, made.queries[:, :1]):
        unchanged = weights(made.tutorials, query, made.annotations)
        assert np.array_equal(weights(made.tutorials, query, made.annotations, factor), unchanged)
    if abs(factor - 1) > 0.1:
        query = made.queries[:, 0]
        changed = weights(made.repaired, query, made.annotations, factor)
        assert not np.array_equal(changed, weights(made.repaired, query, made.annotations))


@few
@given(SEEDS, FEW)
def test_each_position_is_scored_by_a_query_of_its_own(seed: int, positions: int) -> None:
    made = trial(positions, 4, seed)
    grid = scores(made)
    assert grid == pytest.approx(np.array([[q @ h for h in made.annotations[0]] for q in made.queries[0]]), abs=1e-5)
    assert compare(made, 0).at_once == pytest.approx(softmax(np.diagonal(grid)), abs=1e-5)
    assert compare(made, positions - 1).alone == pytest.approx(softmax(grid[-1]), abs=1e-5)


@few
@given(st.integers(2, 9), st.integers(2, 9))
def test_queries_fit_by_accident_or_stop_in_pytorch(steps: int, positions: int) -> None:
    told = outcome(EntryByEntry(3), torch.ones(1, steps, 3), torch.ones(1, positions, 3))
    if steps == positions:
        assert told == f"context [1, 1, 3], weights [1, {positions}]"
    else:
        assert told == (
            f"RuntimeError: The size of tensor a ({steps}) must match the size of tensor b ({positions}) at "
            "non-singleton dimension 1"
        )


def test_one_query_gives_what_looks_the_same(five: Trial) -> None:
    shapes = {outcome(five.tutorials, five.queries[:, :steps], five.annotations) for steps in (1, 5)}
    assert shapes == {"context [1, 1, 8], weights [1, 5]"}


@pytest.mark.parametrize(
    ("query", "annotations"),
    [((1, 5, 4), (1, 6, 3)), ((2, 4), (1, 6, 3)), ((1, 3), (1, 6, 3)), ((1, 4), (6, 3)), ((1, 4), (1, 6, 4))],
)
def test_shapes_that_do_not_fit_are_told_beside_those_that_would(
    query: tuple[int, ...], annotations: tuple[int, ...]
) -> None:
    told = outcome(GeneralAttention(4, 3), torch.ones(query), torch.ones(annotations))
    needed = "[sentences, 4] and [sentences, positions, 3]"
    assert told == f"ValueError: needed {needed}, found {[*query]} and {[*annotations]}"


@few
@given(st.integers(1, 4), FEW, FEW, FEW, SEEDS)
def test_the_module_set_right_is_the_general_score_and_the_attention_of_the_models_here(
    sentences: int, positions: int, state: int, annotation: int, seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    query = torch.randn(sentences, state, generator=generator)
    annotations = torch.randn(sentences, positions, annotation, generator=generator)
    module, score = GeneralAttention(state, annotation), GeneralScore(state, annotation)
    score.W_a.load_state_dict(module.W.state_dict())
    with torch.no_grad():
        context, found = module(query, annotations)
        table = score(query.unsqueeze(1), score.keys(annotations))
        expected = weigh(table, torch.ones(sentences, 1, positions, dtype=torch.bool))
    assert torch.allclose(found, expected.squeeze(1), atol=1e-5)
    assert torch.allclose(context, contexts(expected, annotations).squeeze(1), atol=1e-5)


@few
@given(SEEDS, FEW, FEW)
def test_the_module_set_right_equals_numpy(seed: int, positions: int, size: int) -> None:
    made = trial(positions, size, seed)
    assert distance(made) < 1e-5
    query, annotations, W = (
        part.detach().numpy() for part in (made.queries[0, 0], made.annotations[0], made.repaired.W.weight)
    )
    assert in_numpy(query, annotations, W)[1] == pytest.approx(compare(made, 0).repaired, abs=1e-5)


def test_the_distance_to_numpy_is_measured(five: Trial) -> None:
    class Off(GeneralAttention):
        def forward(self, query: Tensor, annotations: Tensor) -> tuple[Tensor, Tensor]:
            context, found = super().forward(query, annotations)
            return context + 0.25, found

    off = Off(8, 8)
    off.load_state_dict(five.repaired.state_dict())
    assert distance(Trial(five.queries, five.annotations, five.tutorials, off)) == pytest.approx(0.25, abs=1e-5)


def test_a_seed_is_the_same_numbers_and_both_modules_have_the_same_w() -> None:
    one, same, other = trial(5, 4, 3), trial(5, 4, 3), trial(5, 4, 4)
    assert torch.equal(one.queries, same.queries)
    assert torch.equal(one.tutorials.W.weight, same.repaired.W.weight)
    assert not torch.equal(one.queries, other.queries)
    assert isinstance(one.tutorials.W, nn.Linear)
