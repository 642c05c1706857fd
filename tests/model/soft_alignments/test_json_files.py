"""An NPZ file that is damaged, or holds something else, is refused in a sentence."""

import io
import re
import tracemalloc
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from regard.model.input_error import InputError
from regard.model.soft_alignments.formats import read

MATRIX = np.random.default_rng(1).dirichlet(np.ones(3), 2).astype(np.float32)


def npy(values: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def empty(shape: tuple[int, ...], descr: str) -> bytes:
    """The header of an array, and no elements."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


def zipped(members: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    sides = {"source": npy(["I", "see", "it"]), "target": npy(["je", "vois"]), "weights": npy(MATRIX)}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (sides | dict(members)).items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"source": empty((2_000_000, 0), "|i1")}, "source is an array of |i1"),
        ({"source": empty((2_000_000, 0), "<U1")}, "source has 2 dimensions"),
        ({"target": empty((2_000_000,), "<U0")}, "target is an array of <U0"),
        ({"source": npy(np.zeros(2_000_000, "S2"))}, "source is an array of |S2"),
        ({"target": npy(np.zeros(2_000_000, "U1"))}, "target is of shape (2000000,)"),
        ({"next_tokens": empty((2_000_000, 0, 2), "<U1")}, "next_tokens is of shape (2000000, 0, 2)"),
        ({"cross_attentions": empty((1, 1, 50_000_000, 0), "<f4")}, "cross_attentions is of shape (1, 1, 50000000"),
        ({"probabilities": npy(np.zeros(2_000_000))}, "probabilities is of shape (2000000,)"),
        ({"weights": b"0.5"}, "weights does not begin with the header"),
        ({"more": npy(MATRIX)}, "it has 'more'; accepted are arrays named"),
        ({f"m{number}": b"" for number in range(20_000)}, "lists its entries in"),
    ],
)
def test_arrays_and_members_of_an_npz_are_counted_from_their_headers(members: dict[str, bytes], reason: str) -> None:
    content = zipped(members)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=rf"^a\.npz: .*{re.escape(reason)}"):
            read("a.npz", content)
        assert tracemalloc.get_traced_memory()[1] < len(content) + 40_000_000
    finally:
        tracemalloc.stop()
