import pytest

from regard.model.arithmetic.quantity import Quantity
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED
from regard.model.checkpoint import Pretrained, shipped
from regard.model.trace import AnyTrace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate

WEIGHT = {"kind": "weight", "trace": 0, "step": 1, "position": 2}


@pytest.fixture(scope="module")
def trace(tiny_model: Pretrained) -> AnyTrace:
    return translate(tiny_model, ["The cat sat on the mat."])[0]


@pytest.fixture(scope="module")
def heads() -> AnyTrace:
    return what_if.translate(load_transformer(shipped("reverse-transformer")), "2 5", UNTOUCHED)


def test_a_number_is_read_from_what_the_browser_sends() -> None:
    assert Quantity.parse(WEIGHT) == Quantity("weight", 0, step=1, position=2)
    gate = {"kind": "gate", "trace": 1, "step": 0, "gate": "forget", "component": 3}
    assert Quantity.parse(gate) == Quantity("gate", 1, component=3, gate="forget")
    assert Quantity.parse({"kind": "total_log_probability", "trace": 0}) == Quantity("total_log_probability")


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({}, "kind is None; it must be one of score, own_score, weight"),
        ({**WEIGHT, "kind": "__class__"}, "kind is '__class__'"),
        ({"kind": "weight", "trace": 0, "step": 1}, "a weight has the fields kind, trace, step, position, not"),
        ({**WEIGHT, "component": 0}, "a weight has the fields"),
    ],
)
def test_what_is_odd_is_refused_and_named(sent: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Quantity.parse(sent)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Quantity("weight", step=99), "step is 99; it must be from 0 to "),
        (Quantity("weight", step=-1), "step is -1; it must be from 0 to "),
        (Quantity("attentional", step=-1), "step is -1; it must be from 0 to "),  # nothing is fed back
        (Quantity("state", step=-2), "step is -2; it must be from -1 to "),
        (Quantity("score", position=10**6), "position is 1000000; it must be from 0 to "),
        (Quantity("score", position=-1), "position is -1"),
        (Quantity("annotation", component=24), "component is 24; it must be from 0 to 23"),
        (Quantity("attentional", component=16), "component is 16; it must be from 0 to 15"),
        (Quantity("encoder_gate", component=12, gate="forget", direction="forwards"), "it must be from 0 to 11"),
        (Quantity("probability", token=1), "token is 1; it must be one of "),
        (Quantity("word_weight", rows="produced"), "rows is 'produced'; it must be one of output, input, step"),
        (Quantity("word_weight", row=99), "row is 99; it must be from 0 to "),
        (Quantity("word_weight", column=99), "column is 99; it must be from 0 to "),
        (Quantity("gate", gate="reset"), "gate is 'reset'; it must be one of input, forget, candidate, output"),
        (Quantity("encoder_cell", direction="up"), "direction is 'up'; it must be one of forwards, backwards"),
        (Quantity("comparison"), "this model has no such vector"),
        (Quantity("head_query", attention="cross"), "this model has no such number"),
    ],
)
def test_what_this_translation_does_not_have_is_refused_with_what_it_has(
    asked: Quantity, message: str, trace: AnyTrace
) -> None:
    with pytest.raises(ValueError, match=message):
        asked.check(trace)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Quantity("state"), "a Transformer has no such number"),
        (Quantity("head_score", attention="sideways"), "attention is 'sideways'; it must be one of"),
        (Quantity("head_score", attention="cross", layer=2), "layer is 2; it must be from 0 to 1"),
        (Quantity("head_query", attention="cross", head=-1), "head is -1; it must be from 0 to"),
        (Quantity("head_score", attention="decoder", row=0, column=1), "column is 1; it must be from 0 to 0"),
        (Quantity("head_word_weight", attention="cross", row=9), "row is 9; it must be from 0 to"),
        (Quantity("hidden", attention="cross"), "attention is 'cross'; it must be one of encoder, decoder"),
    ],
)
def test_what_a_transformer_does_not_have_is_refused_too(asked: Quantity, message: str, heads: AnyTrace) -> None:
    with pytest.raises(ValueError, match=message):
        asked.check(heads)


def test_a_trace_that_is_not_on_screen_is_refused(trace: AnyTrace) -> None:
    assert Quantity("rest", 1).of([trace, trace]) is trace
    for index in (2, -1):
        with pytest.raises(ValueError, match=f"trace is {index}; it must be from 0 to 1"):
            Quantity("rest", index).of([trace, trace])
