import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from regard.model.memory.datastore import Datastore
from tests.support.nearest_neighbours import nearest, squared_distances
from tests.support.toy_memory import toy


def test_the_nearest_states_of_a_toy_are_those_found_on_paper() -> None:
    found = toy().nearest(np.array([[0, 0], [3, 3]], dtype=np.float32), 3)
    assert found.entries.tolist() == [[0, 2, 4], [1, 5, 2]]
    assert found.squares.tolist() == [[0, 1, 1], [1, 10, 13]]
    assert found.distances[1, 0] == 1


def test_an_entry_leads_to_its_sentence_and_step() -> None:
    moment = toy().moment(4)
    assert (moment.source, moment.target, moment.step) == ((5, 6), (7, 9, 2), 1)


def test_asking_for_more_than_there_are_gives_all() -> None:
    assert toy().nearest(np.zeros((1, 2), dtype=np.float32), 99).entries.shape == (1, 6)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.sampled_from([3, 70, 96]))
def test_the_search_equals_brute_force(seed: int, k: int, axes: int) -> None:
    random = np.random.default_rng(seed)
    deviations = 40 * np.exp(-np.arange(axes) / 20)  # as principal axes have them: the first the largest
    directions = np.linalg.qr(random.normal(size=(axes, axes)))[0].astype(np.float32)
    store = Datastore(
        mean=random.normal(size=axes).astype(np.float32),
        directions=directions,
        step=0.3,
        codes=np.clip(random.normal(size=(300, axes)) * deviations, -127, 127).astype(np.int8),
        next_ids=np.zeros(300, dtype=np.int64),
        starts=np.array([0, 300]),
        source_ids=np.zeros(1, dtype=np.int64),
        source_starts=np.array([0, 1]),
        far=1.0,
        pairs=1,
    )
    state = random.normal(size=axes).astype(np.float32)
    squares = squared_distances(state, store.mean, store.directions, store.step, store.codes)
    found = store.nearest(state[None], k)
    np.testing.assert_allclose(found.squares[0], squares[nearest(squares, k)], rtol=1e-4)
    np.testing.assert_allclose(squares[found.entries[0]], found.squares[0], rtol=1e-4)
