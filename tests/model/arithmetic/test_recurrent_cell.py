"""The gates of the decoder read what its wiring gives them, and its first step begins from an initial state."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from regard.model.arithmetic.derivation import Term
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.cells import CELLS
from regard.model.checkpoint import Pretrained
from regard.model.config import INITIAL_STATES
from tests.support.both_engines import Case, make_case

STEPS = (0, 1, 5)
Terms = dict[str, set[Term]]


@pytest.fixture(autouse=True)
def unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every term is kept apart, the smallest too."""
    monkeypatch.setattr("regard.model.arithmetic.terms.SHOWN_TERMS", 10**6)


def read(case: Case, step: int) -> Terms:
    """The terms of the gates of a step by the letter of what they read."""
    terms: Terms = {}
    for component, gate in itertools.product((0, 5, 23), case[0].maker.gates):
        for term in work_out(Quantity("gate", step=step, component=component, gate=gate), *case).terms:
            terms.setdefault(term.label.partition(" ")[0], set()).add(term)
    return terms


def place(term: Term) -> int:
    return int(term.label.partition(" ")[2]) - 1


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize(
    ("choice", "beside"), [({}, set()), ({"input_feeding": True}, {"h̃"}), ({"wiring": "bahdanau"}, {"c"})], ids=str
)
def test_every_wiring_reads_the_embedding_of_the_token_fed_in(
    choice: dict[str, Any], beside: set[str], cell: str, make_model: Callable[..., Pretrained]
) -> None:
    case = make_case(make_model(cell=cell, **choice))
    _, found, weights = case
    for step in STEPS:
        terms, embedded = read(case, step), weights["embedding.weight"][found.fed_ids[step]]
        assert {place(term) for term in terms["y"]} == set(range(16))
        assert all(term.factors[1] == embedded[place(term)] for term in terms["y"])
        assert {kind for term in terms["y"] for kind in (opened.kind for opened in term.opens)} == {"fed_embedding"}
        assert terms.keys() - {"kept"} == {"y", "s", "bias", *beside}


@pytest.mark.parametrize("cell", CELLS)
def test_in_bahdanau_s_wiring_the_context_of_the_step_is_read_beside_it(
    cell: str, make_model: Callable[..., Pretrained]
) -> None:
    case = make_case(make_model(score="concat", wiring="bahdanau", cell=cell))
    for step in STEPS:
        terms = read(case, step)["c"]
        assert {place(term) for term in terms} == set(range(24))
        for term in terms:
            assert term.factors[1] == case[1].contexts[step, place(term)]
            assert term.opens == (Quantity("context", step=step, component=place(term)),)


@pytest.mark.parametrize("cell", CELLS)
def test_with_input_feeding_the_attentional_vector_of_the_step_before_is_read_beside_it(
    cell: str, make_model: Callable[..., Pretrained]
) -> None:
    case = make_case(make_model(cell=cell, input_feeding=True))
    for term in read(case, 1)["h̃"]:
        assert term.factors[1] == case[1].attentional[0, place(term)]
        assert term.opens == (Quantity("attentional", step=0, component=place(term)),)
    for term in read(case, 0)["h̃"]:
        initial = Quantity("attentional", step=-1, component=place(term))
        assert (term.value, term.opens) == (0, (initial,))
        assert (work_out(initial, *case).form, work_out(initial, *case).shown) == ("zero", 0)


@pytest.mark.parametrize("wiring", ["luong", "bahdanau"])
def test_every_initial_state_can_be_opened(wiring: str, make_model: Callable[..., Pretrained]) -> None:
    for name in INITIAL_STATES:
        case = make_case(make_model(initial_state=name, wiring=wiring))
        working = work_out(Quantity("state", step=-1, component=4), *case)
        assert working.combined == pytest.approx(working.recomputed, abs=1e-10)
        assert (len(working.terms) == 0) == (name == "zero")
