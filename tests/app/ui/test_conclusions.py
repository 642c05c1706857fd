from typing import Any

import pytest

from regard.app.ui.conclusions import ENDS, LIMITS, conclusions
from regard.model.config import Config

TAU = {"gradient_by_input": 0.3, "leave_one_out": 0.3, "between": 0.5}


def found(uniform: int, without: int = 5, alone: int = 5, tau: dict[str, float | None] | None = None) -> dict[str, Any]:
    kept = {"uniform": uniform, "all but the maximum": without, "only the maximum": alone}
    return {"words": 10, "kept": kept, "tau": TAU if tau is None else tau}


def told(counts: dict[str, Any], scores: dict[str, Any] | None = None, **otherwise: Any) -> str:
    return "\n".join(conclusions(counts, scores or {}, Config(vocabulary=1, **otherwise)))


@pytest.mark.parametrize(
    ("stay", "says"),
    [
        (10, "did not decide which word came"),
        (7, "did not decide which word came"),
        (5, "decided some of the words and not others"),
        (3, "decided most of this translation"),
        (0, "decided all of this translation"),
    ],
)
def test_whether_looking_decided_depends_on_how_many_words_stay(stay: int, says: str) -> None:
    assert f"{stay} of 10 words" in told(found(stay))
    assert says in told(found(stay))


def test_what_the_heaviest_token_carries_depends_on_what_stays_without_it() -> None:
    assert "finds elsewhere too" in told(found(5, without=9))
    assert "carries something that the others do not" in told(found(5, without=1))


@pytest.mark.parametrize(
    ("tau", "degree", "advice"),
    [
        (0.6, "agrees largely", "mostly a sign"),
        (0.3, "agrees in part", "may point to"),
        (0.05, "hardly agrees with", "no reliable sign"),
        (-0.4, "does not agree at all with", "no reliable sign"),
    ],
)
def test_how_far_to_trust_a_heavy_weight_depends_on_tau(tau: float, degree: str, advice: str) -> None:
    text = told(found(5, tau={"gradient_by_input": tau, "leave_one_out": tau}))
    assert degree in text
    assert advice in text


@pytest.mark.parametrize(
    ("gradient", "leaving", "advice"),
    [
        (0.08, 0.87, "by it a heavy weight is mostly a sign here that a token matters"),
        (0.87, 0.08, "stays open"),
        (0.08, 0.3, "stays open"),
    ],
)
def test_measures_that_disagree_get_a_verdict_of_their_own(gradient: float, leaving: float, advice: str) -> None:
    text = told(found(5, tau={"gradient_by_input": gradient, "leave_one_out": leaving}))
    assert "The two measures disagree" in text
    assert advice in text
    assert "no reliable sign" not in text


def test_nothing_is_said_of_a_tau_that_is_undefined() -> None:
    assert "τ" not in told(found(5, tau={"gradient_by_input": None, "leave_one_out": None}))


@pytest.mark.parametrize(("function", "content", "says"), [(0.68, 0.21, "agrees with"), (0.2, 0.4, "differs from")])
def test_the_published_direction_is_compared_with_the_one_measured(function: float, content: float, says: str) -> None:
    kinds = {"function": {"words": 9, "kept": function}, "content": {"words": 9, "kept": content}}
    text = told(found(5), {"attention": {"counterfactuals": {"uniform": kinds}}})
    assert f"{says} what Moradi, Kambhatla and Sarkar (2019) found from German to English" in text


def test_without_attention_nothing_is_concluded_of_it() -> None:
    said = conclusions(found(10), {}, Config(vocabulary=1, score="none", initial_state="encoder"))
    assert [said[0], *said[2:]] == [ENDS, LIMITS[1]]
    assert len(said) == 3


def test_what_the_state_knows_is_said_of_each_kind_of_model() -> None:
    assert "all that this decoder's state is made of" in told(found(5))
    assert "remembers" not in told(found(5))
    assert "remembers what earlier steps found" in told(found(5), input_feeding=True)
    assert "remembers what earlier steps found" in told(found(5), wiring="bahdanau")
    assert "began from the encoder's" in told(found(5), initial_state="encoder")


def test_a_translation_without_words_has_no_shares() -> None:
    assert "of 0 words" not in told({"words": 0, "kept": found(0)["kept"], "tau": TAU})


def test_what_explanation_may_mean_is_always_said() -> None:
    assert "Wiegreffe and Pinter 2019" in told(found(5))
