import itertools
from collections.abc import Callable

import numpy as np
import pytest

from regard.app.arithmetic.equations import agreement, formula, numbers
from regard.model.alignment import Posterior
from regard.model.arithmetic.kinds import AFTERWARDS, FORWARD
from regard.model.arithmetic.quantity import Quantity
from regard.model.arithmetic.recurrent import alone, work_out
from regard.model.arithmetic.terms import Derivation
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained
from regard.model.reference.recompute import load_parameters, recompute, recompute_posterior
from regard.model.trace import Trace
from regard.model.word_alignment.posterior import posterior
from tests.support.every_kind import named
from tests.support.every_number import is_there, places

SENTENCE = "The old house?"
MODELS = (
    {},
    {"score": "concat", "cell": "gru", "wiring": "bahdanau"},
    {"score": "dot", "wiring": "bahdanau"},
    {"cell": "gru", "input_feeding": True},
)
Open = Callable[[Quantity], Derivation]


def opener(model: Pretrained, changes: Intervention) -> tuple[Trace, Posterior, Open]:
    """The translation, its posterior, and what opens any number of either."""
    trace = what_if.translate(model, SENTENCE, changes)
    parameters, shown = load_parameters(model.folder, np.float64), posterior(model, trace)
    found = recompute(parameters, trace.source_ids, trace.target_ids, changes.steering(*trace.weights.shape))
    again = recompute_posterior(parameters, found)

    def opened(quantity: Quantity) -> Derivation:
        if quantity.kind in FORWARD:
            return work_out(quantity, trace, found, parameters)
        return work_out(quantity, trace, found, parameters, shown, again, model.tokenizer.token)

    return trace, shown, opened


@pytest.fixture(scope="module", params=MODELS, ids=named)
def case(request: pytest.FixtureRequest, make_model: Callable[..., Pretrained]) -> tuple[Trace, Posterior, Open]:
    return opener(make_model(**request.param), Intervention(hidden=(1,), temperature=0.7))


def test_every_number_is_made_again_of_its_terms_and_is_the_one_shown(case: tuple[Trace, Posterior, Open]) -> None:
    trace, _, opened = case
    kinds = set()
    for asked in itertools.chain(*(places(kind, trace) for kind in AFTERWARDS)):
        if not is_there(asked, trace):
            continue
        working = opened(asked)
        kinds.add(asked.kind)
        assert working.combined == pytest.approx(working.recomputed, rel=0, abs=1e-10), working.name
        assert working.agrees, working.name
        assert "do not agree" not in agreement(working)
        for latex in (formula(working, "latex"), numbers(working)):
            assert "$" not in latex
            assert latex.count("{") == latex.count("}")
    absent = {"alone_state", "alone_cell", "alone_gate"} if trace.maker.wiring == "luong" else set()
    absent |= {"alone_cell"} if not len(trace.initial_cell) else set()
    assert set(AFTERWARDS) - kinds == absent


def test_a_posterior_opens_its_weights_and_likelihoods(case: tuple[Trace, Posterior, Open]) -> None:
    _, found, opened = case
    working = opened(Quantity("posterior", step=1, position=2))
    first = working.terms[0]
    assert first.opens == (Quantity("weight", step=1, position=2), Quantity("likelihood", step=1, position=2))
    assert first.factors == pytest.approx((found.prior[1, 2], found.likelihood[1, 2]), rel=1e-4)
    assert working.total == pytest.approx(found.evidence[1], rel=1e-4)
    assert 1 not in {quantity.position for quantity in working.opens}  # it is masked
    masked = opened(Quantity("posterior", step=1, position=1))
    assert (masked.form, masked.combined, masked.shown, masked.terms) == ("posterior/zero", 0, 0, ())


def test_a_likelihood_is_that_of_a_translation_steered_by_hand(tiny_model: Pretrained) -> None:
    plain = what_if.translate(tiny_model, SENTENCE)
    step, position = 1, 2
    row = tuple(np.eye(len(plain.source))[position].tolist())
    forced = tuple(enumerate(plain.target_ids.tolist()))
    steered = what_if.translate(tiny_model, SENTENCE, Intervention(tokens=forced, weights=((step, row),)))
    found = posterior(tiny_model, plain)
    assert found.likelihood[step, position] == pytest.approx(np.exp(steered.log_probabilities[step]), rel=1e-4)
    parameters = load_parameters(tiny_model.folder)
    again = alone(recompute(parameters, plain.source_ids, plain.target_ids), parameters, step, position)
    np.testing.assert_allclose(again.attentional[step], steered.attentional[step], atol=1e-5)
