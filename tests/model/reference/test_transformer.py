from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.reference.transformer import TransformerParameters, load_transformer_parameters, recompute_transformer
from regard.model.transformer.checkpoint import PretrainedTransformer, load_transformer
from regard.model.transformer.trace import TransformerTrace
from regard.model.translate import force
from tests.support.small_transformer import small_transformer

CAT, CHAT = "The cat sleeps.", "Le chat dort."
S = len(force(small_transformer(), [(CAT, CHAT)])[0].source_ids)
ONTO, EVEN = (0.0, 1.0) + (0.0,) * (S - 2), (1 / S,) * S
EVERYTHING = Intervention(
    weights=((2, ONTO),),
    bonus=((1, 1, 2.0),),
    hidden=(S - 1,),
    temperature=0.5,
    heads_off=(("encoder", 0, 1), ("cross", 0, 0)),
    head_weights=(("cross", 1, 1, 0, ONTO), ("encoder", 1, 0, 2, EVEN), ("decoder", 0, 0, 2, (0.5, 0.25, 0.25))),
)


@pytest.fixture(scope="module")
def folder(transformer: PretrainedTransformer) -> Path:
    return transformer.folder


def passed(folder: Path, changes: Intervention) -> TransformerTrace:
    return what_if.translate(load_transformer(folder, torch.float64), CAT, changes, CHAT)


def compare(parameters: TransformerParameters, trace: TransformerTrace) -> None:
    """Compare every number that NumPy computes; the changes are arrays of float32 in the network."""
    T, changes = len(trace.target_ids), trace.intervention
    both = changes.steering(T, S), changes.all_heads(S, T)
    found, atol = recompute_transformer(parameters, trace.source_ids, trace.target_ids, *both), 1e-6
    for name in ("source_embedded", "annotations", "target_embedded", "attentional"):
        np.testing.assert_allclose(getattr(found, name), getattr(trace, name), atol=atol, rtol=0, err_msg=name)
    for group, _, name in (array.rpartition(".") for array in TransformerTrace.array_types()):
        for layer, numbers in enumerate(getattr(found, group) if group else ()):
            mine, theirs = getattr(numbers, name), getattr(getattr(trace, group), name)[layer]
            if "scores" in name and group == "decoder_attention":
                mine = np.tril(mine)
            np.testing.assert_allclose(mine, theirs, atol=atol, rtol=0, err_msg=f"{group} {name}")
    logits = found.logits[range(T), trace.target_ids] - found.log_normaliser
    np.testing.assert_allclose(trace.log_probabilities, logits, atol=atol)


@pytest.mark.parametrize("changes", [UNTOUCHED, EVERYTHING], ids=["plain", "changed"])
def test_numpy_from_the_file_gives_what_torch_gives(folder: Path, changes: Intervention) -> None:
    compare(load_transformer_parameters(folder, np.float64), passed(folder, changes))


def test_all_changes_together_are_done(folder: Path) -> None:
    trace = passed(folder, EVERYTHING)
    np.testing.assert_allclose(trace.cross_attention.weights[1, 1, 0], ONTO)
    np.testing.assert_allclose(trace.cross_attention.weights[1, :, 2], [ONTO, ONTO])
    np.testing.assert_allclose(trace.encoder_attention.weights[1, 0, 2], EVEN, atol=1e-7)
    np.testing.assert_allclose(trace.decoder_attention.weights[0, 0, 2, :3], [0.5, 0.25, 0.25])
    assert not trace.cross_attention.weights[0, 0, [0, 1]].any()
    assert not trace.cross_attention.weights[..., S - 1].any()


def test_a_perturbed_parameter_is_noticed(folder: Path) -> None:
    parameters, trace = load_transformer_parameters(folder, np.float64), passed(folder, UNTOUCHED)
    for name, array in parameters.arrays.items():
        other = array.copy()
        other[(trace.source_ids[0], 0) if name == "embedding.weight" else (0,) * array.ndim] += 1e-3
        with pytest.raises(AssertionError):
            compare(replace(parameters, arrays={**parameters.arrays, name: other}), trace)


def test_a_folder_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a Transformer that can be read"):
        load_transformer_parameters(tmp_path)
