import io
import json
import struct
from collections.abc import Callable
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


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_no_number_is_refused_with_its_tensor(
    value: float, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    def spoil(content: bytes) -> bytes:
        return tensors(content, lambda found: found[NAMED].reshape(-1)[-1:].fill(value))

    refused(altered(contents, WEIGHTS, spoil), WEIGHTS, NAMED, "NaN or infinity")


def test_a_value_that_would_overflow_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def spoil(content: bytes) -> bytes:
        return tensors(content, lambda found: found.update({NAMED: np.full_like(found[NAMED], 1e6, np.float32)}))

    refused(altered(contents, WEIGHTS, spoil), NAMED, "±65,504")


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda found: found.update({NAMED: np.zeros((3, 2), np.float16)}), f"{NAMED} is (3, 2)"),
        (lambda found: found.update({"backdoor": np.zeros(1, np.float16)}), "with backdoor"),
        (lambda found: found.pop(NAMED), f"without {NAMED}"),
        (lambda found: found.update({NAMED: found[NAMED].astype(np.int8)}), "I8; F16 and F32 are accepted"),
        (lambda found: found.update({NAMED: found[NAMED].astype(np.float64)}), "F64"),
    ],
)
def test_other_tensors_than_the_config_s_are_refused(
    edit: Callable[[dict[str, np.ndarray]], object], told: str, contents: dict[str, bytes],
    refused: Callable[..., None],
) -> None:  # fmt: skip
    refused(altered(contents, WEIGHTS, lambda content: tensors(content, edit)), WEIGHTS, told)


@pytest.mark.parametrize(
    "edit",
    [
        lambda found: found[NAMED].update(data_offsets=[0, 2**39]),
        lambda found: found[NAMED].update(data_offsets=[-4, 10]),
        lambda found: found[NAMED].update(data_offsets=[0]),
        lambda found: found[NAMED].update(data_offsets=found["embedding.weight"]["data_offsets"]),
        lambda found: found[NAMED].update(shape=[2**33, 2**33]),
        lambda found: found[NAMED].update(shape=["a"]),
        lambda found: found[NAMED].update(dtype=["F16"]),
        lambda found: found[NAMED].update(dtype="BF16", shape=[True]),
        lambda found: found.update({NAMED: 7}),
    ],
)
def test_a_header_that_does_not_tell_of_the_numbers_behind_it_is_refused(
    edit: Callable[[dict[str, Any]], object], contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, WEIGHTS, lambda content: header(content, edit)), WEIGHTS)


def test_two_tensors_in_one_place_are_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    def share(found: dict[str, Any]) -> None:
        one, other = (found[f"encoder.{way}.rnn.bias_hh_l0"] for way in ("forwards", "backwards"))
        one.update(data_offsets=other["data_offsets"])

    refused(altered(contents, WEIGHTS, lambda content: header(content, share)), WEIGHTS, "begins at byte")


def test_a_header_of_a_hundred_gigabytes_is_refused(contents: dict[str, bytes], refused: Callable[..., None]) -> None:
    refused(altered(contents, WEIGHTS, lambda content: struct.pack("<Q", 10**11) + content[8:]), WEIGHTS)


def test_pickled_weights_under_a_false_name_are_refused(
    contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    pickled = io.BytesIO()
    torch.save({NAMED: torch.zeros(2)}, pickled)
    refused(packed({**contents, WEIGHTS: pickled.getvalue()}), WEIGHTS)
