"""Every number of a translation comes apart into terms, and the terms make it again."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from regard.model.alignment import ROWS, STEP
from regard.model.arithmetic.kinds import FORWARD
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.cells import CELLS
from regard.model.checkpoint import Pretrained
from regard.model.reference.formulas import NO_STEERING, NumpySteering
from regard.model.reference.recompute import recompute
from tests.support.both_engines import Case, make_case
from tests.support.every_kind import ATTENTIONS, LEARNED, named
from tests.support.every_number import is_there, places


@pytest.fixture(
    scope="module",
    params=[
        *({**attention, "cell": cell} for attention in ATTENTIONS for cell in CELLS),
        {"score": "general", "input_feeding": True, "initial_state": "encoder"},
        {"score": "concat", "cell": "gru", "input_feeding": True, "initial_state": "encoder"},
        {"score": "concat", "wiring": "bahdanau", "initial_state": "encoder"},
        {"score": "none", "initial_state": "encoder"},
    ],
    ids=named,
)
def case(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> Case:
    return make_case(make_model(**request.param))


@pytest.fixture(scope="module")
def workings(case: Case) -> list[Derivation]:
    asked = [quantity for kind in FORWARD for quantity in places(kind, case[0]) if is_there(quantity, case[0])]
    return [work_out(quantity, *case) for quantity in asked]


def test_the_terms_make_the_number_again(workings: list[Derivation]) -> None:
    for working in workings:
        assert working.combined == pytest.approx(working.recomputed, rel=0, abs=1e-10), working.name


def test_what_is_shown_is_what_numpy_recomputes(workings: list[Derivation]) -> None:
    shown = [working for working in workings if working.shown is not None]
    for working in shown:
        assert working.difference == pytest.approx(0, abs=1e-4), working.name
        assert working.agrees, working.name
    assert {working.quantity.kind for working in shown} >= {"score", "weight", "annotation", "state", "gate", "rest"}


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


@pytest.fixture(scope="module", params=LEARNED)
def bahdanau(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> Case:
    return make_case(make_model(score=request.param, wiring="bahdanau", initial_state="encoder"))


def reached(asked: Quantity, case: Case, kinds: Sequence[str]) -> set[Quantity]:
    """Follow a number down through numbers of these kinds."""
    found, waiting = set(), [asked]
    while waiting:
        following = work_out(waiting.pop(), *case).opens
        found |= {quantity for quantity in following if quantity.kind not in kinds}
        waiting += [quantity for quantity in following if quantity.kind in kinds]
    return found


@pytest.mark.parametrize("step", [0, 1, 5])
def test_in_bahdanau_s_wiring_a_score_comes_from_the_state_before(step: int, bahdanau: Case) -> None:
    found = reached(Quantity("score", step=step, position=2), bahdanau, ("comparison", "query"))
    assert {quantity.step for quantity in found if quantity.kind == "state"} == {step - 1}
    luong = replace(bahdanau[2], wiring="luong")  # the same arrays read otherwise do not give the number
    working = work_out(Quantity("score", step=step, position=2), *bahdanau[:2], luong)
    assert working.combined != pytest.approx(working.recomputed, abs=1e-6)


@pytest.mark.parametrize("rows", [*ROWS, STEP])
def test_the_weight_of_a_word_is_the_one_of_the_alignment(rows: str, case: Case) -> None:
    trace = case[0]
    merged = trace.alignment.by_words(rows).weights
    for row, column in itertools.product({0, len(merged) // 2, len(merged) - 1}, (0, 1, merged.shape[1] - 1)):
        working = work_out(Quantity("word_weight", rows=rows, row=row, column=column), *case)
        assert working.shown == float(merged[row, column])
        assert working.combined == pytest.approx(working.shown, abs=1e-6)


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
