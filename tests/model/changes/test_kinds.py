import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import save
from regard.model.reference.transformer import load_transformer_parameters, recompute_transformer
from regard.model.transformer.checkpoint import PretrainedTransformer, load_transformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import force
from tests.support.interventions import head_edits
from tests.support.small_transformer import small_transformer

SENTENCE, GIVEN = "The cat sleeps.", "Le chat dort."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> PretrainedTransformer:
    small, folder = small_transformer(), tmp_path_factory.mktemp("model") / "small"
    save(small.network, small.tokenizer, folder)
    return load_transformer(folder)


def agrees(model: PretrainedTransformer, trace: TransformerTrace) -> None:
    """NumPy says the same from the weights file, the ids and what was changed."""
    S, T = len(trace.source_ids), len(trace.target_ids)
    found = recompute_transformer(
        load_transformer_parameters(model.folder), trace.source_ids, trace.target_ids,
        trace.intervention.steering(T, S), trace.intervention.all_heads(S, T),
    )  # fmt: skip
    for name in ("encoder", "decoder", "cross"):
        theirs = np.stack([layer.weights for layer in getattr(found, f"{name}_attention")])
        np.testing.assert_allclose(trace.attention(name).weights, theirs, atol=1e-4, err_msg=name)
    np.testing.assert_allclose(trace.annotations, found.annotations, atol=1e-3)
    produced = found.logits[range(T), trace.target_ids] - found.log_normaliser
    np.testing.assert_allclose(trace.log_probabilities, produced, atol=1e-3)


@given(head_edits())
def test_head_edits_survive_their_json(values: dict[str, Any]) -> None:
    intervention = Intervention(**values)
    assert Intervention.from_json(intervention.to_json()) == intervention
    assert intervention.changes_heads == bool(values["heads_off"] or values["head_weights"])


def test_all_changes_together_are_done_and_numpy_agrees(model: PretrainedTransformer) -> None:
    S = len(force(model, [(SENTENCE, GIVEN)])[0].source_ids)
    onto, even = (0.0, 1.0) + (0.0,) * (S - 2), (1 / S,) * S
    changed = Intervention(
        weights=((2, onto),),
        bonus=((1, 1, 2.0),),
        temperature=0.5,
        heads_off=(("encoder", 0, 1), ("cross", 0, 0)),
        head_weights=(("cross", 1, 1, 0, onto), ("encoder", 1, 0, 2, even), ("decoder", 0, 0, 2, (0.5, 0.25, 0.25))),
    )
    trace = what_if.translate(model, SENTENCE, changed, GIVEN)
    np.testing.assert_allclose(trace.cross_attention.weights[1, 1, 0], onto)
    np.testing.assert_allclose(trace.cross_attention.weights[1, :, 2], [onto, onto])
    np.testing.assert_allclose(trace.encoder_attention.weights[1, 0, 2], even, atol=1e-7)
    np.testing.assert_allclose(trace.decoder_attention.weights[0, 0, 2, :3], [0.5, 0.25, 0.25])
    assert not trace.cross_attention.weights[0, 0, [0, 1]].any()
    agrees(model, trace)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"heads_off": [["both", 0, 0]]}, "attention is 'both'; accepted are encoder, decoder, cross"),
        ({"heads_off": [["cross", 0, 1], ["cross", 0, 1]]}, "heads_off, cross: 0, 1 is named more than once"),
        ({"heads_off": [["cross", 0, -1]]}, "heads_off, cross: -1 is below 0"),
        (
            {"heads_off": [["cross", 0, 1]], "head_weights": [["cross", 0, 1, 0, [1.0]]]},
            "cross attention, layer 0, head 1 is switched off and given weights",
        ),
        ({"head_weights": [["cross", 0, 1, 0, [0.5]]]}, "cross attention, layer 0, head 1, row 0: the weights add up"),
    ],
)
def test_what_cannot_be_is_refused_by_the_value(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        Intervention.from_json(json.dumps(changed))


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
    model: PretrainedTransformer, changed: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        what_if.translate(model, SENTENCE, Intervention.from_json(json.dumps(changed)))


def test_a_recurrent_model_has_no_heads_to_change(shipped: Any) -> None:
    with pytest.raises(ValueError, match="this model is recurrent"):
        what_if.translate(shipped, SENTENCE, Intervention(heads_off=(("cross", 0, 0),)))
