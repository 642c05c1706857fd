import io
import pickle
import random
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from regard.model.training.snapshots import SNAPSHOTS
from tests.support.model_zips import altered, packed, promising

MANY = ",".join(random.Random(1).choices("0123456789", k=310_000)).encode()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("scores.json", b'{"format": 2}', "format"),
        ("scores.json", b'{"format": 1, "x": NaN}', "NaN"),
        ("scores.json", b'{"format": 1, "x": [%b]}' % MANY, "up to 300,000 are read"),
        ("tokenizer.json", b'{"model": [%b]}' % MANY, "up to 300,000 are read"),
        ("tokenizer.json", b'{"":%b}' % MANY.replace(b",", b',"":'), "up to 300,000 are read"),
        ("scores.json", b'{"format": 1, "tests": {"\\ud800": {}}}', "surrogates"),
        ("scores.json", b'{"format": 1, "x": ' + b"[" * 5000 + b"]" * 5000 + b"}", "not JSON"),
        ("training.json", b"[]", "format"),
        ("history.csv", b"step,loss\n1,2\n", "update"),
        ("history.csv", b"update,loss\n1,inf\n", "line 2"),
        ("history.csv", b"update,loss\n1,2,3\n", "line 2"),
        ("history.csv", b"update" + b",a" * 200 + b"\n", "more than 100 columns"),
        ("history.csv", b"update,loss\n1,2\n3,", "breaks off"),
        ("README.md", b"\xff", "UTF-8"),
        ("README.md", b"a\x1b[2Jb", "U+001B"),
    ],
)
def test_records_of_another_form_are_refused(
    name: str, content: bytes, told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(packed({**contents, name: content}), name, told)


def arrays(content: bytes, **otherwise: Any) -> bytes:
    """The snapshots with other arrays."""
    with np.load(io.BytesIO(content)) as file:
        found = {name: file[name] for name in file.files}
    changed_file = io.BytesIO()
    np.savez_compressed(changed_file, allow_pickle=True, **found | otherwise)
    return changed_file.getvalue()


def with_array(content: bytes, name: str, array: bytes) -> bytes:
    """The snapshots with the bytes of one array exchanged."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        found = {entry: archive.read(entry) for entry in archive.namelist()}
    return packed({**found, name: array}, top="")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda content: arrays(content, updates=np.array([print, None])), "nothing pickled"),
        (lambda content: arrays(content, more=np.zeros(3)), "it has 'more'"),
        (lambda content: arrays(content, sources=np.array(["a"] * 5)), "no snapshots"),
        (lambda content: with_array(content, "updates.npy", promising((2,), "<i8")), "another size"),
        (lambda content: with_array(content, "updates.npy", promising((2_000_000, 0), "|i1")), "up to 1"),
        (lambda content: with_array(content, "updates.npy", pickle.dumps(print)), "header"),
        (lambda content: with_array(content, "updates.npy", b"\0" * 2**25), "up to 33,554,432"),
        (lambda content: pickle.dumps(print), "not a zip"),
    ],
)
def test_snapshots_that_are_none_are_refused(
    change: Callable[[bytes], bytes], told: str, contents: dict[str, bytes], refused: Callable[..., None]
) -> None:
    refused(altered(contents, SNAPSHOTS, change), SNAPSHOTS, told)
