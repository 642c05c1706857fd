"""Multi-head attention, the feed-forward network and positional encoding: the parts of layers. Sections 3.2 to 3.5.

    q_n = W_Q,n x      k_n = W_K,n y      v_n = W_V,n y                for every head n, each of D / N components
    e_n = q_n · k_n / √Q      α_n = softmax(e_n)      c_n = Σ α_n v_n      output = W_O [c_1 ; … ; c_N]

    FFN(x) = W_2 max(0, W_1 x + b_1) + b_2

    PE(t, 2i) = sin(t / 10000^(2i/D))      PE(t, 2i+1) = cos(t / 10000^(2i/D))

In self-attention, y are the vectors of the same sentence as x; in cross-attention, those of the source. The
feed-forward network applies the same two maps to each position by itself. Attention alone cannot see order, so a vector
is added for each position.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from regard.model.attention import NO_STEERING, HeadChange, Steering, steer

WAVELENGTH = 10_000.0  # times 2π, the wavelength of the slowest component
ROOM = 128  # positions by which a table is extended


class Heads(NamedTuple):
    """Keys and values of all heads: the positions that may be attended to."""

    keys: Float[Tensor, "B N S Q"]
    values: Float[Tensor, "B N S Q"]

    def longer(self, more: "Heads") -> "Heads":
        """Append the keys and values of later positions."""
        return Heads(torch.cat([self.keys, more.keys], dim=2), torch.cat([self.values, more.values], dim=2))


class HeadsAttended(NamedTuple):
    """The result of attention in all heads."""

    queries: Float[Tensor, "B N T Q"]
    own_scores: Float[Tensor, "B N T S"]  # by the model, before a person's changes
    scores: Float[Tensor, "B N T S"]
    weights: Float[Tensor, "B N T S"]
    mixed: Float[Tensor, "B N T Q"]  # values, weighted
    output: Float[Tensor, "B T D"]


class MultiHeadAttention(nn.Module):
    """Multi-head attention. One matrix holds all heads' parameters: the first D / N rows of W_Q are the first's."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.W_Q = nn.Linear(size, size, bias=False)
        self.W_K = nn.Linear(size, size, bias=False)
        self.W_V = nn.Linear(size, size, bias=False)
        self.W_O = nn.Linear(size, size, bias=False)
        for matrix in (self.W_Q, self.W_K, self.W_V, self.W_O):
            nn.init.xavier_uniform_(matrix.weight)

    def remember(self, vectors: Float[Tensor, "B S D"]) -> Heads:
        """Return the keys and values of the vectors to attend to."""
        return Heads(self._by_head(self.W_K(vectors)), self._by_head(self.W_V(vectors)))

    def forward(
        self,
        asking: Float[Tensor, "B T D"],
        heads: Heads,
        mask: Bool[Tensor, "#B 1 #T S"],
        steering: Steering = NO_STEERING,
        changes: tuple[HeadChange, ...] = (),
        vectors: Callable[[Float[Tensor, "B N T Q"]], Float[Tensor, "B N T Q"]] = lambda mixed: mixed,
    ) -> HeadsAttended:
        """Attend from `asking` where the mask is true; `steering` changes all heads, each of `changes` one head, and
        `vectors` the heads' outputs z."""
        queries = self._by_head(self.W_Q(asking))
        own = queries @ heads.keys.transpose(2, 3) / queries.shape[3] ** 0.5
        scores, _, weights = steer(own, mask, steering)
        for change in changes:
            weights = change.applied(weights)
        mixed = vectors(weights @ heads.values)
        return HeadsAttended(queries, own, scores, weights, mixed, self.W_O(mixed.transpose(1, 2).flatten(2)))

    def _by_head(self, vectors: Float[Tensor, "B T D"]) -> Float[Tensor, "B N T Q"]:
        return vectors.unflatten(2, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Module):
    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.W_1 = nn.Linear(size, hidden)
        self.W_2 = nn.Linear(hidden, size)
        for layer in (self.W_1, self.W_2):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, vectors: Float[Tensor, "B T D"]) -> tuple[Float[Tensor, "B T F"], Float[Tensor, "B T D"]]:
        """Return the hidden vectors and the output."""
        hidden = self.W_1(vectors).relu()
        return hidden, self.W_2(hidden)


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
