from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from regard.model.analysis.gradient_search import (
    FLAT,
    ITERATIONS,
    RATE,
    SMOOTHING,
    Aim,
    Goal,
    SearchedWeights,
    SmoothedSlopes,
    aim,
    descend,
    first,
    measure,
    objective,
    slopes,
)
from regard.model.reference.formulas import NumpySteering
from regard.model.reference.recompute import recompute
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.translate import translate
from tests.support.every_kind import named
from tests.support.letter_models import make_speller, weights_of

MODELS: list[dict[str, Any]] = [
    {"score": "general"},
    {"score": "concat", "wiring": "bahdanau", "cell": "gru"},
    {"score": "dot", "input_feeding": True},
    {"score": "none", "initial_state": "encoder"},
]
STEP, TOKEN, PENALTY = 1, 4, 0.7
SCORES = torch.tensor([[0.3, -0.8, 0.5], [-1.0, 0.2, 0.1]]).double()


@pytest.fixture(scope="module", params=MODELS, ids=named)
def wanted(request: pytest.FixtureRequest) -> Aim:
    return aim(*exact(request.param), STEP, TOKEN, PENALTY)


def exact(kind: dict[str, Any]) -> tuple[Any, Trace]:
    """A model in float64, and a translation of two letters."""
    model = make_speller(5, **kind)
    model.network.double()
    return model, translate(model, ["ab"])[0]


def weighed(wanted: Aim, scores: Tensor) -> Tensor:
    return scores.masked_fill(~wanted.reach, -torch.inf).softmax(1)


def tried(wanted: Aim, scores: Tensor) -> SearchedWeights:
    with torch.no_grad():
        return measure(wanted, weighed(wanted, scores))


@pytest.mark.parametrize("goal", [objective, first])
def test_a_slope_is_how_the_goal_moves_with_a_score(wanted: Aim, goal: Goal) -> None:
    weights, small = weighed(wanted, SCORES), 1e-6
    _, slope = slopes(wanted, weights, goal)
    assert not slope[:, ~wanted.reach].any()
    for place in range(3):
        moved = torch.zeros(3).double()
        moved[place] = small
        more, less = (goal(tried(wanted, SCORES + by)) for by in (moved, -moved))
        torch.testing.assert_close((weights * slope)[:, place], (more - less) / (2 * small), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("kind", MODELS, ids=named)
def test_what_weights_give_is_what_the_reference_makes_of_them(kind: dict[str, Any]) -> None:
    model, trace = exact(kind)
    asked = aim(model, trace, STEP, TOKEN, PENALTY)
    found = tried(asked, SCORES)
    reach, none = trace.mask[STEP], NumpySteering.none()
    for row, weights in enumerate(found.weights.numpy()):
        at = np.arange(len(trace.target))[:, None] == STEP
        steering = replace(none, weights=weights[None], replaced=at)
        logits = recompute(weights_of(model), trace.source_ids, trace.target_ids, steering).logits[STEP]
        chances = logits - np.logaddexp.reduce(logits)
        cost = (weights[reach] * np.log(weights[reach] / trace.weights[STEP, reach])).sum()
        others = [other for other in range(STOP, len(logits)) if other != TOKEN]
        assert found.wanted[row] == pytest.approx(chances[TOKEN])
        assert found.likeliest[row] == pytest.approx(chances[trace.target_ids[STEP]])
        assert found.cost[row] == pytest.approx(cost)
        assert found.objective[row] == pytest.approx(PENALTY * cost - chances[TOKEN])
        assert found.lead[row] == pytest.approx(logits[TOKEN] - logits[others].max())


def test_a_descent_begins_at_its_scores_and_goes_down(wanted: Aim) -> None:
    path = descend(wanted, SCORES, objective)
    assert path.weights.shape == (ITERATIONS, 2, 3)
    torch.testing.assert_close(path.weights[0], weighed(wanted, SCORES))
    assert (path.objective.amin(0) < path.objective[0]).all()
    assert not path.weights[..., ~wanted.reach].any()


def test_rows_go_down_as_if_each_were_alone(wanted: Aim) -> None:
    together = descend(wanted, SCORES, first)
    for row in range(len(SCORES)):
        alone = descend(wanted, SCORES[row : row + 1], first)
        torch.testing.assert_close(together.weights[:, row], alone.weights[:, 0], rtol=0, atol=1e-6)


def test_steps_are_those_of_pytorch_s_adam() -> None:
    torch.manual_seed(1)
    slopes = torch.randn(20, 3, 5)
    theirs, mine, smoothed = torch.zeros(3, 5), torch.zeros(3, 5), SmoothedSlopes.none(torch.zeros(3, 5))
    adam = torch.optim.Adam([theirs], lr=RATE, betas=SMOOTHING, eps=FLAT)
    for count, slope in enumerate(slopes, 1):
        theirs.grad = slope
        adam.step()
        smoothed = smoothed.with_slope(slope)
        mine = mine - smoothed.step(count, RATE)
        assert torch.allclose(mine, theirs, atol=1e-6)
