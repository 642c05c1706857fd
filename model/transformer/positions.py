"""Positional encoding: attention alone cannot see order, so a vector is added for each position. Section 3.5.

PE(t, 2i) = sin(t / 10000^(2i/D))      PE(t, 2i+1) = cos(t / 10000^(2i/D))
"""

from collections.abc import Callable
from functools import lru_cache

import torch
from jaxtyping import Float
from torch import Tensor

WAVELENGTH = 10_000.0  # times 2π, the wavelength of the slowest component
ROOM = 128  # positions by which a table is extended


def sinusoids(first: int, count: int, like: Float[Tensor, "*_ D"]) -> Float[Tensor, "count D"]:
    """Return the encodings of `count` positions from `first` on, in the type and on the device of `like`."""
    rows = -(-(first + count) // ROOM) * ROOM
    return _table(rows, like.shape[-1], like.dtype, like.device)[first : first + count]


def no_positions(first: int, count: int, like: Float[Tensor, "*_ D"]) -> Float[Tensor, "count D"]:
    """Return zeros, for a network without any information on order."""
    return like.new_zeros(count, like.shape[-1])


POSITIONS: dict[str, Callable[[int, int, Tensor], Tensor]] = {"sinusoids": sinusoids, "none": no_positions}


@lru_cache(maxsize=32)
def _table(rows: int, size: int, dtype: torch.dtype, device: torch.device) -> Float[Tensor, "rows D"]:
    with torch.inference_mode(False):
        halves = torch.arange(0, size, 2, dtype=torch.float64) / size
        angles = torch.arange(rows, dtype=torch.float64)[:, None] / WAVELENGTH**halves
        return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1).to(device, dtype)
