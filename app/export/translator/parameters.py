"""The weights of a model for transport: the file as shipped, or rounded to a quarter of float32."""

import base64
import gzip
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int8
from numpy import ndarray
from safetensors.numpy import load_file, save

SCALE = ".scale"  # suffix of a rounded matrix's row factors
GREATEST_INT8 = 127  # greatest int8, symmetric around 0


def shipped(file: Path) -> bytes:
    return file.read_bytes()


def rounded(file: Path) -> bytes:
    """Return a safetensors file with every matrix as int8, and a float32 scale per row; vectors stay as they are."""
    arrays: dict[str, ndarray] = {}
    for name, array in load_file(file).items():
        if array.ndim == 2:
            arrays[name], arrays[name + SCALE] = rounded_rows(array.astype(np.float32))
        else:
            arrays[name] = array
    return save(arrays)


def rounded_rows(matrix: Float[ndarray, "N X"]) -> tuple[Int8[ndarray, "N X"], Float[ndarray, " N"]]:
    """Return whole numbers and a scale per row, so that the largest number of a row is exact and 0 is 0."""
    scales = np.abs(matrix).max(axis=1) / np.float32(GREATEST_INT8)
    scales[scales == 0] = 1
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def as_text(weights: bytes) -> str:
    """Compress to base64 text, for a script element."""
    return base64.b64encode(gzip.compress(weights, mtime=0)).decode("ascii")
