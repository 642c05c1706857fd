from math import log

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.attention import contexts, weigh
from regard.model.examples.pytorch_module import EntryByEntry, GeneralAttention, gradient, outcome, trial
from regard.model.scores import GeneralScore

FEW = st.integers(2, 8)
few = settings(max_examples=25)


def test_the_tutorials_module_by_hand() -> None:
    """q1 · h1 = log 3 and q2 · h2 = 0, so that the weights are 3 to 1; what else the queries hold counts nowhere."""
    queries, annotations = torch.tensor([[[log(3), 7.0], [5.0, 0.0]]]), torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    context, found = EntryByEntry(2)(queries, annotations)
    assert found[0].tolist() == pytest.approx([0.75, 0.25])
    assert context[0, 0].tolist() == pytest.approx([0.75, 0.25])


def test_a_gradient_reaches_only_the_module_set_right_and_is_as_long_as_finite_differences() -> None:
    made = trial(5, 8, 0)
    assert gradient(made.tutorials, made.queries, made.annotations) is None
    query, module = made.queries[:, 0].double(), made.repaired.double()
    annotations, W, step = made.annotations.double(), module.W.weight, 1e-6

    def total() -> float:
        with torch.no_grad():
            return module(query, annotations)[0].sum().item()

    here, slopes = total(), []
    for place in np.ndindex(*W.shape):
        with torch.no_grad():
            W[place] += step
            slopes.append((total() - here) / step)
            W[place] -= step
    assert gradient(module, query, annotations) == pytest.approx(float(np.linalg.norm(slopes)), rel=1e-4)


@few
@given(st.integers(1, 9), st.integers(2, 9))
def test_queries_fit_by_accident_or_stop_in_pytorch(steps: int, positions: int) -> None:
    told = outcome(EntryByEntry(3), torch.ones(1, steps, 3), torch.ones(1, positions, 3))
    if steps in (1, positions):
        assert told == f"context [1, 1, 3], weights [1, {positions}]"
    else:
        assert told.startswith(f"RuntimeError: The size of tensor a ({steps}) must match the size of tensor b")


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
@given(st.integers(1, 4), FEW, FEW, FEW, st.integers(0, 9999))
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
