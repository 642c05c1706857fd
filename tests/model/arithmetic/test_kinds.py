import re
from string import Formatter, Template

import pytest

from regard.app.arithmetic.met_in_training import MET
from regard.app.glossary.terms import DEFINITIONS
from regard.model.arithmetic.kinds import FORMS, KINDS, SCORES, Factor, Terms, as_text
from regard.model.scores import SCORES as CLASSES
from tests.support.javascript import APP, evaluated


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
