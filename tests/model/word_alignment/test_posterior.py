from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy import ndarray

from regard.model.alignment import ROWS, Posterior
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.translate import force
from regard.model.word_alignment.alignment_error_rate import NO_LINKS, GoldPair
from regard.model.word_alignment.detokenize import between, join, links
from regard.model.word_alignment.from_attention import Aligned, EndMass, RowReading, aligned, of_pair
from regard.model.word_alignment.posterior import READINGS, Jumps, log_emissions, normalised, posterior, smooth
from regard.pretrained.recipe.jump_penalty import own_emissions
from tests.support.every_kind import KINDS, named

SOURCE, TARGET = "The car.", "Le"


def forced(model: Pretrained, **changes: Any) -> Trace:
    """The target is written whatever is changed."""
    ids = (*model.tokenizer.encode(TARGET, "fr").ids, STOP)
    return what_if.translate(model, SOURCE, Intervention(tokens=tuple(enumerate(ids)), **changes))


def one_by_one(model: Pretrained, trace: Trace) -> ndarray:
    """p(y_t) with all weight of step t on a position that may be looked at, a translation for each; NaN elsewhere."""
    found = np.full(trace.weights.shape, np.nan)
    for step, position in np.argwhere(trace.mask).tolist():
        others = [(place, row) for place, row in trace.intervention.weights if place != step]
        alone = tuple(np.eye(trace.weights.shape[1])[position].tolist())
        changed = replace(trace.intervention, weights=(*others, (step, alone)))
        found[step, position] = np.exp(what_if.translate(model, SOURCE, changed).log_probabilities[step])
    return found


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_the_likelihood_is_that_of_weights_really_replaced(
    kind: dict[str, Any], make_model: Callable[..., Pretrained]
) -> None:
    model = make_model(**kind)
    trace = forced(model)
    found, expected = posterior(model, trace), one_by_one(model, trace)
    reached = trace.mask
    np.testing.assert_allclose(found.likelihood[reached], expected[reached], rtol=1e-4)
    product = np.where(reached, trace.weights * np.nan_to_num(expected), 0)
    np.testing.assert_allclose(found.posterior, product / product.sum(1, keepdims=True), atol=1e-5)
    np.testing.assert_array_equal(found.prior, trace.weights)
    assert np.ptp(found.likelihood, axis=1).max() > 0  # positions make a difference


def test_on_paper_the_likelier_position_wins_as_much_as_the_weights_allow() -> None:
    prior, likelihood = np.array([[0.5, 0.3, 0.2]]), np.array([[0.1, 0.5, 0.0]])
    with np.errstate(divide="ignore"):
        found = Posterior(prior, likelihood, normalised(prior, np.log(likelihood)))
    np.testing.assert_allclose(found.product, [[0.05, 0.15, 0]])
    np.testing.assert_allclose(found.evidence, [0.2])
    np.testing.assert_allclose(found.posterior, [[0.25, 0.75, 0]])
    with pytest.raises(ValueError, match="read-only"):
        found.posterior[0, 0] = 1


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


def test_a_word_of_several_tokens_says_what_they_say_together() -> None:
    prior = np.array([[0.25, 0.25, 0.5], [0.2, 0.2, 0.6]])
    likelihood = np.array([[0.1, 0.3, 0.5], [0.4, 0.2, 0.1]])
    found = Posterior(prior, likelihood, prior)  # the first two source tokens are one word, both target tokens too
    columns, steps = np.array([[1.0, 0], [1, 0], [0, 1]]), np.array([[1.0, 0], [1, 0]])
    emissions = np.exp(log_emissions(found, steps, columns))
    first = np.sqrt([0.5, 0.5]) * [0.2, 0.5]  # √α times the likelihood, which is .1 and .3 averaged by their weights
    second = np.sqrt([0.4, 0.6]) * [0.3, 0.1]
    # A word without tokens has the same likelihood everywhere.
    np.testing.assert_allclose(emissions, np.stack([first * second, np.ones(2)]))


def test_between_words_that_are_the_models_own_jumps_find_the_same(tiny_model: Pretrained) -> None:
    trace = force(tiny_model, [("The red car", "Le chat noir")])[0]
    source, target = (
        join(" ".join(side.words[:-1]), "plain") for side in (trace.alignment.source, trace.alignment.target)
    )
    found = READINGS["posterior-hmm"](tiny_model, trace, source, target)
    np.testing.assert_allclose(
        found, smooth(own_emissions(trace.alignment, posterior(tiny_model, trace))).posterior[:-1]
    )


@pytest.mark.parametrize("reading", READINGS)
def test_a_pair_without_words_has_no_links(reading: str, tiny_model: Pretrained) -> None:
    for lines in (("", ""), ("The cat", ""), ("", "Le chat"), ("\u200b x", "\u200b y")):
        source, target = join(lines[0], "en"), join(lines[1], "fr")
        trace = force(tiny_model, [(source.text, target.text)])[0]
        found = READINGS[reading](tiny_model, trace, source, target)
        assert found.shape == (len(target.words), len(source.words) + 1)
        assert np.isfinite(found).all()
        assert all(target.spans[row].start < target.spans[row].stop for _, row in links(found))


def test_every_reading_is_scored_against_the_gold_links(restless: Pretrained) -> None:
    link = frozenset({(0, 0)})
    gold = [
        GoldPair("0", "I do n't love the car .", "Je n' aime pas l' auto .", link, link),
        GoldPair("1", "The cat sat", "Le chat", frozenset({(1, 1)}), frozenset({(0, 0), (1, 1)})),
    ]
    each_alone = [*aligned(restless, gold)]
    found = sum(each_alone, Aligned())
    traces = force(restless, [(join(pair.source, "en").text, join(pair.target, "fr").text) for pair in gold])
    ends = EndMass()
    for pair, trace in zip(gold, traces, strict=True):
        sides = join(pair.source, "en"), join(pair.target, "fr")
        ends += EndMass.of(between(trace.alignment, *sides))
        for rows in ROWS:  # as the align command prints them
            assert of_pair(pair, restless, trace, rows).proposed == {*links(between(trace.alignment, *sides, rows))}
    assert found.scores()["weight_on_end"] == pytest.approx(ends.shares(), abs=1e-4)
    assert found.output.agreement != found.input.agreement
    for reading in (*ROWS, "posterior", "posterior-hmm"):
        name = reading.replace("-", "_")
        judged = [of_pair(pair, restless, trace, reading) for pair, trace in zip(gold, traces, strict=True)]
        expected = sum((pair.agreement for pair in judged), NO_LINKS)
        assert getattr(found, name).agreement == expected != NO_LINKS
        masses = [getattr(one, name).mass.shares()["mass_on_possible"] for one in each_alone]
        assert [pair.mass for pair in judged] == masses
        assert found.scores()[name]["aer"] == pytest.approx(expected.error_rate, abs=1e-4)
        assert {"precision", "recall", "mass_on_sure", "mass_on_possible"} < set(found.scores()[name])
    weights_alone = sum(aligned(restless, gold, posteriors=False), Aligned())
    assert weights_alone == replace(found, posterior=RowReading(), posterior_hmm=RowReading())
