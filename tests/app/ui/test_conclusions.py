from typing import Any

import pytest

from regard.app.ui.conclusions import ENDS, LIMITS, conclusions
from regard.model.config import Config

TAU = {"gradient_by_input": 0.3, "leave_one_out": 0.3, "between": 0.5}


def found(
    uniform: int = 5, without: int = 5, moved: int = 5, last: int = 5, tau: dict[str, float | None] | None = None
) -> dict[str, Any]:
    kept = {"uniform": uniform, "permuted": moved, "last position": last, "only the maximum": 5}
    return {"words": 10, "kept": kept | {"all but the maximum": without}, "tau": TAU if tau is None else tau}


def told(counts: dict[str, Any], **otherwise: Any) -> str:
    return "\n".join(conclusions(counts, Config(vocabulary=1, **otherwise)))


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ({"uniform": 10}, "10 of 10 words stay: an even mixture of the annotations was enough for every one"),
        ({"uniform": 7}, "7 of 10 words stay: for most of them, an even mixture"),
        ({"uniform": 5}, "enough for some of them and not for others"),
        ({"uniform": 1}, "1 of 10 words stays: an even mixture of the annotations was not enough for the others"),
        ({"uniform": 0}, "0 of 10 words stay: an even mixture of the annotations was not enough for any"),
        ({"moved": 1, "last": 2}, "By both tests, where the weights lay mattered for most words"),
        ({"moved": 1, "last": 5}, "mattered for some words"),
        ({"moved": 7, "last": 1}, "By at least one of these two tests, where the weights lay mattered little"),
        ({"without": 9}, "So most words do not need that token"),
        ({"without": 5}, "So some words need that token"),
        ({"without": 1}, "So most words need that token"),
        ({"uniform": 7, "moved": 1}, "in another order (seed 0), 1 of 10 words stays"),
    ],
)
def test_each_verdict_follows_from_the_count_of_its_own_test(counts: dict[str, Any], says: str) -> None:
    assert says in told(found(**counts))


@pytest.mark.parametrize(
    ("gradient", "leaving", "says"),
    [
        (0.6, 0.6, "By both, a heavy weight is mostly a sign"),
        (0.08, 0.87, "stays open"),
        (0.05, 0.1, "By neither is a heavy weight a reliable sign"),
        (0.3, -0.4, "does not agree at all with that of leaving a token out"),
    ],
)
def test_what_a_heavy_weight_is_a_sign_of_names_the_measure(gradient: float, leaving: float, says: str) -> None:
    assert says in told(found(tau={"gradient_by_input": gradient, "leave_one_out": leaving}))


def test_nothing_is_said_of_a_tau_that_is_undefined() -> None:
    assert "τ" not in told(found(5, tau={"gradient_by_input": None, "leave_one_out": None}))


def test_without_attention_nothing_is_concluded_of_it() -> None:
    said = conclusions(found(10), Config(vocabulary=1, score="none", initial_state="encoder"))
    assert [said[0], *said[2:]] == [ENDS, LIMITS[1]]
    assert len(said) == 3


def test_a_translation_without_words_has_no_shares() -> None:
    assert "of 0 words" not in told({"words": 0, "kept": found()["kept"], "tau": TAU})
