import json

import numpy as np
import pytest

from regard.model.archive import from_json, from_npz, to_json, to_npz
from regard.model.changes import what_if
from regard.model.decoding import beam
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.decoding.sampling import sample
from regard.model.decoding.token_sampling import SamplingSettings
from regard.model.trace import AnyTrace
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import force_ids, translate
from tests.support.small_transformer import small_transformer


def same(one: AnyTrace, other: AnyTrace) -> None:
    for mine, theirs in zip(one.arrays(), other.arrays(), strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
    assert (one.maker, one.stop, one.top_tokens) == (other.maker, other.stop, other.top_tokens)
    assert one.intervention == other.intervention
    assert one.alignment.source == other.alignment.source


def test_a_trace_read_again_is_the_same_to_the_bit_and_a_damaged_one_is_refused() -> None:
    (trace,) = translate(small_transformer(), ["The cat sleeps."])
    same(trace, from_json(to_json(trace)))
    same(trace, from_npz(to_npz(trace)))
    values = json.loads(to_json(trace))
    assert values["format"] == 3
    for name in ("cross_attention.weights", "encoder_feed_forward.hidden", "weights"):
        assert name in TransformerTrace.array_types()
        with pytest.raises(ValueError, match=r"not a trace|reshape|fit|ask for"):
            from_json(json.dumps({**values, name: values[name][:-1] or [0.0]}))


def test_every_way_of_decoding_takes_a_transformer() -> None:
    model = small_transformer()
    (greedy,) = translate(model, ["The cat sleeps."])
    (narrow,) = beam.translate(model, ["The cat sleeps."], BeamSettings(1))
    assert narrow.text == greedy.text
    (wide,) = beam.translate(model, ["The cat sleeps."], BeamSettings(4))
    assert wide.log_probability >= greedy.log_probability - 1e-4
    encoding = model.tokenizer.encode("The cat sleeps.", "en")
    (forced,) = force_ids(model, [encoding], [tuple(greedy.target_ids.tolist())])
    np.testing.assert_allclose(forced.log_probabilities, greedy.log_probabilities, atol=1e-5)
    again = what_if.translate(model, "The cat sleeps.")
    np.testing.assert_array_equal(again.weights, greedy.weights)
    drawn = sample(model, "The cat sleeps.", SamplingSettings(samples=3))
    for each in drawn:
        np.testing.assert_allclose(each.trace.annotations, greedy.annotations, atol=1e-6)


def test_a_batch_records_what_each_sentence_alone_does() -> None:
    model = small_transformer()
    together = translate(model, ["The cat sleeps.", "Yes.", "I have seen it."])
    for trace, text in zip(together, ["The cat sleeps.", "Yes.", "I have seen it."], strict=True):
        (alone,) = translate(model, [text])
        assert alone.target == trace.target
        for mine, theirs in zip(alone.arrays(), trace.arrays(), strict=True):
            np.testing.assert_allclose(mine, theirs, atol=2e-5)
