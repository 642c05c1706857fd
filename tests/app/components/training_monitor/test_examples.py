from typing import Any

import pytest

from tests.support.javascript import APP, evaluated

PREDICTIONS = APP / "components" / "training_monitor" / "examples.js"


def places(wanted: str, written: str) -> tuple[list[dict[str, Any]], int]:
    """Return the places of the wanted numbers with what is written there, and the number of faults."""
    drawn = f"placesOf({list(wanted)}, {list(written)})"
    found = evaluated(f"[{drawn}, faultsOf({drawn})]", {PREDICTIONS: "placesOf, faultsOf"})
    return found[0], found[1]


@pytest.mark.parametrize(
    ("written", "seen", "wrong"),
    [
        ("123", ["1", "2", "3"], 0),
        ("193", ["1", "9", "3"], 1),
        ("1", ["1", "·", "·"], 2),
        ("1234", ["1", "2", "3", "+1"], 1),
        ("@@@@@@@@", ["@", "@", "@", "+5"], 8),
    ],
)
def test_every_fault_is_seen_and_what_is_too_much_is_counted_where_it_is_cut(
    written: str, seen: list[str], wrong: int
) -> None:
    drawn, told = places("123", written)
    assert [place["text"] for place in drawn] == seen
    assert told == wrong == sum(place["faults"] for place in drawn)
