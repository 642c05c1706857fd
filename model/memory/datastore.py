"""Datastore for nearest-neighbour search: states met in training, and the token after each. Khandelwal et al. (2021).

An entry is a pair (h̃_t, y_t) of one step: the vector that the output layer reads while the model is forced to write a
training sentence, and the sentence's next token. Vectors are stored as coordinates on their principal axes, rounded to
whole multiples of `step`. Distances are Euclidean, between a query's coordinates and the stored ones.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, Shaped
from numpy import ndarray

FRONT = 96  # axes on which every entry's distance is computed, a lower bound of the whole distance
FIRST = 8  # times k: the entries with the lowest bounds, whose k-th distance limits the search
SLACK = 1e-4  # of the largest square: the rounding error of a distance in float32
SHOWN, VOTING = 8, 32  # nearest entries that are shown and whose next tokens vote


class Neighbours(NamedTuple):
    """The nearest entries of each query, nearest first; equal distances are in the order of the entries."""

    entries: Int[ndarray, "Q k"]
    squares: Float[ndarray, "Q k"]  # squared distances

    @property
    def distances(self) -> Float[ndarray, "Q k"]:
        return np.sqrt(self.squares)


class MetMoment(NamedTuple):
    """The origin of an entry: a sentence pair as ids, with `</s>`, and the step (from 0) that writes the next token."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    step: int


@dataclass(frozen=True, eq=False)
class Datastore:
    """States met in training. All steps of a sentence are kept, so `next_ids` are the target sentences in a row."""

    mean: Float[ndarray, " A"]
    directions: Float[ndarray, "K A"]  # of length 1, the one of most variance first
    step: float  # to which coordinates are rounded
    codes: Shaped[ndarray, "N K"]  # int8: coordinates in steps
    next_ids: Int[ndarray, " N"]
    starts: Int[ndarray, " P1"]  # of each target in `next_ids`, and the end of the last
    source_ids: Int[ndarray, " L"]  # source sentences in a row, without `</s>`
    source_starts: Int[ndarray, " P1"]
    far: float  # the distance from which a state counts as unlike any met in training
    pairs: int  # in the training text, from which the kept sentences are chosen, evenly spaced

    def __len__(self) -> int:
        return len(self.next_ids)

    @property
    def sentences(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def _front(self) -> tuple[Float[ndarray, "N F"], Float[ndarray, " N"]]:
        """Return the first coordinates of all entries, and their squared lengths."""
        front = self.codes[:, :FRONT].astype(np.float32) * np.float32(self.step)
        return front, np.einsum("nf,nf->n", front, front)

    def coordinates(self, vectors: Float[ndarray, "Q A"]) -> Float[ndarray, "Q K"]:
        return ((vectors - self.mean) @ self.directions.T).astype(np.float32)

    def nearest(self, vectors: Float[ndarray, "Q A"], k: int) -> Neighbours:
        """Return the k nearest entries of each vector, exactly, by partial distances (Bei and Gray 1985)."""
        queries, k = self.coordinates(vectors), min(k, len(self))
        front, squares = self._front
        lengths = np.einsum("qf,qf->q", queries[:, :FRONT], queries[:, :FRONT])
        bounds = squares - 2 * (queries[:, :FRONT] @ front.T) + lengths[:, None]
        found = [self._nearest(query, bound, k) for query, bound in zip(queries, bounds, strict=True)]
        entries, exact = (np.array([one[part] for one in found]).reshape(-1, k) for part in (0, 1))
        return Neighbours(entries.astype(np.int64), exact.astype(np.float32))

    def _nearest(self, query: Float[ndarray, " K"], bound: Float[ndarray, " N"], k: int) -> tuple[ndarray, ndarray]:
        """Measure the entries with the lowest bounds, then all whose bound is not above the k-th distance found."""
        some = min(FIRST * k, len(bound))
        first = np.argpartition(bound, some - 1)[:some]
        reach = np.sort(self._squares(query, first))[k - 1] + SLACK * max(1.0, float(bound.max()))
        entries = np.flatnonzero(bound <= reach)
        exact = self._squares(query, entries)
        order = np.lexsort((entries, exact))[:k]
        return entries[order], exact[order]

    def _squares(self, query: Float[ndarray, " K"], entries: Int[ndarray, " n"]) -> Float[ndarray, " n"]:
        difference = self.codes[entries].astype(np.float32) * np.float32(self.step) - query
        return np.einsum("nk,nk->n", difference, difference)

    def moment(self, entry: int) -> MetMoment:
        """Return the sentence pair and the step of an entry."""
        pair = int(np.searchsorted(self.starts, entry, side="right")) - 1
        start, end = self.starts[pair : pair + 2]
        source = self.source(pair)
        return MetMoment(source, tuple(self.next_ids[start:end].tolist()), int(entry - start))

    def source(self, pair: int) -> tuple[int, ...]:
        """Return a source sentence as ids, without `</s>`."""
        return tuple(self.source_ids[slice(*self.source_starts[pair : pair + 2])].tolist())
