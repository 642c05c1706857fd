from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy import ndarray
from torch import Tensor

from regard.model.analysis.faithfulness import (
    COUNTERFACTUALS,
    counterfactual,
    gradient_by_input,
    kendall,
    leave_one_out,
    replaced,
)
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained, load
from regard.model.seq2seq import pad
from regard.model.tokenizer import START, STOP
from regard.model.trace import AnyTrace
from regard.model.translate import force, translate
from tests.support.small_transformer import small_transformer

MODELS = (
    {},
    {"score": "dot"},
    {"score": "concat", "cell": "gru"},
    {"wiring": "bahdanau", "score": "concat"},
    {"wiring": "bahdanau", "cell": "gru"},
    {"score": "none", "initial_state": "encoder"},
    {"input_feeding": True, "initial_state": "encoder"},
)
PAIR = ("The cat sat on a mat.", "Le chat est assis.")
EVERYWHERE = np.ones(3, dtype=bool)


def changed(kind: str, weights: list[float], reach: ndarray = EVERYWHERE, seed: int = 0) -> list[float]:
    given_weights = np.array(weights, dtype=np.float32)
    return COUNTERFACTUALS[kind](given_weights, reach, np.random.default_rng(seed)).tolist()


@pytest.fixture(scope="session", params=MODELS, ids=str)
def model(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> Pretrained:
    return sharpened(make_model(**request.param))


def sharpened(model: Pretrained) -> Pretrained:
    """Small random weights give even attention and even distributions, whatever one changes."""
    with torch.no_grad():
        for parameter in model.network.parameters():
            parameter.mul_(6)
    return model


def test_exchanged_weights_are_those_worked_out_by_hand() -> None:
    weights = [0.125, 0.625, 0.25]
    assert changed("uniform", weights) == pytest.approx([1 / 3] * 3)
    assert changed("only the maximum", weights) == [0, 1, 0]
    assert changed("all but the maximum", weights) == pytest.approx([1 / 3, 0, 2 / 3])
    assert changed("last position", weights) == [0, 0, 1]
    masked = np.array([True, False, True])
    assert changed("uniform", [0.75, 0, 0.25], masked) == [0.5, 0, 0.5]
    assert changed("permuted", [0.75, 0, 0.25], masked) == [0.25, 0, 0.75]
    assert changed("all but the maximum", [1, 0, 0]) == [0, 0.5, 0.5]


@given(
    scores=st.lists(st.floats(-200, 20, width=32), min_size=1, max_size=9),
    hidden=st.sets(st.integers(0, 7)),
    seed=st.integers(0, 99),
)
def test_exchanged_weights_share_one_among_the_positions_within_reach(
    scores: list[float], hidden: set[int], seed: int
) -> None:
    reach = np.array([place not in hidden or place == len(scores) - 1 for place in range(len(scores))])
    weights = torch.tensor(scores).masked_fill(~torch.tensor(reach), -torch.inf).softmax(0).numpy()
    for change in COUNTERFACTUALS.values():
        found = change(weights, reach, np.random.default_rng(seed))
        assert found.dtype == weights.dtype
        assert (found >= 0).all()
        assert found.sum() == pytest.approx(1, abs=1e-5)
        assert not found[~reach].any()
    shuffled = COUNTERFACTUALS["permuted"](weights, reach, np.random.default_rng(seed))
    np.testing.assert_array_equal(np.sort(shuffled), np.sort(weights))
    if (weights == weights.max()).sum() == 1 and reach.sum() > 1:
        assert shuffled.argmax() != weights.argmax()


def test_weights_replaced_by_themselves_give_the_trace_again(model: Pretrained) -> None:
    for trace in [*translate(model, [PAIR[0], ""]), *force(model, [PAIR])]:
        same = replaced(model, trace, trace.weights)
        np.testing.assert_allclose(same.top_probabilities, trace.top_probabilities, atol=2e-5)
        np.testing.assert_allclose(same.probabilities, np.exp(trace.log_probabilities), atol=2e-5)
        np.testing.assert_array_equal(same.top_ids[:, 0], trace.top_ids[:, 0])
        assert same.top_tokens[0][0] == trace.top_tokens[0][0]
        assert same.stays.all()


@pytest.mark.parametrize("kind", COUNTERFACTUALS)
@pytest.mark.parametrize("transformer", [False, True])
def test_each_step_is_changed_alone_as_an_intervention_changes_it(
    model: Pretrained, kind: str, transformer: bool
) -> None:
    made: Any = small_transformer() if transformer else model
    (trace,) = force(made, [PAIR])
    found = counterfactual(made, trace, kind, seed=3)
    for place in (0, 1, len(trace.target) - 1):
        row = tuple(found.weights[place].tolist())
        again = what_if.translate(made, PAIR[0], Intervention(weights=((place, row),)), PAIR[1])
        assert found.best_ids[place] == likeliest(again, place)
        assert found.probabilities[place] == pytest.approx(np.exp(again.log_probabilities[place]), abs=2e-5)
        np.testing.assert_allclose(found.top_probabilities[place], again.top_probabilities[place], atol=2e-5)
        assert found.stays[place] == (likeliest(again, place) == likeliest(trace, place))


def likeliest(trace: AnyTrace, step: int) -> int:
    return next(token for token in trace.top_ids[step].tolist() if token >= STOP)


@pytest.mark.parametrize("kind", [*MODELS, None], ids=str)
def test_a_gradient_by_input_is_how_the_log_probability_moves_when_the_embedding_grows(
    kind: dict[str, str] | None, make_model: Callable[..., Pretrained]
) -> None:
    model: Any = small_transformer(torch.float64)
    if kind is not None:
        model = load(sharpened(make_model(**kind)).folder, torch.float64)
    (trace,), network, small = force(model, [PAIR]), model.network, 1e-6
    ids, fed = torch.tensor(trace.source_ids)[None], torch.tensor([[START, *trace.target_ids[:-1].tolist()]])

    def chances(factors: Tensor) -> Tensor:
        embeddings = network.source_embeddings(ids) * factors[:, None]
        memory = network.encode_embeddings(embeddings, torch.ones_like(ids, dtype=torch.bool))
        found = network.logits(network.vectors(fed, memory)[0]).log_softmax(1)
        return found.gather(1, torch.tensor(trace.target_ids)[:, None]).squeeze(1)

    ones = torch.ones(ids.shape[1], dtype=torch.float64)
    steps = [small * row for row in torch.eye(len(ones), dtype=torch.float64)]
    slopes = np.array([((chances(ones + by) - chances(ones - by)) / (2 * small)).abs().numpy() for by in steps]).T
    found = gradient_by_input(model, trace)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-9)
    np.testing.assert_allclose(found, slopes / slopes.sum(1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("kind", [*MODELS, None], ids=str)
def test_leaving_a_token_out_moves_the_distribution_by_half_the_sum_of_differences(
    kind: dict[str, str] | None, make_model: Callable[..., Pretrained]
) -> None:
    model = small_transformer() if kind is None else sharpened(make_model(**kind))
    (trace,) = force(model, [PAIR])
    found, ids, target = leave_one_out(model, trace), trace.source_ids.tolist(), torch.tensor(trace.target_ids)[None]
    whole = model.network(pad([ids]), target).softmax(1)
    for place in (0, 1, len(ids) - 2):
        without = model.network(pad([ids[:place] + ids[place + 1 :]]), target).softmax(1)
        np.testing.assert_allclose(found[:, place], (without - whole).abs().sum(1) / 2, atol=1e-4)
    assert np.isnan(found[:, -1]).all()
    assert ((found[:, :-1] >= 0) & (found[:, :-1] <= 1)).all()


def test_tau_compares_orders_as_counted_by_hand() -> None:
    one = np.array([[1, 2, 3], [1, 2, 3], [1, 1, 2], [1, 2, 3], [5, 5, 5], [1, 2, 3], [1, 2, 3]], dtype=float)
    other = np.array([[1, 3, 2], [9, 5, 1], [1, 2, 3], [1, 2, 0], [1, 2, 3], [1, 2, np.nan], [2, 1, np.nan]])
    mask = np.ones_like(one, dtype=bool)
    mask[3, 2] = mask[6, 1] = False
    # 2 pairs agree and 1 does not; none agrees; 2 agree and 1 is tied on one side; 1 pair is left; none differs
    np.testing.assert_allclose(kendall(one, other, mask), [1 / 3, -1, 2 / sqrt(6), 1, np.nan, 1, np.nan])


def test_what_does_not_belong_together_is_refused_by_name(tiny_model: Pretrained, model: Pretrained) -> None:
    trace = translate(tiny_model, ["I love you."])[0]
    with pytest.raises(ValueError, match="kind is 'none'; it must be one of uniform, permuted, only the maximum"):
        counterfactual(tiny_model, trace, "none")
    if model.fingerprint != tiny_model.fingerprint:
        for ask in (gradient_by_input, leave_one_out, lambda model, trace: counterfactual(model, trace, "uniform")):
            with pytest.raises(ValueError, match="the trace was made by model"):
                ask(model, trace)
