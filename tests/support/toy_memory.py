"""A datastore small enough to check on paper: six states in a plane, of two sentences of three tokens."""

import numpy as np

from regard.model.memory.datastore import Datastore

STATES = np.array([[0, 0], [3, 4], [0, 1], [6, 8], [1, 0], [0, 2]])
NEXT = np.array([7, 8, 2, 7, 9, 2])


def toy(far: float = 5.0) -> Datastore:
    """Return the datastore; coordinates are the states themselves, in steps of 1."""
    return Datastore(
        mean=np.zeros(2, dtype=np.float32),
        directions=np.eye(2, dtype=np.float32),
        step=1.0,
        codes=STATES.astype(np.int8),
        next_ids=NEXT,
        starts=np.array([0, 3, 6]),
        source_ids=np.array([4, 5, 6]),
        source_starts=np.array([0, 1, 3]),
        far=far,
        pairs=2,
    )
