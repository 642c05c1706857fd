"""An NPZ file that is damaged, or holds something else, is refused in a sentence."""

import io
import zipfile
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


def zipped(weights: bytes, ending: str = ".npy", compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("source.npy", npy(["I", "see", "it"]))
        archive.writestr("target.npy", npy(["je", "vois"]))
        archive.writestr(f"weights{ending}", weights)
    return file.getvalue()


def damaged(compression: int) -> bytes:
    """A file with other bits where the compressed weights begin."""
    content = bytearray(zipped(npy(MATRIX), compression=compression))
    begin = content.index(b"weights.npy") + len(b"weights.npy") + 20
    content[begin : begin + 6] = bytes(byte ^ 0xFF for byte in content[begin : begin + 6])
    return bytes(content)


def encrypted() -> bytes:
    content = bytearray(zipped(npy(MATRIX)))
    content[6] |= 1  # in the headers of the first member
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def sized(rows: str) -> bytes:
    """A file whose weights say that they have this many rows."""
    return zipped(npy(MATRIX).replace(b"(2, 3), }" + b" " * len(rows), f"({rows}, 3), }} ".encode()))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (damaged(zipfile.ZIP_DEFLATED), "cannot be read"),
        (damaged(zipfile.ZIP_LZMA), "cannot be read"),
        (encrypted(), "encrypted"),
        (zipped(b"0.5", ending=".txt"), r"weights\.txt is no array"),
        (zipped(b"0.5"), "weights is no array"),
        (sized("1" + "0" * 15), "Unable to allocate"),
        (sized("9" * 30), "too large"),
    ],
)
def test_an_npz_whose_arrays_cannot_be_read_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=rf"^a\.npz: .*{reason}.*numpy\.savez$"):
        read("a.npz", content)


def test_an_npz_that_is_whole_is_read() -> None:
    (foreign,) = read("a.npz", zipped(npy(MATRIX))).sentences
    assert np.array_equal(foreign.alignment.weights, MATRIX)
