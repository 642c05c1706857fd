from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy import ndarray

import regard
from regard.app.export.page import described
from regard.model.arithmetic.quantity import Quantity
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.marks import change_texts, changes
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.reference.transformer import load_transformer_parameters, recompute_transformer
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.checkpoint import PretrainedTransformer
from regard.model.transformer.trace import TransformerTrace
from tests.support.every_kind import ATTENTIONS
from tests.support.every_number import opener

SENTENCE = "I love you."
CLOSE = 1e-4
KINDS = [*ATTENTIONS, {"cell": "gru"}, {"input_feeding": True}]
SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def models(make_model: Callable[..., Pretrained], transformer: PretrainedTransformer) -> list[Any]:
    return [*(make_model(**kind) for kind in KINDS), transformer]


def bits(trace: AnyTrace) -> list[bytes]:
    return [array.tobytes() for array in trace.arrays()]


def random_hooks(model: Any, seed: int) -> dict[str, Any]:
    """Replace about one vector in eight, always the first one, by random numbers."""
    random, calls = np.random.default_rng(seed), []

    def hook(step: int, vector: ndarray, *head: object) -> ndarray | None:
        calls.append(step)
        return random.normal(size=vector.shape) if len(calls) == 1 or random.random() < 0.125 else None

    return dict.fromkeys(model.network.vector_sizes(), hook)


def recomputed(model: Any, trace: AnyTrace) -> Any:
    ids, own = (trace.source_ids, trace.target_ids), trace.intervention
    steering = own.steering(len(ids[1]), len(ids[0]))
    if isinstance(trace, Trace):
        return recompute(load_parameters(model.folder), *ids, steering)
    heads = own.all_heads(len(ids[0]), len(ids[1]))
    return recompute_transformer(load_transformer_parameters(model.folder), *ids, steering, heads)


def test_reading_vectors_or_replacing_them_by_themselves_leaves_every_bit(models: list[Any]) -> None:
    for model in models:
        own = regard.what_if(model, SENTENCE, UNTOUCHED)
        names = model.network.vector_sizes()
        read: dict[str, list[ndarray]] = {name: [] for name in names}
        reading = {name: lambda step, vector, *head, seen=seen: seen.append(vector) for name, seen in read.items()}
        for hooks in (reading, dict.fromkeys(names, lambda step, vector, *head: vector.copy())):
            trace = regard.run(model, SENTENCE, hooks)
            assert bits(trace) == bits(own)
            assert trace.intervention == UNTOUCHED
        assert np.array_equal(read["annotation"], own.annotations)
        assert np.array_equal(read["attentional"], own.attentional)
        if isinstance(own, Trace):
            assert np.array_equal(read["state"], own.states)
            assert np.array_equal(read["context"], own.contexts)


@settings(max_examples=30)
@given(which=st.integers(0, len(KINDS)), seed=SEEDS)
def test_numpy_computes_what_follows_from_a_replaced_vector(models: list[Any], which: int, seed: int) -> None:
    model = models[which]
    trace = regard.run(model, SENTENCE, random_hooks(model, seed))
    assert trace.intervention != UNTOUCHED
    found = recomputed(model, trace)
    more = ("states", "contexts", "cells", "weights") if isinstance(trace, Trace) else ()
    for name in ("annotations", "attentional", *more):
        np.testing.assert_allclose(getattr(trace, name), getattr(found, name), rtol=CLOSE, atol=CLOSE, err_msg=name)
    if isinstance(trace, TransformerTrace):
        for name in ("decoder_attention", "cross_attention"):
            mixed = np.stack([layer.mixed for layer in getattr(found, name)])
            np.testing.assert_allclose(getattr(trace, name).mixed, mixed, rtol=CLOSE, atol=CLOSE)
    logits = found.logits[range(len(trace.target_ids)), trace.target_ids]
    np.testing.assert_allclose(trace.logits, logits, rtol=CLOSE, atol=10 * CLOSE)


