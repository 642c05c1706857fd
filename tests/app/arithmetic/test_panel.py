import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from regard.app.arithmetic.panel import agreement, final, terms
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent import work_out
from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.translate import translate
from tests.support.every_number import Case, make_case


@pytest.fixture(scope="module")
def case(tiny_model: Pretrained) -> Case:
    return make_case(tiny_model)


def test_numpy_is_quoted_beside_what_is_shown(case: Case) -> None:
    line = agreement(work_out(Quantity("weight"), *case))
    assert re.fullmatch(r"NumPy recomputation: 0\.\d+, shown 0\.\d+, difference (0|\de-\d+)", line)
    assert "stores no such number" in agreement(work_out(Quantity("key"), *case))
    negative = replace(work_out(Quantity("context"), *case), shown=-0.25, recomputed=-0.25)
    assert "shown −0.2500" in agreement(negative)
    assert "Too small to tell" in agreement(replace(negative, shown=3e-9, recomputed=-2e-9))


def test_a_disagreement_is_said(make_model: Callable[..., Pretrained]) -> None:
    trace = translate(make_model(), ["I love you."])[0]
    other = load_parameters(make_model(score="dot").folder)
    found = recompute(other, trace.source_ids, trace.target_ids)
    assert "do not agree" in agreement(work_out(Quantity("score"), trace, found, other))
    nothing = replace(found, contexts=found.contexts * np.float32(np.nan))
    assert "nan" in agreement(work_out(Quantity("context"), trace, nothing, other))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.73123, "0.7312"),
        (-6.8, "−6.8000"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (0.0012345, "0.00123"),
        (3.14e-9, "3.14e-09"),
        (float("nan"), "nan"),
    ],
)
def test_a_result_has_the_digits_a_reader_can_use(value: float, shown: str) -> None:
    assert final(value) == shown


def test_every_symbol_of_a_formula_leads_to_its_entry_in_the_glossary(case: Case) -> None:
    workings = {kind: work_out(Quantity(kind), *case) for kind in ("weight", "context", "attentional", "score")}
    assert {kind: terms(working) for kind, working in workings.items()} == {
        "weight": ["weight", "softmax", "score"],
        "context": ["context", "weight", "annotation"],
        "attentional": ["attentional", "tanh", "context", "state"],
        "score": ["score", "state", "key"],
    }
    assert workings["attentional"].shapes == {"W_c": (16, 48), "context": (24,), "state": (24,)}
