from typing import Any

import numpy as np
import pytest
import torch
from numpy import ndarray
from torch import Tensor

from regard.model.analysis.attention_search import DIGITS, AttentionSearch, Outcome, search_attention
from regard.model.autoregression import retake, standing
from regard.model.changes import what_if
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.reference.recompute import recompute
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.translate import translate
from tests.support.every_kind import named
from tests.support.letter_models import make_speller, weights_of
from tests.support.small_transformer import small_transformer

SEEDS: list[tuple[dict[str, Any], int]] = [  # with which step STEP can be made to write another token, and not all
    ({}, 6),
    ({"score": "dot", "cell": "gru"}, 2),
    ({"score": "concat", "wiring": "bahdanau", "cell": "gru"}, 6),
    ({"input_feeding": True}, 3),
    ({"score": "none", "initial_state": "encoder"}, 1),
]
TWO = "ab"  # with `</s>` three source positions
STEP, PENALTY = 1, 0.1
LETTERS = 5
FINE = 60  # steps of the grid between two positions
LOWER = 0.01  # nats by which a search that starts from few places may miss the lowest of all
NEARLY = 0.05  # logits within which a grid says too little of a token


@pytest.fixture(scope="module", params=SEEDS, ids=lambda kind: named(kind[0]) or "general")
def model(request: pytest.FixtureRequest) -> Pretrained:
    kind, seed = request.param
    return make_speller(LETTERS, seed, **kind)


@pytest.fixture(scope="module")
def trace(model: Pretrained) -> Trace:
    return translate(model, [TWO])[0]


@pytest.fixture(scope="module")
def searched(model: Pretrained, trace: Trace) -> dict[int, AttentionSearch]:
    """Return the search for every token that can be written."""
    return {token: search_attention(model, trace, STEP, token, PENALTY) for token in range(STOP, len(model.tokenizer))}


def grid(model: Pretrained, trace: Trace) -> tuple[ndarray, Tensor]:
    """Weights from end to end of what may be looked at, and the logits that each gives."""
    points = [(i, j, FINE - i - j) for i in range(FINE + 1) for j in range(FINE + 1 - i)]
    weights = np.array(points, dtype=np.float32) / FINE
    weights = weights[(weights[:, ~trace.mask[STEP]] == 0).all(1)]
    with torch.no_grad():
        logits = retake(model, standing(model, trace, [STEP] * len(weights)), torch.tensor(weights))
    return weights, logits


def leads(logits: Tensor, token: int) -> Tensor:
    """Logits by which a token stands above all others that can be written, below 0 where it does not."""
    others = [other for other in range(STOP, logits.shape[1]) if other != token]
    return logits[:, token] - logits[:, others].amax(1)


def outcomes(found: AttentionSearch) -> list[Outcome]:
    firsts = [found.first] if found.first else []
    return [found.own, found.found, *firsts, *(outcome for _, outcome in found.corners)]


def test_the_search_puts_first_what_a_grid_over_all_weights_puts_first_and_nothing_else(
    model: Pretrained, trace: Trace, searched: dict[int, AttentionSearch]
) -> None:
    _, logits = grid(model, trace)
    reached = {token: leads(logits, token).max().item() for token in searched}
    clear = {token: lead > 0 for token, lead in reached.items() if abs(lead) > NEARLY}
    own = int(trace.target_ids[STEP])
    assert {expected for token, expected in clear.items() if token != own} == {True, False}
    for token, expected in clear.items():
        assert (searched[token].first is not None) == expected
        assert searched[token].best.wanted.rank == 1 or not expected


def test_no_weights_of_a_grid_come_lower_than_the_search(
    model: Pretrained, trace: Trace, searched: dict[int, AttentionSearch]
) -> None:
    weights, logits = grid(model, trace)
    own = np.where(trace.mask[STEP], trace.weights[STEP], 1)
    costs = np.where(weights > 0, weights * np.log(np.maximum(weights, 1e-30) / own), 0).sum(1)
    for token, asked in searched.items():
        lowest = (PENALTY * costs - logits.log_softmax(1)[:, token].numpy()).min()
        assert PENALTY * asked.found.cost - np.log(asked.found.wanted.probability) < lowest + LOWER


