"""Every kind of model a config accepts; tests run over them, so that a new choice is tested once it is listed."""

from itertools import product
from typing import Any

from regard.model.cells import CELLS
from regard.model.config import INITIAL_STATES
from regard.model.decoder import WIRINGS
from regard.model.scores import SCORES

FEEDING = {"luong": (False, True), "bahdanau": (False,)}  # Bahdanau's wiring feeds the context instead
LEARNED = [score for score in SCORES if score != "none"]
KINDS: list[dict[str, Any]] = [
    {"score": score, "wiring": wiring, "cell": cell, "input_feeding": feeding, "initial_state": initial_state}
    for score, wiring, cell, initial_state in product(SCORES, WIRINGS, CELLS, INITIAL_STATES)
    for feeding in FEEDING[wiring]
]
ATTENTIONS: list[dict[str, Any]] = [{"score": score, "wiring": wiring} for score, wiring in product(SCORES, WIRINGS)]


def named(kind: dict[str, Any]) -> str:
    """Return the name of a kind in a list of tests."""
    return "-".join(name if value is True else value for name, value in kind.items() if value is not False)
