from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy import ndarray
from safetensors.numpy import load_file, save_file

from regard.model.checkpoint import Pretrained, load
from regard.model.reference.recompute import Recomputation, load_parameters, recompute
from regard.model.tokenizer import STOP
from regard.model.trace import Trace
from regard.model.translate import force, translate
from tests.support.every_kind import ATTENTIONS, KINDS, named
from tests.support.letter_models import make_speller, weights_of

SOURCE, TARGET = [7, 3, 11, 3, 13, STOP], [5, 12, 5, STOP]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=named)


@every_kind
def test_numpy_differences_give_the_gradients_of_torch(kind: dict[str, Any]) -> None:
    """Along a random direction through all parameters the loss rises as autograd says."""
    model = make_speller(12, seed=5, strength=0.4, **kind)
    network = model.network.double().requires_grad_(True)
    log_probabilities = network(torch.tensor([SOURCE]), torch.tensor([TARGET])).log_softmax(-1)
    names, parameters = zip(*network.named_parameters(), strict=True)
    gradients = torch.autograd.grad(-log_probabilities[range(len(TARGET)), TARGET].sum(), parameters)
    random, weights, step = np.random.default_rng(2), weights_of(model), 1e-5
    along = {name: random.normal(size=array.shape) for name, array in weights.arrays.items()}
    slope = sum(float((along[name] * by.numpy()).sum()) for name, by in zip(names, gradients, strict=True))

    def loss(sign: int) -> float:
        moved = {name: array + sign * step * along[name] for name, array in weights.arrays.items()}
        found = recompute(replace(weights, arrays=moved), SOURCE, TARGET)
        return float((found.log_normaliser - found.logits[range(len(TARGET)), TARGET]).sum())

    assert (loss(1) - loss(-1)) / (2 * step) == pytest.approx(slope, rel=1e-6, abs=1e-6)


def assert_every_number_agrees(trace: Trace, found: Recomputation, atol: float = 1e-4) -> None:
    rows, produced = np.arange(len(trace.target_ids)), trace.target_ids
    kept = {name: getattr(found, name) for name in found.__dataclass_fields__ if hasattr(trace, name)}
    kept["logits"] = found.logits[rows, produced]
    kept["top_logits"] = found.logits[rows[:, None], trace.top_ids]
    kept["top_probabilities"] = np.exp(kept["top_logits"] - found.log_normaliser[:, None])
    kept["log_probabilities"] = kept["logits"] - found.log_normaliser
    kept["log_probability"] = kept["log_probabilities"].sum(dtype=np.float64)
    kept["rest"] = 1 - kept["top_probabilities"].sum(axis=1)
    numbers = {field.name for field in fields(Trace) if isinstance(getattr(trace, field.name), ndarray)}
    assert numbers - {"top_ids"} <= kept.keys()
    for name, value in kept.items():
        np.testing.assert_allclose(getattr(trace, name), value, rtol=0, atol=atol, err_msg=name)


@every_kind
def test_every_number_of_a_trace_is_recomputed_from_the_file(
    kind: dict[str, Any], make_model: Callable[..., Pretrained]
) -> None:
    model = load(make_model(**kind).folder, torch.float64)
    weights = load_parameters(model.folder, np.float64)
    sentences = ["I love you.", "", "The boy who is wearing a blue shirt is playing. 🙂"]
    for trace in [*translate(model, sentences), *force(model, [("We are not children.", "Où est la gare ?")])]:
        assert_every_number_agrees(trace, recompute(weights, trace.source_ids, trace.target_ids), 1e-10)


def test_every_number_of_the_shipped_model_is_recomputed_from_its_file(shipped: Pretrained) -> None:
    weights = load_parameters(shipped.folder)
    sentences = ["I love you.", "The boy who is wearing a blue shirt is playing football with his friends in the park."]
    for trace in [*translate(shipped, sentences), *force(shipped, [(sentences[0], "Je t'adore !")])]:
        assert_every_number_agrees(trace, recompute(weights, trace.source_ids, trace.target_ids))


@pytest.mark.parametrize("choice", [{"input_feeding": True}, *ATTENTIONS], ids=named)
def test_one_changed_weight_in_the_file_is_noticed(
    choice: dict[str, Any], make_model: Callable[..., Pretrained], tmp_path: Path
) -> None:
    model = make_model(**choice, initial_state="encoder")
    trace = force(model, [("I love you.", "Je t'aime.")])[0]
    arrays = load_file(model.folder / "model.safetensors")
    (tmp_path / "config.json").write_bytes((model.folder / "config.json").read_bytes())
    rows = {"encoder.embedding.weight": int(trace.source_ids[0]), "embedding.weight": int(trace.target_ids[0])}
    for name, array in arrays.items():
        changed = array.copy()
        changed.reshape(len(array), -1)[rows.get(name, 0), 0] += 0.5
        save_file({**arrays, name: changed}, tmp_path / "model.safetensors")
        found = recompute(load_parameters(tmp_path), trace.source_ids, trace.target_ids)
        with pytest.raises(AssertionError, match="Not equal to tolerance"):
            assert_every_number_agrees(trace, found)


def test_a_folder_that_is_no_model_is_refused_by_name(tiny_model: Pretrained, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"{tmp_path} .*config.json"):
        load_parameters(tmp_path)
    (tmp_path / "config.json").write_bytes((tiny_model.folder / "config.json").read_bytes())
    (tmp_path / "model.safetensors").write_bytes((tiny_model.folder / "model.safetensors").read_bytes()[:1000])
    with pytest.raises(ValueError, match=str(tmp_path)):
        load_parameters(tmp_path)