def test_weights_share_one_and_masked_positions_have_none_of_it(
    trace: Trace, searched: dict[int, AttentionSearch]
) -> None:
    for asked in searched.values():
        for weights in (outcome.weights for outcome in outcomes(asked)):
            assert (weights >= 0).all()
            assert weights.astype(np.float32).sum() == pytest.approx(1, abs=1e-6)
            assert not weights[~trace.mask[STEP]].any()
        for outcome in (asked.found, asked.best):
            np.testing.assert_array_equal(outcome.weights, outcome.weights.round(DIGITS))


def test_the_reference_gives_the_probability_that_the_search_tells(
    model: Pretrained, trace: Trace, searched: dict[int, AttentionSearch]
) -> None:
    exact = weights_of(model)
    for token, asked in searched.items():
        best, steering = asked.best, asked.intervention.steering(len(trace.target), len(trace.source))
        logits = recompute(exact, trace.source_ids, trace.target_ids, steering).logits[STEP]
        chances = np.exp(logits - np.logaddexp.reduce(logits))
        assert best.wanted.probability == pytest.approx(chances[token], abs=1e-5)
        assert best.wanted.rank == 1 + (logits[STOP:] > logits[token]).sum()
        for shift in asked.shifts:
            assert shift.after.probability == pytest.approx(chances[shift.token], abs=1e-5)
            assert shift.after.rank == 1 + (logits[STOP:] > logits[shift.token]).sum()


def test_cost_and_distance_are_those_of_their_definitions(trace: Trace, searched: dict[int, AttentionSearch]) -> None:
    own = trace.weights[STEP].astype(np.float64)
    for asked in searched.values():
        for outcome in outcomes(asked):
            used = outcome.weights > 0
            cost = (outcome.weights[used] * np.log(outcome.weights[used] / own[used])).sum()
            assert outcome.cost == pytest.approx(cost, abs=1e-5)
            assert outcome.moved == pytest.approx(np.abs(outcome.weights - own).sum() / 2, abs=1e-5)


def test_what_cannot_be_searched_for_is_refused_by_name(model: Pretrained, trace: Trace) -> None:
    steps = len(trace.target)
    for wrong, said in (
        ((steps, 3, 0.1), f"step is {steps}; this translation has 0 to {steps - 1}"),
        ((0, 0, 0.1), "token is 0; those that can be written are 2 to 7"),
        ((0, 8, 0.1), "token is 8"),
        ((0, 3, -0.1), "penalty is -0.1; it must be a number of at least 0"),
        ((0, 3, float("nan")), "penalty is nan"),
    ):
        with pytest.raises(ValueError, match=said):
            search_attention(model, trace, *wrong)
    with pytest.raises(ValueError, match="the trace was made by speller"):
        search_attention(make_speller(LETTERS, seed=9), trace, 0, 3)


def test_a_transformer_writes_the_token_with_the_weights_found_in_every_head() -> None:
    model = small_transformer()
    (trace,) = translate(model, ["I love you."])
    asked = next(
        asked
        for token in trace.top_ids[2, 1:]
        if (asked := search_attention(model, trace, 2, int(token), PENALTY)).first
    )
    own = trace.top_probabilities[2, trace.top_ids[2].tolist().index(asked.token)]
    assert asked.own.wanted.probability == pytest.approx(float(own), abs=1e-5)
    assert asked.own.written == trace.target[2]
    changed = what_if.translate(model, "I love you.", asked.intervention)
    assert changed.target_ids[2] == asked.token
    assert np.exp(changed.log_probabilities[2]) == pytest.approx(asked.best.wanted.probability, abs=1e-5)
    for layer in changed.cross_attention.weights:
        assert np.allclose(layer[:, 2], asked.best.weights, atol=1e-6)
    with pytest.raises(InputError, match="caches are not equally long"):
        standing(model, trace, [1, 2])
