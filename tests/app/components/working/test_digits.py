"""A reader who redoes each line of a working with the digits shown gets what the line says."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from regard.app.components.working.mount import as_data
from regard.model.arithmetic.quantity import FORWARD
from regard.model.arithmetic.recurrent import work_out
from regard.model.checkpoint import Pretrained
from tests.support.every_number import make_case, some
from tests.support.javascript import APP, evaluated

WRITE = """given.map((working) => {
  const places = placesOf(working);
  const at = (n) => (n ? places.terms : places.first);
  return {
    terms: working.terms.map((term, n) =>
      ({ value: written(term.value, at(n)), made: factorsAsWritten(term, working, at(n)) })),
    rest: written(working.rest, places.terms), total: written(working.total, places.total),
    constant: written(working.constant, places.total), result: final(working.redone), places,
  };
})"""
NETWORKS = (
    {},
    {"score": "concat", "cell": "gru", "initial_state": "encoder"},
    {"score": "dot", "input_feeding": True},
    {"score": "concat", "wiring": "bahdanau"},
)
POWERS = ("weight/softmax", "probability", "log_normaliser")


@pytest.fixture(scope="module")
def written(make_model: Callable[..., Pretrained]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Numbers of every kind, each with its lines as text."""
    workings = []
    for network in NETWORKS:
        case = make_case(make_model(**network))
        opened = [work_out(asked, *case) for kind in FORWARD for asked in some(kind, case[0])]
        workings += [as_data(working) for working in opened if working.terms]
    names = "placesOf, factorsAsWritten, written, final"
    lines = evaluated(
        WRITE, {APP / "components" / "working" / "digits.js": names}, f"const given = {json.dumps(workings)};"
    )
    return list(zip(workings, lines, strict=True))


def rounded(value: float, text: str) -> bool:
    """True if a value with the digits of a text gives the text."""
    places = len(text.partition(".")[2])
    return abs(value - float(text)) <= (5e-3 * abs(float(text)) if "e" in text else 0.5000001 * 10**-places)


def test_the_factors_shown_give_the_term_shown(written: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    made = [(working["form"], term) for working, lines in written for term in lines["terms"] if term["made"]]
    assert len(made) > 300
    for form, term in made:
        factors, greatest = map(float, term["made"]["factors"]), float(term["made"]["greatest"])
        if form in POWERS:
            redone = math.exp(next(factors) - greatest)
        else:
            redone = next(factors) * math.tanh(next(factors)) if form == "state/lstm" else math.prod(factors)
        assert rounded(redone, term["value"]), (form, term)
        value = float(term["value"])
        assert not value or abs(value) >= 10 ** (1 - len(term["value"].partition(".")[2]))  # two digits that count


ENDED: dict[str, Callable[[float, float, float], float]] = {
    "sum": lambda total, first, constant: total,
    "mean": lambda total, first, constant: total / constant,
    "tanh": lambda total, first, constant: math.tanh(total),
    "sigmoid": lambda total, first, constant: 1 / (1 + math.exp(-total)),
    "share": lambda total, first, constant: first / total,
    "log": lambda total, first, constant: constant + math.log(total),
}


def test_the_terms_shown_give_the_number_shown(written: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    for working, lines in written:
        values = [*(float(term["value"]) for term in lines["terms"]), float(lines["rest"])]
        ended = ENDED[working["ending"]](float(lines["total"]), values[0], float(lines["constant"]))
        assert rounded(math.fsum(values), lines["total"]), working
        assert rounded(ended, lines["result"]), working
        assert float(lines["result"]) == pytest.approx(working["redone"], rel=6e-3, abs=6e-5)
