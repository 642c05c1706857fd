"""Check of an uploaded `snapshots.npz`: its size before NumPy allocates memory, and its values before it is drawn.

An npz is a zip of arrays, each with a header that states its size. Zip and headers may both claim more than there is.
"""

from io import BytesIO
from math import isfinite, prod

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from numpy.lib import format as npy

from regard.model.input_error import InputError
from regard.model.training.snapshots import Snapshots
from regard.model.uploads.unpacking import unpack

MOST_PAIRS = 64  # ours have 8
LARGEST_ARRAY = 8 * 2**20  # bytes; the largest of ours has 188,288
RATIO = 1100  # unpacked size over packed size: blanks after short texts shrink as far as deflate goes
ROUNDING = 1e-3  # allowed distance of the sum of a row of weights from 1

_NAMES = ["sources", "targets", "updates", "log_probabilities", "translations"]
_NAMES += [f"{kind}_{index}" for kind in ("weights", "heads") for index in range(MOST_PAIRS)]
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def check_snapshots(content: bytes) -> None:
    """Check the file. Raises InputError naming the wrong array and the reason."""
    allowed = dict.fromkeys((f"{name}.npy" for name in _NAMES), LARGEST_ARRAY)
    for name, array in unpack(content, allowed, RATIO).items():
        _check_array(name, array)
    snapshots = Snapshots.read(content)
    updates = [moment.update for moment in snapshots.moments]
    if updates != sorted(set(updates)) or min(updates, default=-1) < 0:
        raise InputError("its moments are not in the order of their updates")
    for moment in snapshots.moments:
        if not all(isfinite(value) and value <= 0 for value in moment.log_probabilities):
            raise InputError(f"a log-probability after update {moment.update} is not a number of at most 0")
        if not all(map(_are_shares, (*moment.weights, *moment.heads))):
            raise InputError(f"the weights after update {moment.update} are not rows of shares that add up to 1")


def _check_array(name: str, array: bytes) -> None:
    """Check that the array matches its header."""
    file = BytesIO(array)
    try:
        shape, _, dtype = _HEADERS[npy.read_magic(file)](file)
    except Exception as error:  # NumPy's reader raises many kinds of error for a damaged file
        raise InputError(f"{name} does not begin with the header of an array") from error
    if dtype.kind not in "fiU":
        raise InputError(f"{name} is an array of {dtype.str[:20]}; numbers and text are accepted, nothing pickled")
    if dtype.itemsize * prod(shape) != len(array) - file.tell():
        raise InputError(f"{name} says it is of another size than it is")


def _are_shares(weights: Float[ndarray, "*H T S"]) -> bool:
    positive = weights.size and (weights >= 0).all()
    return bool(positive and np.abs(weights.sum(axis=-1, dtype=np.float64) - 1).max() <= ROUNDING)
