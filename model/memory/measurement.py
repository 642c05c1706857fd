"""Recall of the ten nearest, and the distance that ordinary text stays below: what a datastore is good for.

Recall is the share of the ten entries truly nearest, by the vectors as the network computed them, that are among the
ten that the rounded datastore finds. Both are of states of held-out text.
"""

import time
from collections.abc import Sequence
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


def recall(store: Datastore, truly: Sequence[set[int]], queries: Float[ndarray, "Q A"]) -> float:
    """Return the share of the truly nearest that the datastore finds, by the states that measure it."""
    found = store.nearest(measuring(queries), TEN).entries.tolist()
    return float(np.mean([len(true & {*one}) / len(true) for true, one in zip(truly, found, strict=True)]))


def truly_nearest(vectors: Float[ndarray, "N A"], queries: Float[ndarray, "Q A"]) -> list[set[int]]:
    """Return the ten entries nearest to each state that measures, by the vectors as the network computed them."""
    squares, ten = np.einsum("na,na->n", vectors, vectors), min(TEN, len(vectors))
    away = (squares - 2 * (vectors @ query) for query in measuring(queries))
    return [{*np.argpartition(one, ten - 1)[:ten].tolist()} for one in away]


def measuring(queries: Float[ndarray, "Q A"]) -> Float[ndarray, "M A"]:
    return queries[:: max(1, len(queries) // MEASURED)]


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
