import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.arithmetic.kinds import KINDS
from regard.model.arithmetic.quantity import SHORT, Quantity
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import translate

WEIGHT = {"kind": "weight", "trace": 0, "step": 1, "position": 2}


@pytest.fixture(scope="module")
def trace(tiny_model: Pretrained) -> Trace:
    return translate(tiny_model, ["The cat sat on the mat."])[0]


def test_a_number_is_read_from_what_the_browser_sends() -> None:
    assert Quantity.parse(WEIGHT) == Quantity("weight", 0, step=1, position=2)
    gate = {"kind": "gate", "trace": 1, "step": 0, "gate": "forget", "component": 3}
    assert Quantity.parse(json.loads(json.dumps(gate))) == Quantity("gate", 1, component=3, gate="forget")
    assert Quantity.parse({"kind": "total_log_probability", "trace": 0}) == Quantity("total_log_probability")


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (None, "None does not name a number"),
        ("weight", "'weight' does not name a number"),
        ([WEIGHT], "does not name a number"),
        ({}, "kind is None; it must be one of score, own_score, weight"),
        ({**WEIGHT, "kind": "__class__"}, "kind is '__class__'"),
        ({**WEIGHT, "kind": ["weight"]}, "kind is .'weight'."),
        ({"kind": "weight", "trace": 0, "step": 1}, "a weight has the fields kind, trace, step, position, not"),
        ({**WEIGHT, "component": 0}, "a weight has the fields"),
        ({**WEIGHT, "step": True}, "step is True; it must be a whole number"),
        ({**WEIGHT, "step": 1.0}, "step is 1.0"),
        ({**WEIGHT, "step": float("nan")}, "step is nan"),
        ({**WEIGHT, "step": "1"}, "step is '1'"),
        ({**WEIGHT, "step": None}, "step is None"),
        ({**WEIGHT, "step": 10**5000}, "step is a number of 16610 bits"),
        ({**WEIGHT, "step": [["long" * 9] * 9] * 9}, "step is .{200}…; it must be a whole number"),
        ({**WEIGHT, "position": -(2**31)}, "position is a number of 32 bits"),
        ({"kind": "word_weight", "trace": 0, "rows": 1, "row": 0, "column": 0}, "rows is 1; it must be text"),
    ],
)
def test_what_is_odd_is_refused_and_named(sent: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Quantity.parse(sent)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(sorted(KINDS)),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*WEIGHT, "rows", "row"]) | st.text(), inner),
    max_leaves=8,
)


@given(sent=json_values | st.fixed_dictionaries(dict.fromkeys(WEIGHT, json_values)))
def test_anything_else_is_refused_with_a_value_error(sent: object) -> None:
    try:
        said = Quantity.parse(sent).kind
    except ValueError as error:
        said = str(error)
    assert said in KINDS or "must" in said or "has the fields" in said
    assert len(said) < SHORT + len(", ".join(KINDS)) + 60


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
    ],
)
def test_what_this_translation_does_not_have_is_refused_with_what_it_has(
    asked: Quantity, message: str, trace: Trace
) -> None:
    with pytest.raises(ValueError, match=message):
        asked.check(trace)


def test_a_trace_that_is_not_on_screen_is_refused(trace: Trace) -> None:
    assert Quantity("rest", 1).of([trace, trace]) is trace
    for index in (2, -1):
        with pytest.raises(ValueError, match=f"trace is {index}; it must be from 0 to 1"):
            Quantity("rest", index).of([trace, trace])
