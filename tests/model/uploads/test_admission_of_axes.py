from collections.abc import Callable

import numpy as np
import pytest
from numpy import ndarray
from safetensors.numpy import load, save

from regard.model.analysis.axes_measurement import measure_folder
from regard.model.checkpoint import Pretrained
from regard.model.input_error import InputError
from regard.model.principal_axes import AXES
from regard.model.transformer.transformer import TransformerConfig
from regard.model.uploads.admission import check_axes


@pytest.fixture(scope="module")
def content(make_model: Callable[..., Pretrained], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    model = make_model(score="dot")
    measure_folder(model.folder, ["the red car", "two old houses", "I love you."])
    return (model.folder / AXES).read_bytes()


def changed(content: bytes, name: str, value: ndarray | None) -> bytes:
    tensors = {**load(content), name: value}
    return save({name: tensor for name, tensor in tensors.items() if tensor is not None})


def test_the_axes_of_its_own_measurement_are_admitted(content: bytes, tiny_model: Pretrained) -> None:
    check_axes(content, tiny_model.config)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("state.mean", None),
        ("state.mean", np.zeros(3, np.float16)),
        ("odd.mean", np.zeros(3, np.float16)),
        ("annotation.deviations", np.zeros(40, np.float16)),
        ("annotation.share", np.array([np.nan], np.float16)),
    ],
)
def test_other_tensors_are_refused_by_name(
    content: bytes, tiny_model: Pretrained, name: str, value: ndarray | None
) -> None:
    with pytest.raises(InputError, match=name.partition(".")[0]):
        check_axes(changed(content, name, value), tiny_model.config)


def test_axes_measured_before_embeddings_had_theirs_are_admitted(content: bytes, tiny_model: Pretrained) -> None:
    old = save({name: tensor for name, tensor in load(content).items() if "embedding" not in name})
    check_axes(old, tiny_model.config)


@pytest.mark.parametrize("spoilt", [b"", b"no header", b"\xff" * 40])
def test_what_is_no_safetensors_file_is_refused(spoilt: bytes, tiny_model: Pretrained) -> None:
    with pytest.raises(InputError):
        check_axes(spoilt, tiny_model.config)


def test_a_transformer_brings_none(content: bytes) -> None:
    with pytest.raises(InputError, match="Transformer"):
        check_axes(content, TransformerConfig(vocabulary=300))
