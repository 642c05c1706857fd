"""Claims are shown beside measurements, and the verdict follows from the numbers."""

from typing import Any

from regard.app.models.models import scores
from regard.app.screens.worked_examples.claims import (
    APART,
    CLAIMS,
    TOGETHER,
    better,
    better_for_long,
    larger,
    row,
    slower,
)


def measured(bleu: float = 40.0, interval: tuple[float, float] = (38.0, 42.0), speed: float = 10.0) -> dict[str, Any]:
    longest = {"words": [20, 30], "bleu": bleu, "interval": list(interval)}
    test = {"searches": {"greedy": {"bleu": {"score": bleu}, "by_length": [longest]}}}
    return {"tests": {"one": test}, "speed": {"milliseconds_a_sentence": speed}, "model": {"parameters": round(bleu)}}


def test_a_verdict_follows_from_the_numbers_whichever_way_they_fall() -> None:
    low, high = measured(), measured(50.0, (48.0, 52.0), 15.0)
    assert better(high, low) == "Higher on every test."
    assert better(low, high) == "Lower on every test."
    assert better_for_long(high, low) == better_for_long(low, high) == APART
    assert better_for_long(low, measured(41.0, (39.0, 43.0))) == TOGETHER
    assert slower(high, low) == "It takes 1.50 times as long."
    assert slower(low, high) == "It does not: it takes 0.67 times as long."
    assert larger(high, low) == "10 more, 25.0%."


def test_every_claim_has_the_numbers_of_the_models_that_ship() -> None:
    found = {name: scores(name) for claim in CLAIMS for name in claim.models}
    told = [row(claim, found) for claim in CLAIMS]
    bleu = found["en-fr-bahdanau"]["tests"]["held_out"]["searches"]["greedy"]["bleu"]["score"]
    assert f"Bahdanau {bleu:.1f} and" in told[0]["Measured here"]
    assert all(each["So"] for each in told)
