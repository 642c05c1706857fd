import io
import json
import struct
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load, save

from regard.model.checkpoint import WEIGHTS
from tests.support.model_zips import altered, packed

NAMED = "decoder.W_c.weight"


def header(content: bytes, edit: Callable[[dict[str, Any]], object]) -> bytes:
    """The weights with another header."""
    length = int.from_bytes(content[:8], "little")
    given = json.loads(content[8 : 8 + length])
    edit(given)
    text = json.dumps(given).encode()
    return len(text).to_bytes(8, "little") + text + content[8 + length :]


def tensors(content: bytes, edit: Callable[[dict[str, np.ndarray]], object]) -> bytes:
    found = {name: array.copy() for name, array in load(content).items()}
    edit(found)
    return save(found)


def first(found: dict[str, np.ndarray], value: float) -> None:
    found.update({NAMED: found[NAMED].astype(np.float32)})
    found[NAMED].reshape(-1)[:1].fill(value)


def share(found: dict[str, Any]) -> None:
    one, other = (found[f"encoder.{way}.rnn.bias_hh_l0"] for way in ("forwards", "backwards"))
    one.update(data_offsets=other["data_offsets"])


@pytest.mark.parametrize(
    ("write", "edit", "told"),
    [
        *((tensors, partial(first, value=value), f"{NAMED} holds NaN or inf") for value in (np.nan, -np.inf)),
        (tensors, partial(first, value=1e6), "±65,504"),
        (tensors, lambda found: found.update({NAMED: np.zeros((3, 2), np.float16)}), f"{NAMED} is (3, 2)"),
        (tensors, lambda found: found.update({"backdoor": np.zeros(1, np.float16)}), "with backdoor"),
        (tensors, lambda found: found.pop(NAMED), f"without {NAMED}"),
        (tensors, lambda found: found.update({NAMED: found[NAMED].astype(np.int8)}), "int8; float16 and float32"),
        (tensors, lambda found: found.update({NAMED: found[NAMED].astype(np.float64)}), "float64"),
        (header, lambda found: found[NAMED].update(data_offsets=[0, 2**39]), "not all of it"),
        (header, lambda found: found[NAMED].update(data_offsets=[-4, 10]), "not all of it"),
        (header, lambda found: found[NAMED].update(data_offsets=[0]), "not all of it"),
        (header, lambda found: found[NAMED].update(shape=[2**33, 2**33]), "not all of it"),
        (header, lambda found: found[NAMED].update(shape=["a"]), "not all of it"),
        (header, lambda found: found[NAMED].update(dtype="BF16", shape=[True]), "not all of it"),
        (header, lambda found: found.update({NAMED: 7}), "not all of it"),
        (header, share, "not all of it"),
    ],
)
def test_weights_that_are_not_those_of_the_config_are_refused(
    write: Callable[[bytes, Any], bytes], edit: Any, told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, WEIGHTS, lambda content: write(content, edit)), WEIGHTS, told)


def test_what_is_no_safetensors_file_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    pickled = io.BytesIO()
    torch.save({NAMED: torch.zeros(2)}, pickled)
    for content in (struct.pack("<Q", 10**11) + contents[WEIGHTS][8:], pickled.getvalue()):
        refused(packed({**contents, WEIGHTS: content}), WEIGHTS)
