import re
from string import Formatter, Template

from regard.app.arithmetic.panel import MET
from regard.model.arithmetic.kinds import KINDS, Factor, Terms
from tests.support.javascript import APP


def test_the_browser_names_only_kinds_that_are_declared() -> None:
    files = [*(APP / "components" / "stepper").glob("*.js"), *(APP / "export").rglob("*.js")]
    named = {
        kind for file in files for kind in re.findall(r'trace: \S+ kind: "(\w+)"', file.read_text(encoding="utf-8"))
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
        symbol = {*Template(kind.text).get_identifiers()} - {"kept", "memory"}
        assert symbol <= set().union(*(drawn.get(index, ()) for index in kind.indices)), name


def test_terms_are_read_as_a_person_writes_them() -> None:
    assert Terms.parse("s {k}: W_c[j,E+k] * 1-state[t,k] for k in H") == Terms(
        "s {k}", (Factor("", "W_c", ("j", "E+k")), Factor("1-", "state", ("t", "k"))), ("k",), "H"
    )
    assert Terms.parse("let out: output * tanh memory") == Terms(
        "let out", (Factor("", "output", ()), Factor("tanh", "memory", ())), (), ""
    )
