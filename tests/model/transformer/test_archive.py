import json

import numpy as np
import pytest

from regard.model.archive import from_json, from_npz, to_json, to_npz
from regard.model.trace import AnyTrace
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import translate
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


def test_a_batch_records_what_each_sentence_alone_does() -> None:
    model = small_transformer()
    together = translate(model, ["The cat sleeps.", "Yes.", "I have seen it."])
    for trace, text in zip(together, ["The cat sleeps.", "Yes.", "I have seen it."], strict=True):
        (alone,) = translate(model, [text])
        assert alone.target == trace.target
        for mine, theirs in zip(alone.arrays(), trace.arrays(), strict=True):
            np.testing.assert_allclose(mine, theirs, atol=2e-5)
