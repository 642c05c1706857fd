import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from numpy import ndarray

from regard.model.archive import from_json, from_npz, to_json, to_npz
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.translate import force, translate
from tests.support.every_kind import ATTENTIONS

SENTENCE, GIVEN = "I love you.", "Je t'aime."
CLOSE = 1e-4
SEEDS = st.integers(0, 2**32).map(np.random.default_rng)
KINDS = [*ATTENTIONS, {"cell": "gru"}, {"input_feeding": True}, {"initial_state": "encoder"}]


@pytest.fixture(scope="module")
def models(make_model: Callable[..., Pretrained]) -> list[Pretrained]:
    """One of each kind of attention, and a few of other kinds."""
    return [make_model(**kind) for kind in KINDS]


def numbers(trace: Trace) -> dict[str, object]:
    """All but what was changed, to be compared bit by bit."""
    values = {field.name: getattr(trace, field.name) for field in fields(Trace) if field.name != "intervention"}
    arrays = {name: value.tobytes() for name, value in values.items() if isinstance(value, ndarray)}
    return {**values, **arrays, "alignment": to_json(replace(trace, intervention=UNTOUCHED))}


def assert_recomputed(model: Pretrained, trace: Trace) -> None:
    """NumPy says the same from the weights file, the ids and what was changed."""
    steering = trace.intervention.steering(len(trace.target_ids), len(trace.source_ids))
    found = recompute(load_parameters(model.folder), trace.source_ids, trace.target_ids, steering)
    for name in ("annotations", "states", "cells", "own_scores", "scores", "weights", "contexts", "attentional"):
        np.testing.assert_allclose(getattr(trace, name), getattr(found, name), rtol=CLOSE, atol=CLOSE, err_msg=name)
    assert (trace.mask == found.mask).all()
    produced = found.logits[range(len(trace.target_ids)), trace.target_ids]
    np.testing.assert_allclose(trace.log_probabilities, produced - found.log_normaliser, rtol=CLOSE, atol=CLOSE)


def test_without_changes_it_is_the_models_own_translation_to_the_bit(models: list[Pretrained]) -> None:
    for model in models:
        assert numbers(what_if.translate(model, SENTENCE)) == numbers(translate(model, [SENTENCE])[0])
        forced = what_if.translate(model, SENTENCE, given=GIVEN)
        assert numbers(forced) == numbers(force(model, [(SENTENCE, GIVEN)])[0])


@settings(max_examples=15)
@given(data=st.data())
def test_forcing_what_the_model_would_have_chosen_changes_nothing(
    models: list[Pretrained], data: st.DataObject
) -> None:
    model = data.draw(st.sampled_from(models))
    own = translate(model, [SENTENCE])[0]
    steps = data.draw(st.sets(st.integers(0, len(own.target_ids) - 1)))
    forced = Intervention(tokens=tuple((step, int(own.target_ids[step])) for step in steps))
    assert numbers(what_if.translate(model, SENTENCE, forced)) == numbers(own)


def drawn(draw: Callable[..., Any], model: Pretrained) -> Intervention:
    """Any that can be done to the sentence at its first four steps, wherever it then ends."""
    words = draw(st.sampled_from([(), ((1, "hate"),), ((0, "Children"), (2, "the house"))]))
    mask = translate(model, [what_if.reworded(model, SENTENCE, Intervention(words=words))])[0].mask[0]
    places, steps = st.integers(0, len(mask) - 1), st.integers(0, 3)
    hidden = draw(st.sets(places)) - {draw(st.sampled_from(np.flatnonzero(mask).tolist()))}
    seen = mask & ~np.isin(np.arange(len(mask)), list(hidden))
    parts = {step: seen * draw(SEEDS).random(len(mask)) for step in draw(st.sets(steps))}
    bonus = draw(st.dictionaries(st.tuples(steps, places), st.floats(-20, 20), max_size=4))
    tokens = draw(st.dictionaries(steps, st.integers(STOP + 1, len(model.tokenizer) - 1)))
    return Intervention(
        words,
        tuple(tokens.items()),
        tuple((step, tuple((row / row.sum()).tolist())) for step, row in parts.items()),
        tuple(hidden),
        tuple((*place, value) for place, value in bonus.items()),
        draw(st.floats(0.1, 9)),
    )


