from collections.abc import Callable

from regard.app.glossary.terms import DEFINITIONS
from regard.model.arithmetic.kinds import FORMS, KINDS
from regard.model.arithmetic.notation import formula, terms
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.checkpoint import Pretrained
from tests.support.both_engines import make_case


def formulas(model: Pretrained, *asked: Quantity) -> list[str]:
    case = make_case(model)
    return [formula(work_out(quantity, *case), "latex") for quantity in asked]


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


def test_every_symbol_of_a_formula_leads_to_its_entry_in_the_glossary(tiny_model: Pretrained) -> None:
    case = make_case(tiny_model)
    weight, context, state, score = (
        terms(work_out(Quantity(kind), *case)) for kind in ("weight", "context", "attentional", "score")
    )
    assert weight == ["weight", "softmax", "score"]
    assert context == ["context", "weight", "annotation"]
    assert state == ["attentional", "tanh", "context", "state"]
    assert score == ["score", "state", "annotation", "key"]
    assert {term for entry in (*KINDS.values(), *FORMS.values()) for term in entry.terms} <= DEFINITIONS.keys()


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


def test_the_formula_of_a_gate_names_all_that_its_cell_reads(make_model: Callable[..., Pretrained]) -> None:
    reading, writing = (
        Quantity("encoder_gate", position=1, gate="forget", direction="forwards"),
        Quantity("gate", step=1, gate="input"),
    )
    for model, read in (
        (make_model(), "W y_{1} + b"),
        (make_model(input_feeding=True), r"W [y_{1} ; \tilde h_{1}] + b"),
        (make_model(wiring="bahdanau"), "W [y_{1} ; c_{2}] + b"),
    ):
        encoder, decoder = formulas(model, reading, writing)
        assert "W x_{2} + b" in encoder
        assert read in decoder
    (fed,) = formulas(make_model(), Quantity("fed_embedding", step=1, component=2))
    assert fed == r"y_{1,3} = W_o[\text{target}_{1}]_{3}"
