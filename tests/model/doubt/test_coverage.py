"""Coverage and its flags, on weights that add up by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from regard.model.alignment import Alignment
from regard.model.doubt.chance import Doubt
from regard.model.doubt.coverage import LEAST, coverage, credit, flags
from regard.model.trace import Trace
from regard.model.words import END
from tests.support.made_traces import made_of, sentence

NONE: frozenset[str] = frozenset()


def trace_of(source: str, target: str, weights: Sequence[Sequence[float]], behind: Sequence[float] = ()) -> Trace:
    """A trace of one token a word; `behind` says how far each token's logit is behind the likeliest one's."""
    left, right = (
        sentence(language, (*(f" {word}" for word in text.split()), END), tuple(range(len(text.split()) + 1)))
        for language, text in (("en", source), ("fr", target))
    )
    made = made_of(left, right)
    logits = made.top_logits[:, 0] - np.array(behind or [0] * len(made.target_ids), dtype=np.float32)
    return replace(made, alignment=Alignment(left, right, np.array(weights, dtype=np.float32)), logits=logits)


def test_coverage_is_the_sum_of_a_column_and_a_word_that_got_nothing_is_left_out() -> None:
    trace = trace_of("red car", "voiture", [[0.1, 0.8, 0.1], [0, 0.25, 0.75]])
    np.testing.assert_allclose(coverage(trace), [0.1, 1.05, 0.85], atol=1e-7)
    assert [tuple(flag) for flag in flags(trace, NONE, NONE)] == [(0, "left out", -1, pytest.approx(0.1))]
    assert flags(trace, {"red"}, NONE) == ()


def test_a_word_that_is_often_passed_over_is_spared_not_flagged() -> None:
    trace = trace_of("red car", "voiture", [[0.1, 0.8, 0.1], [0, 0.25, 0.75]])
    usual = Doubt("", 0.0, {}, frozenset({"red"}), NONE)
    assert (usual.flags(trace), [flag.source for flag in usual.spared(trace)]) == ((), [0])
    assert replace(usual, passed_over=NONE).spared(trace) == ()


def test_credit_counts_a_look_by_how_near_its_token_came_to_the_likeliest() -> None:
    """Half as likely as the likeliest: log 2 behind it."""
    looked = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
    trace = trace_of("red car", "voiture bleue", looked, behind=(0, float(np.log(2)), 0))
    np.testing.assert_allclose(coverage(trace), [1, 1, 1])
    np.testing.assert_allclose(credit(trace), [1, 0.5, 1], rtol=1e-6)
    given = trace_of("red car", "voiture bleue", looked, behind=(-float(np.log(LEAST / 2)), 0, 0))
    assert [(flag.source, flag.credit) for flag in flags(given, NONE, NONE)] == [(0, pytest.approx(LEAST / 2))]


def test_a_word_that_stands_twice_for_one_source_word_is_flagged_unless_it_often_does() -> None:
    looked = [[0.9, 0, 0.1], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1], [0, 0.1, 0.9]]
    trace = trace_of("Nations United", "Nations des nations", looked)
    assert [tuple(flag) for flag in flags(trace, NONE, NONE)] == [(0, "said twice", 2, pytest.approx(1.8))]
    assert flags(trace, NONE, {"nations"}) == ()


def test_what_the_source_says_twice_may_be_said_twice() -> None:
    looked = [[0.9, 0, 0.1], [0.1, 0.9, 0], [0, 0.1, 0.9]]
    assert flags(trace_of("no no", "non non", looked), NONE, NONE) == ()


def test_punctuation_is_never_flagged() -> None:
    assert flags(trace_of("! car", "voiture", [[0, 0.9, 0.1], [0, 0.1, 0.9]]), NONE, NONE) == ()