def done(model: Pretrained, intervention: Intervention) -> Trace:
    """Another example is drawn where the translation ends before a step that is changed."""
    try:
        return what_if.translate(model, SENTENCE, intervention)
    except ValueError as error:
        if "past the end" in str(error):
            reject()
        raise


@settings(max_examples=40)
@given(data=st.data())
def test_numpy_agrees_under_every_kind_of_change_and_the_trace_tells_what_was_changed(
    models: list[Pretrained], data: st.DataObject
) -> None:
    model = data.draw(st.sampled_from(models))
    intervention = drawn(data.draw, model)
    trace = done(model, intervention)
    assert trace.intervention == intervention
    assert_recomputed(model, trace)
    assert (trace.weights[:, list(intervention.hidden)] == 0).all()
    assert [int(trace.target_ids[step]) for step, _ in intervention.tokens] == [
        token for _, token in intervention.tokens
    ]
    for step, row in intervention.weights:
        np.testing.assert_allclose(trace.weights[step], row, atol=1e-7)
    for copy in (from_json(to_json(trace)), from_npz(to_npz(trace))):
        assert isinstance(copy, Trace)
        assert numbers(copy) == numbers(trace)
        assert copy.intervention == intervention


def test_a_given_translation_is_fed_up_to_the_first_forced_token(shipped: Pretrained) -> None:
    given, (red, *_) = "La fille joue.", shipped.tokenizer.encode("rouge", "fr").ids
    own = force(shipped, [("The boy plays.", given)])[0]
    changed = what_if.translate(shipped, "The boy plays.", Intervention(tokens=((2, red),)), given)
    assert changed.target_ids[:2].tolist() == own.target_ids[:2].tolist()
    assert changed.target_ids[2] == red
    assert changed.stop == "end"
    steered = what_if.translate(shipped, "The boy plays.", Intervention(hidden=(0,)), given)
    assert (steered.text, steered.stop) == (given, "forced")


@pytest.mark.parametrize(
    ("intervention", "reason"),
    [
        (Intervention(tokens=((60, 500),)), r"step 60 is past the end: the translation has \d+ steps"),
        (Intervention(tokens=((0, STOP), (1, 500))), "step 1 is past the end: the translation has 1 step$"),
        (Intervention(words=((9, "a"),)), "source word 9 is past the end: the sentence has 4 words"),
        (Intervention(hidden=tuple(range(6))), "masked|past the end"),
    ],
)
def test_what_cannot_be_done_to_a_sentence_is_refused(
    shipped: Pretrained, intervention: Intervention, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        what_if.translate(shipped, "The boy plays.", intervention)


def test_changed_words_make_a_sentence_no_longer_than_one_that_is_read(tiny_model: Pretrained) -> None:
    others = len(tiny_model.tokenizer.encode(SENTENCE, "en").ids) - 1
    longest, longer = (Intervention(words=((3, "." * count),)) for count in (200 - others, 201 - others))
    assert len(what_if.translate(tiny_model, SENTENCE, longest, given=GIVEN).source_ids) == 200 + 1
    with pytest.raises(InputError, match="the sentence has 201 tokens; accepted are up to 200"):
        what_if.translate(tiny_model, SENTENCE, longer)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (
            {"heads_off": [["cross", 2, 0]]},
            "cross attention, layer 2, head 0 does not exist; the model has layers: 2, heads",
        ),
        ({"head_weights": [["decoder", 0, 0, 1, [1.0]]]}, "layer 0, head 0, row 1: there are 1 weights; 2 tokens"),
        ({"head_weights": [["encoder", 0, 0, 99, [1.0]]]}, "source token 99 is past the end"),
        ({"head_weights": [["decoder", 0, 0, 60, [1.0] + [0.0] * 60]]}, "step 60 is past the end"),
        (
            {"hidden": [1], "head_weights": [["cross", 0, 0, 0, [0.0, 1.0, 0.0, 0.0, 0.0]]]},
            "row 0, source token 1: it has a weight and is masked; its weight must be 0",
        ),
    ],
)
def test_what_does_not_fit_the_model_or_the_sentence_is_refused(
    transformer: PretrainedTransformer, changed: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        what_if.translate(transformer, "The cat sleeps.", Intervention.from_json(json.dumps(changed)))
