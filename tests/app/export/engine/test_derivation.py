from typing import Any

import pytest

from regard.model.arithmetic.terms import CARRIED, LEAST, RELATIVE, ROUNDING
from tests.support.javascript import APP, evaluated

ENGINE = APP / "export" / "engine" / "derivation.js"
TANH = {"form": "state", "ending": "tanh", "constant": 0, "magnitude": 1.0}
WEIGHT = {"form": "weight/softmax", "ending": "share", "constant": 0, "magnitude": 1.0}
SUM = {"form": "score/general", "ending": "sum", "constant": 0, "magnitude": 30.0}


@pytest.mark.parametrize(
    ("working", "shown", "redone", "agrees", "tells"),
    [
        (WEIGHT, 1e-5, 1e-5, True, True),
        (WEIGHT, 1.1e-5, 1e-5, False, True),
        (WEIGHT, 0.50001, 0.5, True, True),
        (WEIGHT, 0.5001, 0.5, False, True),
        (TANH, 0.3, 0.30001, True, True),
        (TANH, 0.3, 0.301, False, True),
        (SUM, 1e-5, -1e-5, True, False),
        (SUM, 1e-5, 1e-5, True, True),
        (SUM, 2.0, 2.001, False, True),
        (SUM, None, 2.0, True, True),
    ],
)
def test_a_number_agrees_where_only_rounding_sets_it_apart(
    working: dict[str, Any], shown: float | None, redone: float, agrees: bool, tells: bool
) -> None:
    asked = str({**working, "redone": redone}).replace("}", f", 'shown': {'null' if shown is None else shown}}}")
    told = evaluated(f"verdict({asked})", {ENGINE: "verdict"})
    assert (told["agrees"], told["tells"]) == (agrees, tells)


def test_it_allows_as_much_as_python() -> None:
    told = evaluated(f"verdict({ {**SUM, 'redone': 2.0, 'shown': 2.0} })", {ENGINE: "verdict"})
    assert told["tolerance"] == pytest.approx(RELATIVE * 2 + LEAST + ROUNDING * 30 + CARRIED)
