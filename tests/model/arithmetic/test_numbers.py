"""Every number of a translation comes apart into terms, and the terms make it again."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import pytest

from regard.model.arithmetic.quantity import AFTERWARDS, FORMS, FORWARD, KINDS, SHARED, TRANSFORMER, Quantity, as_text
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.cells import CELLS
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import Pretrained, shipped
from regard.model.decoder import WIRINGS
from regard.model.scores import SCORES
from regard.model.transformer.checkpoint import load_transformer
from tests.support.every_kind import named
from tests.support.every_number import Case, make_case, opener, some

SENTENCES = ("I love you.", "The old house!", "She's here.")
DIGITS = "2 5 9"
STEERED = Intervention(temperature=2.0, bonus=((1, 0, 0.5),), hidden=(2,))
HEADS = (
    ("reverse-transformer", UNTOUCHED),
    ("reverse-transformer-nopos", UNTOUCHED),
    (
        "reverse-transformer",
        Intervention(
            hidden=(1,),
            bonus=((1, 2, 0.5),),
            heads_off=(("cross", 1, 2), ("encoder", 0, 1)),
            head_weights=(("cross", 0, 3, 1, (0.25, 0.0, 0.5, 0.25)), ("decoder", 1, 0, 2, (0.5, 0.25, 0.25))),
        ),
    ),
)


def recurrent(make_model: Callable[..., Pretrained]) -> Iterator[Derivation]:
    """Numbers of every kind, of every score, wiring, cell and start, changed and unchanged."""
    for number, (score, wiring, cell) in enumerate(product(SCORES, WIRINGS, CELLS)):
        start, feeding = "encoder" if cell == "gru" else "zero", (score, wiring) == ("dot", "luong")
        model = make_model(score=score, wiring=wiring, cell=cell, initial_state=start, input_feeding=feeding)
        changes = UNTOUCHED if score == "none" else STEERED
        trace = what_if.translate(model, SENTENCES[number % len(SENTENCES)], changes)
        yield from map(opener(model, trace), (one for kind in (*FORWARD, *AFTERWARDS) for one in some(kind, trace)))


def transformers() -> Iterator[Derivation]:
    """Numbers of every kind of Transformers, and the numbers that they lead on to."""
    for name, changes in HEADS:
        model = load_transformer(shipped(name))
        trace = what_if.translate(model, DIGITS, changes)
        open_number = opener(model, trace)
        for working in (open_number(one) for kind in (*TRANSFORMER, *SHARED) for one in some(kind, trace)):
            yield working
            for opened in working.opens[:3]:
                fields = {field: getattr(opened, field) for field in ("kind", "trace", *KINDS[opened.kind].indices)}
                assert Quantity.parse(fields) == opened
                yield open_number(opened)


@pytest.fixture(scope="module")
def worked(make_model: Callable[..., Pretrained]) -> list[Derivation]:
    return [*recurrent(make_model), *transformers()]


def test_the_terms_make_every_number_again_and_numpy_confirms_what_is_shown(worked: list[Derivation]) -> None:
    for working in worked:
        heads = working.quantity.kind in TRANSFORMER  # whose numbers are float32, most others float64
        near = working.tolerance if heads or working.quantity.kind in SHARED else 1e-10
        if working.form != "given":
            again = pytest.approx(working.recomputed, rel=1e-4 * heads, abs=near)
            assert not working.terms or working.combined == again, working.name
        assert working.agrees, (working.name, working.shown, working.recomputed, working.tolerance)


def test_every_form_in_the_table_is_some_numbers_and_none_other_is(worked: list[Derivation]) -> None:
    assert {working.form for working in worked} | {"given"} == FORMS.keys()


def test_every_formula_is_filled_in(worked: list[Derivation]) -> None:
    for working in worked:
        assert not re.search(r"\$|undefined|NaN", working.formula), working.quantity
        assert not re.search(r"\\", as_text(working.formula)), working.quantity
        if working.quantity.kind in TRANSFORMER:
            assert "W_o" not in working.formula  # beside W_O, which joins heads
            assert "W_o" not in working.shapes


def formulas(model: Pretrained, *asked: Quantity) -> list[str]:
    case = make_case(model)
    return [work_out(quantity, *case).formula for quantity in asked]


def test_formulas_count_from_one(tiny_model: Pretrained) -> None:
    weight, context, cell, backward, gate = formulas(
        tiny_model,
        Quantity("weight", step=2, position=1),
        Quantity("context", component=17),
        Quantity("cell", step=1),
        Quantity("annotation", position=1, component=12),
        Quantity("encoder_gate", position=1, gate="forget", direction="backwards"),
    )
    assert weight == r"\alpha_{3,2} = \frac{\exp e_{3,2}}{\sum_k \exp e_{3,k}}"
    assert context == r"c_{1,18} = \sum_i \alpha_{1,i}\, h_{i,18}"
    assert cell == r"m_{2,1} = f_{2,1}\, m_{1,1} + i_{2,1}\, g_{2,1}"
    assert backward == r"h_{2,13} = \overleftarrow{o}_{2,1} \tanh(\overleftarrow{m}_{2,1})"
    assert r"U \overleftarrow{h}_{3}" in gate


def test_formulas_say_which_state_asks(make_model: Callable[..., Pretrained]) -> None:
    score, query = Quantity("score", step=1, position=2), Quantity("query", step=1, component=4)
    comparison, own = Quantity("comparison", step=1, position=2, component=4), Quantity("own_score", position=2)
    for wiring, asking in (("luong", 2), ("bahdanau", 1)):
        (dot,) = formulas(make_model(score="dot", wiring=wiring), score)
        assert rf"e_{{2,3}} &= s_{{{asking}}} \cdot h_{{3}} \\ &= \sum_j s_{{{asking},j}}\, h_{{3,j}}" in dot
        (general,) = formulas(make_model(score="general", wiring=wiring), score)
        assert rf"s_{{{asking}}}^\top W_a h_{{3}} \\ &= \sum_j s_{{{asking},j}}\, k_{{3,j}}" in general
        concat, queried, compared, first = formulas(
            make_model(score="concat", wiring=wiring), score, query, comparison, own
        )
        assert rf"e_{{2,3}} &= v^\top \tanh(W s_{{{asking}}} + U h_{{3}})" in concat
        assert queried == rf"q_{{2,5}} = (W s_{{{asking}}})_{{5}}"
        assert rf"q_{{2}} &= W s_{{{asking}}} \\" in compared
        assert rf"e_{{1,3}} &= v^\top \tanh(W s_{{{asking - 1}}} + U h_{{3}})" in first


@pytest.fixture(
    scope="module",
    params=[
        {"score": "concat", "wiring": "bahdanau", "cell": "gru"},
        {"score": "general", "input_feeding": True, "initial_state": "encoder"},
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
    seen, waiting = set(), [Quantity(kind) for kind in ("total_log_probability", "rest", "weight", "entropy")]
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


def test_what_a_person_changed_opens_as_changed(make_model: Callable[..., Pretrained]) -> None:
    """A score opens the model's own; a hidden position weighs nothing and is no term; a weight is what was set."""
    model = make_model()
    row = (0.0, 0.0, 0.0, 1.0, *[0.0] * 6)  # the source has ten tokens
    changes = Intervention(bonus=((0, 2, 1.5),), temperature=2.0, hidden=(1,), weights=((1, row),))
    trace = what_if.translate(model, "I love it.", changes)
    open_number = opener(model, trace)
    score = open_number(Quantity("score", position=2))
    assert [term.factors for term in score.terms if term.label == "bonus"] == [(1.5, 0.5)]
    assert score.opens == (Quantity("own_score", position=2),)
    assert open_number(score.opens[0]).combined == pytest.approx((score.recomputed * 2) - 1.5, abs=1e-10)
    assert open_number(Quantity("weight", position=1)).combined == 0
    assert Quantity("score", position=1) not in open_number(Quantity("weight", position=0)).opens
    for position, value in enumerate(row):
        weight = open_number(Quantity("weight", step=1, position=position))
        assert (weight.form, weight.combined, weight.recomputed) == ("given", value, value)


def test_a_number_agrees_only_as_far_as_float32_reaches(case: Case) -> None:
    """A share keeps its digits however small it is; where terms cancel out, what is left is too small to tell."""
    weight = work_out(Quantity("weight"), *case)
    for size in (1e-5, 1e-12, 1e-30):
        tiny = replace(weight, shown=size, recomputed=size * (1 + 1e-6))
        assert tiny.agrees
        assert not replace(tiny, shown=2 * size).agrees
        assert not replace(tiny, shown=0.0).agrees
    left = replace(work_out(Quantity("score", step=1), *case), magnitude=10.0, shown=3e-5, recomputed=-2e-5)
    assert (left.agrees, left.tells) == (True, False)
    assert not replace(left, shown=3e-3).agrees
