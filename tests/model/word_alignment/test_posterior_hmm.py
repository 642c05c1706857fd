from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy import ndarray

from regard.model.alignment import Posterior
from regard.model.checkpoint import Pretrained
from regard.model.data.corpus import Pair
from regard.model.translate import force
from regard.model.word_alignment.jump_penalty import evidence
from regard.model.word_alignment.posterior import Jumps, by_words, log_emissions, own_emissions, posterior, smooth
from tests.support.small_texts import PAIRS


def every_way(emissions: ndarray, penalty: float, null: float) -> tuple[ndarray, float]:
    """Marginals and evidence by enumeration; the last state is the null state, which remembers the word before it."""
    rows, states = emissions.shape
    words, found = states - 1, np.zeros((rows, states))
    for way in product(range(states), repeat=rows):
        place, probability = -1, 1.0
        for row, state in enumerate(way):
            if state == words:
                probability *= null
            else:
                costs = [np.exp(-penalty * min(abs(word - place - 1), 6)) for word in range(words)]
                probability *= (1 - null) * costs[state] / sum(costs)
                place = state
            probability *= emissions[row, state]
        for row, state in enumerate(way):
            found[row, state] += probability
    return found / found.sum(1, keepdims=True), float(found[0].sum())


@given(
    rows=st.integers(1, 4),
    words=st.integers(0, 4),
    penalty=st.floats(0, 4),
    null=st.floats(0.01, 0.99),
    seed=st.integers(0, 999),
)
def test_both_passes_equal_the_sum_over_every_way(
    rows: int, words: int, penalty: float, null: float, seed: int
) -> None:
    emissions = np.random.default_rng(seed).random((rows, words + 1)) + 1e-3
    marginals, total = every_way(emissions, penalty, null)
    found = smooth(np.log(emissions), Jumps(penalty, null))
    np.testing.assert_allclose(found.posterior, marginals, atol=1e-9)
    assert found.log_evidence == pytest.approx(np.log(total))


def test_beyond_six_words_a_jump_costs_no_more() -> None:
    rows = Jumps(penalty=1.0, null=0.5).probabilities(12)
    assert rows.shape == (13, 12)
    np.testing.assert_allclose(rows.sum(1), 0.5)
    first = rows[0] / rows[0, 0]  # before the first word: the first costs nothing
    np.testing.assert_allclose(first, np.exp(-np.minimum(np.arange(12), 6)))
    back = rows[8] / rows[8, 8]  # from word 7 the next is word 8
    np.testing.assert_allclose(back[[7, 6, 9, 0]], np.exp([-1, -2, -1, -6]))


def test_where_a_word_says_nothing_its_neighbours_say_where_it_is_from() -> None:
    clear = np.array([[0.9, 0.04, 0.03, 0.03], [0.25, 0.25, 0.25, 0.25], [0.03, 0.03, 0.9, 0.04]])
    found = smooth(np.log(clear), Jumps(2.0, 0.1)).posterior
    assert found.argmax(1).tolist() == [0, 1, 2]
    loose = smooth(np.log(clear), Jumps(0.0, 0.25)).posterior
    np.testing.assert_allclose(loose, clear)  # when no jump costs and the null state is one of four alike


def test_words_that_only_jumps_explain_have_a_posterior_too() -> None:
    found = smooth(np.log(np.full((3, 5), 1e-300)) * 2, Jumps(50.0)).posterior
    np.testing.assert_allclose(found.sum(1), 1)
    assert found.argmax(1).tolist() == [0, 1, 2]


def test_a_word_of_several_tokens_says_what_they_say_together() -> None:
    prior = np.array([[0.25, 0.25, 0.5], [0.2, 0.2, 0.6]])
    likelihood = np.array([[0.1, 0.3, 0.5], [0.4, 0.2, 0.1]])
    found = Posterior(prior, likelihood, prior)  # the first two source tokens are one word, both target tokens too
    columns, steps = np.array([[1.0, 0], [1, 0], [0, 1]]), np.array([[1.0, 0], [1, 0]])
    emissions = np.exp(log_emissions(found, steps, columns))
    first = np.sqrt([0.5, 0.5]) * [0.2, 0.5]  # √α times the likelihood, which is .1 and .3 averaged by their weights
    second = np.sqrt([0.4, 0.6]) * [0.3, 0.1]
    np.testing.assert_allclose(
        emissions, np.stack([first * second, np.ones(2)])
    )  # and a word without tokens says nothing


def test_the_words_of_a_trace_have_rows_and_columns(tiny_model: Pretrained) -> None:
    for trace in force(tiny_model, PAIRS):
        found = by_words(trace.alignment, posterior(tiny_model, trace))
        assert (found.rows, found.columns) == (trace.alignment.target.words, trace.alignment.source.words)
        assert found.weights.shape == (len(found.rows), len(found.columns))
        np.testing.assert_allclose(found.weights.sum(1), 1)


def test_a_penalty_is_judged_by_the_sum_of_the_evidence_of_all_pairs(tiny_model: Pretrained) -> None:
    pairs = [Pair(*pair) for pair in PAIRS[:2]]
    traces = force(tiny_model, pairs)
    expected = sum(
        smooth(own_emissions(trace.alignment, posterior(tiny_model, trace)), Jumps(1.5)).log_evidence
        for trace in traces
    )
    found = evidence(tiny_model, pairs, (0.0, 1.5))
    assert found[1.5] == pytest.approx(expected)
    assert found[0.0] != found[1.5]


@pytest.mark.parametrize("wrong", [{"penalty": -1.0}, {"penalty": float("nan")}, {"null": 0.0}, {"null": 1.0}])
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=rf"{next(iter(wrong))} is .*accepted"):
        Jumps(**wrong)
