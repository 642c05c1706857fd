from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy import ndarray

from regard.model.alignment import Posterior
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.translate import force, translate
from regard.model.word_alignment import posterior as module
from regard.model.word_alignment.posterior import normalised, posterior
from tests.support.every_kind import ATTENTIONS, KINDS, named

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


@pytest.mark.parametrize("kind", ATTENTIONS, ids=named)
def test_what_a_person_changed_stays_changed(kind: dict[str, Any], make_model: Callable[..., Pretrained]) -> None:
    model = make_model(**kind)
    plain = forced(model)
    length = plain.weights.shape[1]
    row = np.zeros(length)
    row[[0, -1]] = 0.25, 0.75
    hidden = (1,) if kind["score"] != "none" else ()  # without attention it is out of reach as it is
    trace = forced(model, weights=((1, tuple(row.tolist())),), hidden=hidden, temperature=0.5, bonus=((2, 0, 3.0),))
    found, expected = posterior(model, trace), one_by_one(model, trace)
    np.testing.assert_allclose(found.likelihood[trace.mask], expected[trace.mask], rtol=1e-4)
    np.testing.assert_allclose(found.prior[1], row)
    assert (found.posterior[trace.weights == 0] == 0).all()
    assert not trace.mask.all()
    assert not np.allclose(found.posterior[2], posterior(model, plain).posterior[2], atol=1e-6)


def test_all_weight_on_one_position_leaves_no_question(tiny_model: Pretrained) -> None:
    alone = tuple(np.eye(len(forced(tiny_model).source))[2].tolist())
    found = posterior(tiny_model, forced(tiny_model, weights=((0, alone),)))
    assert found.posterior[0].tolist() == list(alone)
    trace = forced(tiny_model, weights=((0, alone),))
    assert found.evidence[0] == pytest.approx(np.exp(trace.log_probabilities[0]), rel=1e-5)


@pytest.mark.parametrize("wiring", ["luong", "bahdanau"])
def test_without_attention_either_end_shares_the_posterior(wiring: str, make_model: Callable[..., Pretrained]) -> None:
    model = make_model(score="none", wiring=wiring)
    found = posterior(model, translate(model, ["I love you."])[0])
    assert (found.posterior[:, 1:-1] == 0).all()
    np.testing.assert_allclose(found.posterior[:, [0, -1]].sum(1), 1)


def test_a_block_at_a_time_or_all_at_once_is_the_same(tiny_model: Pretrained, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = translate(tiny_model, ["Where is the train station?"])[0]
    whole = posterior(tiny_model, trace)
    monkeypatch.setattr(module, "ROWS", 7)
    np.testing.assert_allclose(posterior(tiny_model, trace).likelihood, whole.likelihood, rtol=1e-5)


def test_a_trace_of_another_model_is_refused(tiny_model: Pretrained, make_model: Callable[..., Pretrained]) -> None:
    trace = force(make_model(score="dot"), [(SOURCE, TARGET)])[0]
    with pytest.raises(ValueError, match="the trace was made by"):
        posterior(tiny_model, trace)


def test_on_paper_the_likelier_position_wins_as_much_as_the_weights_allow() -> None:
    prior, likelihood = np.array([[0.5, 0.3, 0.2]]), np.array([[0.1, 0.5, 0.0]])
    with np.errstate(divide="ignore"):
        found = Posterior(prior, likelihood, normalised(prior, np.log(likelihood)))
    np.testing.assert_allclose(found.product, [[0.05, 0.15, 0]])
    np.testing.assert_allclose(found.evidence, [0.2])
    np.testing.assert_allclose(found.posterior, [[0.25, 0.75, 0]])
    with pytest.raises(ValueError, match="read-only"):
        found.posterior[0, 0] = 1


@given(steps=st.integers(1, 6), positions=st.integers(1, 6), seed=st.integers(0, 999), scale=st.floats(0, 2000))
def test_every_row_sums_to_one_however_unlikely_the_word(steps: int, positions: int, seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    prior = random.dirichlet(np.ones(positions), steps)
    prior[:, 0] = 0 if positions > 1 else 1
    found = normalised(prior, -scale * random.random((steps, positions)))
    np.testing.assert_allclose(found.sum(1), 1)
    assert (found[prior == 0] == 0).all()


@given(words=st.lists(st.sampled_from(["I", "love", "the", "red", "car", "don't", "."]), min_size=1, max_size=9))
def test_any_sentence_has_a_posterior_for_each_token(tiny_model: Pretrained, words: list[str]) -> None:
    trace = force(tiny_model, [(" ".join(words), " ".join(words[:3]))])[0]
    found = posterior(tiny_model, trace)
    assert found.posterior.shape == found.likelihood.shape == trace.weights.shape
    np.testing.assert_allclose(found.posterior.sum(1), 1)
    np.testing.assert_allclose(found.product / found.evidence[:, None], found.posterior, atol=1e-6)
    assert ((found.likelihood > 0) & (found.likelihood < 1)).all()
