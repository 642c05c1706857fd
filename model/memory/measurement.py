"""Quality of a datastore: the recall of the ten nearest, and the distance within which ordinary text lies.

Recall is the share of the ten truly nearest entries, by the vectors as the network computed them, that are among the
ten that the rounded datastore finds. Both are measured on states of held-out text.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.memory.datastore import VOTING, Datastore

TEN = 10
RECALL = 0.9  # the least that is accepted
MEASURED = 200  # queries that measure recall
TIMED = 50
ORDINARY = 0.95  # share of held-out steps whose nearest entry is not counted as far


class MemoryQuality(NamedTuple):
    """Recall of the ten nearest, milliseconds of a search, and bytes of the file."""

    recall: float
    milliseconds: float
    size: int


def recall(store: Datastore, truly: Sequence[set[int]], queries: Float[ndarray, "Q A"]) -> float:
    """Return the share of the truly nearest entries that the datastore finds, over the measured queries."""
    found = store.nearest(measuring(queries), TEN).entries.tolist()
    return float(np.mean([len(true & {*one}) / len(true) for true, one in zip(truly, found, strict=True)]))


def truly_nearest(vectors: Float[ndarray, "N A"], queries: Float[ndarray, "Q A"]) -> list[set[int]]:
    """Return the ten entries nearest to each measured query, by the vectors as the network computed them."""
    squares, ten = np.einsum("na,na->n", vectors, vectors), min(TEN, len(vectors))
    away = (squares - 2 * (vectors @ query) for query in measuring(queries))
    return [{*np.argpartition(one, ten - 1)[:ten].tolist()} for one in away]


def measuring(queries: Float[ndarray, "Q A"]) -> Float[ndarray, "M A"]:
    return queries[:: max(1, len(queries) // MEASURED)]


def remoteness(store: Datastore, queries: Float[ndarray, "Q A"]) -> float:
    """Return the distance that one in twenty states of held-out text exceeds, to the nearest entry."""
    return float(np.quantile(store.nearest(queries, 1).distances, ORDINARY))


def milliseconds(store: Datastore, queries: Float[ndarray, "Q A"]) -> float:
    """Return the median CPU time of a search, one state at a time, on one thread."""
    times = []
    for query in queries[: TIMED + 1]:
        began = time.process_time()
        store.nearest(query[None], VOTING)
        times.append(1000 * (time.process_time() - began))
    return float(np.median(times[1:] or times))
