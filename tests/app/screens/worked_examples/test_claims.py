from typing import Any

import pytest

from regard.app.models.models import scores
from regard.app.screens.worked_examples.common_errors import (
    ADDITIVE,
    CLAIMS,
    CONCAT,
    DOT,
    MULTIPLICATIVE,
    NONE,
    attention_parameters,
    better,
    better_for_long,
    larger_score,
    row,
    slower,
)
from regard.model.checkpoint import PRETRAINED, load


def measured(bleu: float = 40.0, interval: tuple[float, float] = (38.0, 42.0), speed: float = 10.0) -> dict[str, Any]:
    return several({"one": (bleu, interval)}, speed)


def several(tests: dict[str, tuple[float, tuple[float, float]]], speed: float = 10.0) -> dict[str, Any]:
    searches = {
        name: {"greedy": {"bleu": {"score": bleu}, "by_length": [{"bleu": bleu, "interval": list(interval)}]}}
        for name, (bleu, interval) in tests.items()
    }
    return {
        "tests": {name: {"searches": search} for name, search in searches.items()},
        "speed": {"milliseconds_a_sentence": speed},
        "model": {"name": ADDITIVE},
    }


def test_a_verdict_follows_from_the_numbers_whichever_way_they_fall() -> None:
    low, high = measured(), measured(50.0, (48.0, 52.0), 15.0)
    assert better(high, low) == "Higher on every test."
    assert better(low, high) == "Lower on every test."
    assert slower(high, low) == "It takes 1.50 times as long."
    assert slower(low, high) == "It does not: it takes 0.67 times as long."


def test_intervals_that_lie_apart_are_counted_with_their_test_and_direction() -> None:
    low, high = measured(), measured(50.0, (48.0, 52.0))
    assert better_for_long(high, low) == "On 1 of 1 tests the intervals lie apart: Bahdanau is higher on one."
    assert better_for_long(low, high) == "On 1 of 1 tests the intervals lie apart: Bahdanau is lower on one."
    assert "overlap on every test: no difference is shown" in better_for_long(low, measured(41.0, (39.0, 43.0)))
    first = several({"one": (40, (38, 42)), "two": (30, (28, 32))})
    second = several({"one": (41, (39, 43)), "two": (40, (38, 42))})
    told = "On 1 of 2 tests the intervals lie apart: Bahdanau is lower on two. On the others they overlap, which is"
    assert better_for_long(first, second) == f"{told} inconclusive."


def test_on_long_sentences_the_shipped_models_show_no_difference_between_bahdanau_and_luong() -> None:
    told = better_for_long(scores(ADDITIVE), scores(MULTIPLICATIVE))
    assert told == "The 95% intervals overlap on every test: no difference is shown."


def parameters(name: str, within: str) -> int:
    network = load(PRETRAINED / name).network
    return sum(each.numel() for key, each in network.named_parameters() if key.startswith(within))


def test_what_the_additive_score_adds_is_told_apart_from_what_its_wiring_adds() -> None:
    score = parameters(CONCAT, "decoder.score") - parameters(MULTIPLICATIVE, "decoder.score")
    cell = parameters(ADDITIVE, "decoder.cell") - parameters(CONCAT, "decoder.cell")
    told = larger_score(scores(ADDITIVE), scores(CONCAT), scores(MULTIPLICATIVE))
    assert f"The score itself has {score:,} more" in told
    assert f"Bahdanau's wiring has {cell:,} more" in told


def test_the_bridge_is_not_counted_as_attention() -> None:
    learned, bridge = parameters(MULTIPLICATIVE, "decoder.score"), parameters(NONE, "bridge")
    assert parameters(DOT, "decoder.score") == 0
    told = attention_parameters(scores(MULTIPLICATIVE), scores(DOT), scores(NONE))
    assert f"The dot score has no parameters; general has {learned:,}." in told
    assert f"{bridge:,} more than with dot: the bridge" in told


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.said[:30])
def test_every_claim_has_the_numbers_of_the_models_that_ship(claim: Any) -> None:
    told = row(claim, {name: scores(name) for name in claim.models})
    assert told["So"]
    assert told["Measured here"].count("; ") == len(claim.models) - 1


def test_a_measurement_names_its_test() -> None:
    told = row(CLAIMS[0], {name: scores(name) for name in CLAIMS[0].models})
    score = scores(ADDITIVE)["tests"]["held_out"]["searches"]["greedy"]["bleu"]["score"]
    assert f"Bahdanau: held-out Tatoeba {score:.1f}," in told["Measured here"]
