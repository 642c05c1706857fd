import re
from string import Formatter, Template

import pytest

from regard.app.arithmetic.met_in_training import MET
from regard.app.glossary.terms import DEFINITIONS
from regard.model.arithmetic.quantity import FORMS, KINDS, SCORES, Factor, Quantity, Terms, as_text
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED
from regard.model.checkpoint import Pretrained, shipped
from regard.model.scores import SCORES as CLASSES
from regard.model.trace import AnyTrace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from tests.support.javascript import APP, evaluated

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


def test_the_browser_names_only_kinds_that_are_declared() -> None:
    files = [*(APP / "components").rglob("*.js"), *(APP / "export").rglob("*.js")]
    named = {
        kind for file in files for kind in re.findall(r'trace: \S+\s+kind: "(\w+)"', file.read_text(encoding="utf-8"))
    }
    assert len(named) > 5
    assert named <= KINDS.keys() | {MET}  # the moments of training are no number


def test_a_phrase_and_a_symbol_are_filled_with_the_place_of_the_number_alone() -> None:
    said = {"position": {"source"}, "step": {"when", "produced"}}
    said |= {"attention": {"side"}, "layer": {"of_layer"}, "head": {"of_head"}, "rows": {"word_row"}}
    said |= {"row": {"from_row"}, "column": {"looked"}}
    drawn = {"position": {"i", "at"}, "step": {"t", "past", "at"}, "component": {"j", "at"}, "gate": {"gate"}}
    drawn |= {"row": {"t"}, "column": {"i"}}
    for name, kind in KINDS.items():
        phrase = {field for _, field, _, _ in Formatter().parse(kind.phrase) if field}
        assert phrase <= {*kind.indices}.union(*(said.get(index, ()) for index in kind.indices)), name
        symbol = {*Template(kind.latex).get_identifiers()} - {"kept", "memory"}
        assert symbol <= set().union(*(drawn.get(index, ()) for index in kind.indices)), name
        assert set(kind.terms) <= DEFINITIONS.keys()


def test_terms_are_read_as_a_person_writes_them() -> None:
    assert Terms.parse("s {k}: W_c[j,E+k] * 1-state[t,k] for k in H") == Terms(
        "s {k}", (Factor("", "W_c", ("j", "E+k")), Factor("1-", "state", ("t", "k"))), ("k",), "H"
    )
    assert Terms.parse("let out: output * tanh memory") == Terms(
        "let out", (Factor("", "output", ()), Factor("tanh", "memory", ())), (), ""
    )


def test_a_formula_is_written_as_text_that_says_the_same() -> None:
    assert as_text(FORMS["weight/softmax"].latex) == "$left = exp e_{$t,$i} / Σ_k exp e_{$t,k}"
    assert (
        as_text(FORMS["layer_norm"].latex) == "$left = (x_{$t,$j} − mean(x_{$t})) / deviation(x_{$t}) g_{$j} + b_{$j}"
    )
    assert as_text(FORMS["state/bridge"].latex) == "$left = tanh(W_b [→h_S ; ←h_1] + b_b)_{$j}"
    assert as_text(FORMS["comparison"].latex).endswith("   with   q_{$t} = W s_{$asking}   and   k_{$i} = U h_{$i}")
    assert not re.search(r"\\(?!\d)|[&]", " ".join(as_text(one.latex) for one in (FORMS | KINDS).values()))


def test_the_engine_describes_each_score_as_the_table_does() -> None:
    assert evaluated("SCORES", {APP / "export" / "engine" / "seq2seq.js": "SCORES"}) == {
        name: {"keys": score.keys, "compares": score.compares, "scaled": score.scaled} for name, score in SCORES.items()
    }
    assert SCORES.keys() == CLASSES.keys()


@pytest.mark.parametrize("name", SCORES)
def test_a_score_has_the_parameters_that_the_table_names(name: str) -> None:
    keys = SCORES[name].keys
    assert keys == "" or hasattr(CLASSES[name](4, 4), keys)
    assert f"score/{name}" in FORMS
    assert keys == "" or f"key/{keys}" in FORMS
