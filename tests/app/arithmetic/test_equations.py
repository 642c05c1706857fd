import itertools
import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.app.arithmetic.equations import (
    LABEL_CHARACTERS,
    agreement,
    final,
    formula,
    numbers,
    shapes,
    terms,
    text,
    written,
)
from regard.app.glossary.terms import DEFINITIONS
from regard.model.arithmetic.kinds import FORWARD, KINDS
from regard.model.arithmetic.quantity import DIRECTIONS, Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.translate import translate
from tests.support.both_engines import make_case

ESCAPES = {
    r"\textbackslash{}": "\\",
    r"\textdollar{}": "$",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textunderscore{}": "_",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    **{f"\\{mark}": mark for mark in "{}%#& "},
    **{f"{{{mark}}}": mark for mark in "-'`"},
}
HARMLESS = re.compile("|".join([*map(re.escape, ESCAPES), r'\{\\char"([0-9A-F]+)\}', r"[^\\{}$%#&~^_<>|\-'`]"]))


def read(latex: str) -> str:
    """Return the text that a token's LaTeX shows; fails on anything but escapes and plain characters."""
    assert latex.startswith(r"\text{")
    assert latex.endswith("}")
    rest, shown = latex[len(r"\text{") : -1], ""
    while rest:
        match = HARMLESS.match(rest)
        assert match, rest
        shown += chr(int(match[1], 16)) if match[1] else ESCAPES.get(match[0], match[0])
        rest = rest[match.end() :]
    return shown


def seen(character: str) -> str:
    """A character as it is to be shown."""
    category = unicodedata.category(character)
    if category.startswith("C") and character not in "\u200c\u200d":
        return "�"
    return " " if category.startswith("Z") else character.replace("\U0001d6a4", "ı")


@given(
    st.text(st.characters(), max_size=LABEL_CHARACTERS) | st.text("\\{}$%#&~^_<>|-'`\" a", max_size=LABEL_CHARACTERS)
)
def test_a_token_is_shown_as_it_is_and_runs_nothing(token: str) -> None:
    shown = unicodedata.normalize("NFC", token)
    assert read(text(token)) == "".join(map(seen, shown))


@pytest.fixture(
    scope="module",
    params=[
        {},
        {"score": "concat", "cell": "gru", "initial_state": "encoder"},
        {"score": "dot", "input_feeding": True},
        {"score": "concat", "wiring": "bahdanau"},
        {"score": "none", "initial_state": "encoder"},
    ],
    ids=["general", "concat", "dot", "bahdanau", "none"],
)
def workings(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> list[Derivation]:
    return list(work_out_all(make_model(**request.param), "The boy sees the old house, doesn't he?"))


def work_out_all(model: Pretrained, sentence: str) -> Iterator[Derivation]:
    """Numbers of every kind."""
    trace, weights = translate(model, [sentence])[0], load_parameters(model.folder)
    found = recompute(weights, trace.source_ids, trace.target_ids)
    choices = {
        "step": [0, 3, -1],
        "position": [0, 4],
        "component": [0, 5, 13],
        "token": trace.top_ids[3].tolist()[:2],
        "rows": ["output"],
        "row": [2],
        "column": [1],
        "gate": list(trace.maker.gates),
        "direction": list(DIRECTIONS),
    }
    for kind, (names, *_) in FORWARD.items():
        for values in itertools.product(*(choices[name] for name in names)):
            asked = Quantity(kind, **dict(zip(names, values, strict=True)))
            try:
                working = work_out(asked, trace, found, weights)
            except ValueError:
                continue  # this model has no such number
            yield working


def value_of(latex: str) -> float:
    """Redo a line as a reader would."""
    python = re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", latex.strip().removesuffix("="))
    python = re.sub(r"\\mathrm\{e\}\^\{(.*)\}", r"exp(\1)", python)
    python = re.sub(r"\\log (\S+)", r"log(\1)", python).replace(r"\cdot", "*").replace("\\", "")
    known = {"exp": math.exp, "log": math.log, "tanh": math.tanh, "sigma": lambda total: 1 / (1 + math.exp(-total))}
    return eval(python, known)


def cells(latex: str) -> list[list[str]]:
    body = latex.partition("{rrl}\n")[2].partition("\n\\end")[0].replace("\\hline", "")
    return [[cell.strip() for cell in line.split("&")] for line in body.replace(r"\&", "and").split("\\\\")]


def places(number: str) -> int:
    return len(number.partition(".")[2].partition(" ")[0])


def test_the_factors_shown_give_the_term_shown(workings: list[Derivation]) -> None:
    rows = [row for working in workings if working.terms for row in cells(numbers(working))]
    redone = [(made, number) for made, number, _ in rows if made and made != r"\ldots" and "mathbf" not in number]
    assert len(redone) > 300
    for made, number in redone:
        rounding = 5e-3 * abs(value_of(number)) if "10^" in number else 0.5000001 * 10 ** -places(number)
        assert value_of(made) == pytest.approx(value_of(number), rel=0, abs=rounding)
        assert not value_of(number) or abs(value_of(number)) >= 10 ** (1 - places(number))  # two digits that count


def test_the_terms_shown_give_the_number_shown(workings: list[Derivation]) -> None:
    for working in workings:
        if not working.terms:
            continue
        rows = cells(numbers(working))
        result = rows[-1][1].removeprefix(r"\mathbf{").removesuffix("}")
        ended = working.ending != "sum"
        terms = [value_of(number) for _, number, _ in rows[: len(rows) - 1 - ended]]
        if ended:
            total = rows[-2][1]
            assert written(math.fsum(terms), places(total)) == total, working.name
            assert final(value_of(rows[-1][0])) == final(value_of(result)), working.name
        elif terms:
            assert final(math.fsum(terms)) == final(value_of(result)), working.name
        assert value_of(result) == pytest.approx(working.recomputed, rel=6e-3, abs=6e-5)


def test_numpy_is_quoted_beside_what_is_shown(workings: list[Derivation]) -> None:
    weight = next(working for working in workings if working.quantity.kind == "weight")
    line = agreement(weight)
    assert re.fullmatch(r"NumPy recomputation: 0\.\d+, shown 0\.\d+, difference (0|\de-\d+)", line)
    key = next(working for working in workings if working.shown is None)
    assert "stores no such number" in agreement(key)
    context = next(working for working in workings if working.recomputed < -0.1 and working.shown)
    assert "−" in agreement(context)


def test_a_disagreement_is_said(make_model: Callable[..., Pretrained]) -> None:
    model = make_model()
    trace = translate(model, ["I love you."])[0]
    other = load_parameters(make_model(score="dot").folder)
    found = recompute(other, trace.source_ids, trace.target_ids)
    assert "do not agree" in agreement(work_out(Quantity("score"), trace, found, other))
    nothing = replace(found, contexts=found.contexts * np.float32(np.nan))
    assert "nan" in agreement(work_out(Quantity("context"), trace, nothing, other))


def test_shapes_are_named_in_words(workings: list[Derivation]) -> None:
    attentional = next(working for working in workings if working.quantity.kind == "attentional")
    assert shapes(attentional) == "W_c 16 × 48 · context 24 · state 24"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.73123, "0.7312"),
        (-6.8, "-6.8000"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (0.0012345, "0.00123"),
        (3.14e-9, "3.14e-09"),
        (float("nan"), "nan"),
    ],
)
def test_a_result_has_the_digits_a_reader_can_use(value: float, shown: str) -> None:
    assert final(value) == shown


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
    assert score == ["score", "state", "key"]
    assert {term for kind in KINDS.values() for term in kind.terms} <= DEFINITIONS.keys()


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
