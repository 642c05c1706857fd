"""Every number of a translation comes apart into terms, and the terms make it again."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from model.alignment import ROWS
from model.arithmetic import work_out
from model.cells import CELLS
from model.checkpoint import Pretrained
from model.config import INITIAL_STATES
from model.decoder import WIRINGS
from model.formulas import NO_STEERING, Steering
from model.quantity import DIRECTIONS, KINDS, Quantity, token_label
from model.reference import Recomputation, Weights, load_weights, recompute
from model.scores import SCORES
from model.trace import Trace
from model.translate import translate
from model.working import SHOWN, Working

SENTENCE = "The boy sees the old house, doesn't he?"
Case = tuple[Trace, Recomputation, Weights]


def make_case(model: Pretrained) -> Case:
    """A trace by torch in float32, and all of it again by NumPy in float64."""
    trace, weights = translate(model, [SENTENCE])[0], load_weights(model.folder, np.float64)
    return trace, recompute(weights, trace.source_ids, trace.target_ids), weights


@pytest.fixture(
    scope="module",
    params=[
        *itertools.product(SCORES, WIRINGS, CELLS, [False], ["zero"]),
        ("general", "luong", "lstm", True, "encoder"),
        ("concat", "luong", "gru", True, "encoder"),
    ],
    ids=lambda choice: "-".join(map(str, choice)),
)
def case(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> Case:
    names = ("score", "wiring", "cell", "input_feeding", "initial_state")
    return make_case(make_model(**dict(zip(names, request.param, strict=True))))


def places(kind: str, trace: Trace) -> Iterator[Quantity]:
    """The numbers of one kind at the ends and in the middle of every range."""
    steps, positions = trace.weights.shape
    choices: dict[str, list] = {
        "step": [0, 1, steps - 1] + [-1] * (kind in ("state", "cell")),
        "position": [0, positions // 2, positions - 1],
        "component": [0, 5, 11, 12, 23, 15],
        "token": [int(trace.target_ids[0]), *trace.top_ids[0].tolist()[-2:]],
        "rows": list(ROWS),
        "row": [0, 1],
        "column": [0, 2],
        "gate": list(trace.maker.gates),
        "direction": list(DIRECTIONS),
    }
    names = KINDS[kind]
    for values in itertools.product(*(choices[name] for name in names)):
        yield Quantity(kind, **dict(zip(names, values, strict=True)))


def is_there(asked: Quantity, trace: Trace) -> bool:
    """Some models have no such vector, or a shorter one."""
    try:
        asked.check(trace)
    except ValueError:
        return False
    return True


@pytest.fixture(scope="module")
def workings(case: Case) -> list[Working]:
    asked = [quantity for kind in KINDS for quantity in places(kind, case[0]) if is_there(quantity, case[0])]
    return [work_out(quantity, *case) for quantity in asked]


def test_the_terms_make_the_number_again(workings: list[Working]) -> None:
    for working in workings:
        assert working.combined == pytest.approx(working.recomputed, rel=0, abs=1e-10), working.name


def test_what_is_shown_is_what_numpy_recomputes(workings: list[Working]) -> None:
    shown = [working for working in workings if working.shown is not None]
    for working in shown:
        assert working.difference == pytest.approx(0, abs=1e-4), working.name
        assert working.agrees
    assert {working.quantity.kind for working in shown} >= {"score", "weight", "annotation", "state", "gate", "rest"}


def test_the_largest_terms_come_first_and_the_others_are_counted(workings: list[Working]) -> None:
    for working in workings:
        sizes = [abs(term.value) for term in working.terms][working.ending == "share" :]
        assert sizes == sorted(sizes, reverse=True), working.name
        assert len(working.terms) == SHOWN or (working.rest_count == 0 and len(working.terms) <= SHOWN + 1)


def test_a_term_is_what_its_factors_make(workings: list[Working]) -> None:
    for working in workings:
        for term in working.terms:
            made = np.prod(term.factors)
            if working.form in ("weight/softmax", "probability", "log_normaliser"):
                made = np.exp(term.factors[0] - working.constant)
            elif working.form == "state/lstm":
                made = term.factors[0] * np.tanh(term.factors[1])
            assert term.value == pytest.approx(made, abs=1e-12)


def test_the_first_term_of_a_share_is_the_number_asked_for(case: Case) -> None:
    trace = case[0]
    for position, token in enumerate(trace.source):
        working = work_out(Quantity("weight", position=position), *case)
        assert working.terms[0].label.startswith(token_label(token))
        assert working.terms[0].opens == (Quantity("score", position=position),)


def test_one_can_go_on_from_the_probability_of_a_sentence_to_every_kind_of_number(case: Case) -> None:
    """Whatever a working offers can be opened; only embeddings and parameters of the file are left at the end."""
    weights = case[2]
    seen, waiting = set(), [Quantity("total_log_probability"), Quantity("rest"), Quantity("weight")]
    while waiting:
        asked = waiting.pop(0)
        if asked not in seen and [other.kind for other in seen].count(asked.kind) < 15:
            seen.add(asked)
            waiting += work_out(asked, *case).opens
    absent = {"own_score", "word_weight"}
    absent |= {"cell", "encoder_cell"} if weights.cell == "gru" else {"kept", "encoder_kept"}
    absent |= {"key"} if weights.score == "dot" else set()
    absent |= {"query", "comparison"} if weights.score != "concat" else set()
    assert set(KINDS) - {asked.kind for asked in seen} == absent


@pytest.mark.parametrize("rows", ROWS)
def test_the_weight_of_a_word_is_the_one_of_the_alignment(rows: str, case: Case) -> None:
    trace = case[0]
    merged = trace.alignment.by_words(rows).weights
    for row, column in itertools.product((0, 2, len(merged) - 1), (0, 1, merged.shape[1] - 1)):
        working = work_out(Quantity("word_weight", rows=rows, row=row, column=column), *case)
        assert working.shown == float(merged[row, column])
        assert working.combined == pytest.approx(working.shown, abs=1e-6)


@pytest.fixture(scope="module")
def steered(make_model: Callable[..., Pretrained]) -> Case:
    """Step 0 is bent by a bonus, a temperature and a hidden position; the weights of step 1 are given."""
    trace, found, weights = make_case(make_model())
    steps, positions = trace.weights.shape
    whole = NO_STEERING.rows(steps, positions, np.dtype(np.float64))
    changes = {name: np.array(getattr(whole, name)) for name in Steering.__dataclass_fields__}
    changes["bonus"][0, 2], changes["temperature"][0], changes["hidden"][0, 1] = 1.5, 2.0, True
    changes["weights"][1, 3], changes["replaced"][1] = 1.0, True
    found = recompute(weights, trace.source_ids, trace.target_ids, Steering(**changes))
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
        assert (working.form, working.combined, working.recomputed) == ("weight/given", value, value)


def test_a_number_that_numpy_does_not_confirm_is_said_not_to_agree(steered: Case) -> None:
    trace, found, weights = steered
    wrong = replace(found, contexts=found.contexts + 0.01)
    assert not work_out(Quantity("context"), trace, wrong, weights).agrees
    assert not work_out(Quantity("context"), trace, replace(found, contexts=found.contexts * np.nan), weights).agrees


def test_a_number_out_of_range_is_refused(steered: Case) -> None:
    with pytest.raises(ValueError, match="step is 99; it must be from 0 to"):
        work_out(Quantity("weight", step=99), *steered)


def test_every_initial_state_can_be_opened(make_model: Callable[..., Pretrained]) -> None:
    for name in INITIAL_STATES:
        working = work_out(Quantity("state", step=-1, component=4), *make_case(make_model(initial_state=name)))
        assert working.combined == pytest.approx(working.recomputed, abs=1e-10)
        assert (len(working.terms) == 0) == (name == "zero")
