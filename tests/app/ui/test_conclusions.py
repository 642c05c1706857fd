from typing import Any

import pytest

from regard.app.ui.conclusions import ENDS, LIMITS, conclusions, exposure_conclusion
from regard.model.config import Config
from regard.model.synthetic.exposure_bias import Exposure

TAU = {"gradient_by_input": 0.3, "leave_one_out": 0.3, "between": 0.5}


def found(
    uniform: int = 5, without: int = 5, moved: int = 5, last: int = 5, tau: dict[str, float | None] | None = None
) -> dict[str, Any]:
    kept = {"uniform": uniform, "permuted": moved, "last position": last, "only the maximum": 5}
    return {"words": 10, "kept": kept | {"all but the maximum": without}, "tau": TAU if tau is None else tau}


def told(counts: dict[str, Any], scores: dict[str, Any] | None = None, **otherwise: Any) -> str:
    return "\n".join(conclusions(counts, scores or {}, Config(vocabulary=1, **otherwise)))


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
        (0.3, 0.6, "may point to what matters"),
        (0.08, 0.87, "by leaving a token out, a heavy weight is mostly a sign that a token matters; by gradient"),
        (0.87, 0.08, "by gradient × input, a heavy weight is mostly a sign that a token matters; by leaving"),
        (0.08, 0.3, "stays open"),
        (0.05, 0.1, "By neither is a heavy weight a reliable sign"),
        (0.3, -0.4, "does not agree at all with that of leaving a token out"),
    ],
)
def test_what_a_heavy_weight_is_a_sign_of_names_the_measure(gradient: float, leaving: float, says: str) -> None:
    assert says in told(found(tau={"gradient_by_input": gradient, "leave_one_out": leaving}))


def test_nothing_is_said_of_a_tau_that_is_undefined() -> None:
    assert "τ" not in told(found(5, tau={"gradient_by_input": None, "leave_one_out": None}))


@pytest.mark.parametrize(
    ("function", "content", "words", "says"),
    [
        (0.68, 0.21, 500, "stay more often agrees with"),
        (0.2, 0.4, 500, "differs from"),
        (0.68, 0.6, 50, "includes 0"),
    ],
)
def test_the_published_direction_is_compared_by_the_interval(
    function: float, content: float, words: int, says: str
) -> None:
    kinds = {"function": {"words": words, "kept": function}, "content": {"words": words, "kept": content}}
    text = told(found(), {"attention": {"counterfactuals": {"uniform": kinds}}})
    assert says in text


def test_without_attention_nothing_is_concluded_of_it() -> None:
    said = conclusions(found(10), {}, Config(vocabulary=1, score="none", initial_state="encoder"))
    assert [said[0], *said[2:]] == [ENDS, LIMITS[1]]
    assert len(said) == 3


def test_what_the_state_knows_is_said_of_each_kind_of_model() -> None:
    assert "all that this decoder's state is made of" in told(found())
    assert "remembers" not in told(found())
    assert "remembers what earlier steps found" in told(found(), input_feeding=True)
    assert "remembers what earlier steps found" in told(found(), wiring="bahdanau")
    assert "began from the encoder's" in told(found(), initial_state="encoder")


def test_a_translation_without_words_has_no_shares() -> None:
    assert "of 0 words" not in told({"words": 0, "kept": found()["kept"], "tau": TAU})


def test_what_explanation_may_mean_is_always_said() -> None:
    assert "Wiegreffe and Pinter 2019" in told(found())


@pytest.mark.parametrize(
    ("own_fed", "says"),
    [([0.1, 0.1], "In 2 of 2 pairs"), ([0.1, 0.9], "which does not settle it."), ([0.9, 0.9], "against what exposure")],
)
def test_exposure_bias_is_judged_by_the_number_of_runs(own_fed: list[float], says: str) -> None:
    exposures = [Exposure(seed, 1.0, 0.9, 0.6) for seed in range(2)]
    exposures += [Exposure(seed, 0.0, 0.9, 0.9 - lost) for seed, lost in enumerate(own_fed)]
    assert says in exposure_conclusion(exposures)