@pytest.mark.parametrize("which", [0, -1], ids=["recurrent", "transformer"])
def test_what_hooks_replaced_is_an_intervention_that_says_so_everywhere(models: list[Any], which: int) -> None:
    model = models[which]
    trace = regard.run(model, SENTENCE, random_hooks(model, 5))
    kept = Intervention.from_json(trace.intervention.to_json())
    again = regard.what_if(model, SENTENCE, kept)
    assert (bits(again), kept) == (bits(trace), trace.intervention)
    before = regard.what_if(model, SENTENCE, UNTOUCHED)
    told = change_texts(model.tokenizer, SENTENCE, before, trace)
    assert len(told) == len(kept.vectors) + len(kept.head_vectors)
    assert all(text.endswith("set by hand") for text, _ in told)
    assert told[0].text == "“I”: annotation set by hand"
    assert "with changes made by hand" in described([trace]).html()
    marks = changes(before, trace)
    assert sum(len(marks[name]) for name in ("vectors", "annotations", "head_vectors")) == len(told)
    replaced: list[tuple[Any, tuple[float, ...]]] = [
        ({"kind": name, "position" if name == "annotation" else "step": place}, values)
        for name, place, values in kept.vectors
    ]
    for attention, layer, head, row, mixed in kept.head_vectors[:1]:
        replaced.append(
            ({"kind": "head_mixed", "attention": attention, "layer": layer, "head": head, "row": row}, mixed)
        )
    open_number = opener(model, trace)
    for place, values in replaced:
        working = open_number(Quantity(**place, component=3))
        assert (working.form, working.combined, working.recomputed) == ("given", values[3], np.float32(values[3]))
        assert working.agrees


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        (np.zeros(3), r"state, step 0: the hook returned float64 of shape \(3,\); the vector is float32 of \(\d+,\)"),
        (lambda vector: vector.astype(str), "the hook returned <U"),
        (lambda vector: vector * np.nan, "returned nan; accepted are numbers within ±10,000"),
        (lambda vector: vector.astype(np.float64) + 1e300, "returned inf; accepted"),
        (lambda vector: np.full_like(vector, 3e38), r"returned 3e\+38; accepted"),
        ([[1], [2, 3]], "returned no array"),
        (True, "returned bool"),
    ],
)
def test_a_hook_that_returns_no_such_vector_is_told_what_is_wanted(
    tiny_model: Pretrained, returned: Any, told: str
) -> None:
    give = returned if callable(returned) else lambda vector: returned
    with pytest.raises(InputError, match=told):
        regard.run(tiny_model, SENTENCE, {"state": lambda step, vector: give(vector)})


def test_a_hook_needs_a_name_that_the_model_has_and_cannot_write_into_the_vector(tiny_model: Pretrained) -> None:
    with pytest.raises(
        InputError, match="'head' names no vector of this model; it has annotation, state, context, attentional"
    ):
        regard.run(tiny_model, SENTENCE, {"head": lambda step, vector, head: None})
    with pytest.raises(ValueError, match="read-only"):
        regard.run(tiny_model, SENTENCE, {"state": lambda step, vector: vector.fill(0)})


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"vectors": (("state", 0, (1.0,)),)}, "state, step 0: there are 1 components"),
        ({"vectors": (("annotation", 0, (1.0,)),)}, "annotation, source token 0: there are 1 components"),
        ({"vectors": (("annotation", 90, (1.0,)),)}, "source token 90 is past the end"),
        ({"vectors": (("cell", 0, (1.0,)),)}, "vector is 'cell'; accepted are annotation, state, context, attentional"),
        ({"vectors": (("state", 0, (float("inf"),)),)}, "vectors, state: accepted are components within ±10,000"),
        ({"vectors": (("attentional", 0, (3e38,)),)}, "vectors, attentional: accepted are components within ±10,000"),
        ({"head_vectors": (("cross", 0, 0, 0, (-10_001.0,)),)}, "head_vectors, cross: accepted are components"),
        ({"vectors": (("state", 0, ()), ("state", 0, ()))}, "vectors, state: 0 is named more than once"),
        ({"head_vectors": (("cross", 0, 0, 0, (1.0,)),)}, "this model is recurrent"),
        ({"head_vectors": (("encoder", 0, 0, 0, (1.0,)),)}, "accepted are decoder, cross"),
    ],
)
def test_vectors_that_a_model_cannot_take_are_refused(tiny_model: Pretrained, changed: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        regard.what_if(tiny_model, SENTENCE, Intervention(**changed))
