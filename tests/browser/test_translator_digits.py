import re
from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Browser

from regard.app.arithmetic import equations
from regard.app.components.shared.modules import script
from regard.app.export.translator.document import HERE
from regard.model.arithmetic.kinds import FORWARD
from regard.model.arithmetic.recurrent import work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.checkpoint import Pretrained
from tests.support.both_engines import make_case
from tests.support.every_number import is_there, places

TENS = re.compile(r" \\cdot 10\^\{(-?\d+)\}")
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")

WRITE = """(workings) => workings.map((working) => {
  if (!working.terms.length) return null;
  const places = placesOfDigits(working);
  const made = working.terms.map((term, n) => factorsAsWritten(term, working, n ? places.terms : places.first));
  return {
    places: [places.first, places.terms, places.total],
    made: made.map((one) => one && [...one.factors, ...(POWERS.includes(working.form) ? [one.greatest] : [])]),
    values: working.terms.map(({ value }, n) => written(value, n ? places.terms : places.first)),
    result: final(combinedOf(working)),
  };
})"""


def plainly(latex: str) -> list[float]:
    """The numbers in it; e^{a-b} has a and b, as they are."""
    power = re.search(r"mathrm\{e\}\^\{(.*)\} =", latex)
    if power:
        inner = TENS.sub(r"e\1", power[1])
        found = re.fullmatch(r"(-?[\d.]+(?:e-?\d+)?)([+-])([\d.]+(?:e-?\d+)?)", inner)
        assert found, latex
        return [float(found[1]), float(found[3]) * (-1 if found[2] == "+" else 1)]
    return [float(number) for number in NUMBERS.findall(TENS.sub(r"e\1", latex))]


def sent(working: Derivation) -> dict[str, Any]:
    """As the page's own arithmetic has it."""
    terms = [{"value": term.value, "factors": term.factors} for term in working.terms]
    return {
        **{name: asdict(working)[name] for name in ("form", "ending", "constant")},
        "terms": terms, "rest": working.rest_value, "total": working.total,
    }  # fmt: skip


@pytest.fixture(scope="module")
def workings(tiny_model: Pretrained) -> list[Derivation]:
    case = make_case(tiny_model)
    asked = [quantity for kind in FORWARD for quantity in places(kind, case[0]) if is_there(quantity, case[0])]
    return [work_out(quantity, *case) for quantity in asked]


def test_every_line_has_the_digits_of_the_app(browser: Browser, workings: list[Derivation]) -> None:
    page = browser.new_page()
    page.evaluate(f"(() => {{ {script(HERE / 'derivation.js')}\nglobalThis.write = {WRITE}; }})()")
    answers = page.evaluate("workings => write(workings)", [sent(working) for working in workings])
    page.close()
    told = [(working, answer) for working, answer in zip(workings, answers, strict=True) if answer]
    assert len(told) > 100
    for working, answer in told:
        wanted = equations._places(working)
        assert answer["places"] == list(wanted), working.name
        assert float(answer["result"]) == float(equations.final(working.combined)), working.name
        for n, (term, value, made) in enumerate(zip(working.terms, answer["values"], answer["made"], strict=True)):
            digits_of_term = wanted.terms if n else wanted.first
            assert float(value) == float(equations.written(term.value, digits_of_term)), working.name
            shown = plainly(equations._short_factors(term, working, digits_of_term))
            assert list(map(float, made or [])) == shown, (working.name, term.label)
