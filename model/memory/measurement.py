"""Recall of the ten nearest, and the distance that ordinary text stays below: what a datastore is good for.

Recall is the share of the ten entries truly nearest, by the vectors as the network computed them, that are among the
ten that the rounded datastore finds. Both are of states of held-out text.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.memory.datastore import VOTING, Datastore

TEN = 10
RECALL = 0.9  # at least
MEASURED = 200  # queries that measure recall
TIMED = 50
ORDINARY = 0.95  # the share of held-out steps that are nearer to what was met than what counts as far


class MemoryQuality(NamedTuple):
    """Recall of the ten nearest, milliseconds of a search, and bytes of the file."""

    recall: float
    milliseconds: float
    size: int


def recall(store: Datastore, vectors: Float[ndarray, "N A"], queries: Float[ndarray, "Q A"]) -> float:
    """Return the share of the truly nearest that the datastore finds; `vectors` are those of its entries."""
    some = queries[:: max(1, len(queries) // MEASURED)]
    ten = min(TEN, len(store))
    found = store.nearest(some, ten).entries
    true = _truly_nearest(vectors, some, ten)
    return float(np.mean([len({*one} & {*other}) / ten for one, other in zip(found.tolist(), true, strict=True)]))


def remoteness(store: Datastore, queries: Float[ndarray, "Q A"]) -> float:
    """Return the distance to the nearest entry that one in twenty states of held-out text exceeds."""
    return float(np.quantile(store.nearest(queries, 1).distances, ORDINARY))


def milliseconds(store: Datastore, queries: Float[ndarray, "Q A"]) -> float:
    """Return the median CPU time of a search, one state at a time, on one thread."""
    times = []
    for query in queries[: TIMED + 1]:
        began = time.process_time()
        store.nearest(query[None], VOTING)
        times.append(1000 * (time.process_time() - began))
    return float(np.median(times[1:] or times))


def _truly_nearest(vectors: Float[ndarray, "N A"], queries: Float[ndarray, "Q A"], ten: int) -> Iterator[list[int]]:
    squares = np.einsum("na,na->n", vectors, vectors)
    for query in queries:
        yield np.argpartition(squares - 2 * (vectors @ query), ten - 1)[:ten].tolist()
