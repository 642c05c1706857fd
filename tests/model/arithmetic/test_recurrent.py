"""Every number of a translation comes apart into terms, and the terms make it again."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from regard.model.arithmetic.kinds import FORWARD
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.checkpoint import Pretrained
from regard.model.reference.formulas import NO_STEERING, NumpySteering
from regard.model.reference.recompute import recompute
from tests.support.both_engines import Case, make_case
from tests.support.every_kind import named


@pytest.fixture(
    scope="module",
    params=[
        {"score": "concat", "wiring": "bahdanau", "cell": "gru"},
        {"score": "general", "input_feeding": True, "initial_state": "encoder"},
        {"score": "concat", "cell": "gru", "input_feeding": True, "initial_state": "encoder"},
        {"score": "concat", "wiring": "bahdanau", "initial_state": "encoder"},
        {"score": "none", "initial_state": "encoder"},
    ],
    ids=named,
)
def case(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> Case:
    return make_case(make_model(**request.param))


def test_one_can_go_on_from_the_probability_of_a_sentence_to_every_kind_of_number(case: Case) -> None:
    """Whatever a working offers can be opened; only embeddings and parameters of the file are left at the end."""
    weights = case[2]
    seen, waiting = (
        set(),
        [Quantity("total_log_probability"), Quantity("rest"), Quantity("weight"), Quantity("entropy")],
    )
    while waiting:
        asked = waiting.pop(0)
        if asked not in seen and [other.kind for other in seen].count(asked.kind) < 15:
            seen.add(asked)
            waiting += work_out(asked, *case).opens
    absent = {"own_score", "word_weight"}
    absent |= {"cell", "encoder_cell"} if weights.cell == "gru" else {"kept", "encoder_kept"}
    absent |= {"key"} if weights.score in ("dot", "none") else set()
    absent |= {"query", "comparison"} if weights.score != "concat" else set()
    assert set(FORWARD) - {asked.kind for asked in seen} == absent


@pytest.fixture(scope="module")
def steered(make_model: Callable[..., Pretrained]) -> Case:
    """Step 0 is bent by a bonus, a temperature and a hidden position; the weights of step 1 are given."""
    trace, found, weights = make_case(make_model())
    steps, positions = trace.weights.shape
    whole = NO_STEERING.rows(steps, positions, np.dtype(np.float64))
    names = (name for name in NumpySteering.__dataclass_fields__ if name != "vectors")
    changes: dict[str, Any] = {name: np.array(getattr(whole, name)) for name in names}
    changes["bonus"][0, 2], changes["temperature"][0], changes["hidden"][0, 1] = 1.5, 2.0, True
    changes["weights"][1, 3], changes["replaced"][1] = 1.0, True
    found = recompute(weights, trace.source_ids, trace.target_ids, NumpySteering(**changes))
    arrays = {name: getattr(found, name) for name in ("own_scores", "scores", "mask")}
    return replace(trace, alignment=replace(trace.alignment, weights=found.weights), **arrays), found, weights


def test_a_score_that_a_person_changed_opens_the_models_own(steered: Case) -> None:
    working = work_out(Quantity("score", position=2), *steered)
    assert [term.factors for term in working.terms if term.label == "bonus"] == [(1.5, 0.5)]
    assert working.opens == (Quantity("own_score", position=2),)
    assert working.combined == pytest.approx(working.recomputed, abs=1e-10)
    own = work_out(working.opens[0], *steered)
    assert own.combined == pytest.approx((working.recomputed * 2) - 1.5, abs=1e-10)


def test_a_hidden_position_weighs_nothing_and_is_no_term(steered: Case) -> None:
    assert work_out(Quantity("weight", position=1), *steered).combined == 0
    other = work_out(Quantity("weight", position=0), *steered)
    assert other.combined == pytest.approx(other.recomputed, abs=1e-10)
    assert Quantity("score", position=1) not in other.opens


def test_a_given_weight_is_what_was_given(steered: Case) -> None:
    for position, value in ((3, 1.0), (2, 0.0)):
        working = work_out(Quantity("weight", step=1, position=position), *steered)
        assert (working.form, working.combined, working.recomputed) == ("given", value, value)


def test_a_tiny_weight_that_is_wrong_does_not_agree(case: Case) -> None:
    """However small the right one is: a share keeps its digits in float32."""
    working = work_out(Quantity("weight"), *case)
    for size in (1e-5, 1e-12, 1e-30):
        tiny = replace(working, shown=size, recomputed=size * (1 + 1e-6))
        assert tiny.agrees
        assert not replace(tiny, shown=2 * size).agrees
        assert not replace(tiny, shown=0.0).agrees


def test_where_terms_cancel_out_what_is_left_is_too_small_to_tell(case: Case) -> None:
    working = work_out(Quantity("score", step=1), *case)
    left = replace(working, magnitude=10.0, shown=3e-5, recomputed=-2e-5)
    assert (left.agrees, left.tells) == (True, False)
    assert not replace(left, shown=3e-3).agrees
