from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.corpus import Pair
from regard.model.memory.datastore import Datastore, Interpolation, Neighbours, mixed, votes, write
from regard.model.memory.making import make
from regard.model.tokenizer import Tokenizer
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import translate
from tests.support.nearest_neighbours import knn_probabilities, mixture, nearest, squared_distances
from tests.support.small_texts import PAIRS
from tests.support.small_translator import write_translator
from tests.support.toy_memory import toy


def test_the_nearest_states_of_a_toy_are_those_found_on_paper() -> None:
    found = toy().nearest(np.array([[0, 0], [3, 3]], dtype=np.float32), 3)
    assert found.entries.tolist() == [[0, 2, 4], [1, 5, 2]]
    assert found.squares.tolist() == [[0, 1, 1], [1, 10, 13]]
    assert found.distances[1, 0] == 1


def test_an_entry_leads_to_its_sentence_and_step() -> None:
    moment = toy().moment(4)
    assert (moment.source, moment.target, moment.step) == ((5, 6), (7, 9, 2), 1)


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


def test_votes_and_mixture_equal_numpy_s() -> None:
    random = np.random.default_rng(1)
    own = random.dirichlet(np.ones(12), 3)
    squares = np.sort(random.uniform(0, 90, (3, 8)), axis=1).astype(np.float32)
    tokens = random.integers(0, 12, (3, 8))
    together = mixed(own, tokens, votes(Neighbours(tokens, squares), 10.0), 0.25)
    for row in range(3):
        shares = knn_probabilities(squares[row], tokens[row], 10.0)
        np.testing.assert_allclose(together[row], mixture(own[row], shares, 0.25), rtol=1e-6)
        assert together[row].sum() == pytest.approx(1)


def test_without_a_share_the_memory_changes_nothing_and_with_all_of_it_it_repeats_what_it_holds(
    tmp_path: Path, tokenizer: Tokenizer
) -> None:
    write_translator(tmp_path, tokenizer)
    model = load_any(tmp_path)
    sentences = [pair[0] for pair in PAIRS]
    encodings = [tokenizer.encode(sentence, "en") for sentence in sentences]
    kept = [Pair(*pair) for pair in PAIRS]
    store, _ = make(model, kept, kept, 10**6)
    alone = write(model, store, encodings, Interpolation(0.0))
    assert alone == [tuple(trace.target_ids.tolist()) for trace in translate(model, sentences)]
    repeated = write(model, store, encodings, Interpolation(1.0, neighbours=1, temperature=1.0))
    assert model.tokenizer.decode(repeated[0]) == PAIRS[0][1]
    assert {index for ids in repeated for index in ids} <= {*store.next_ids.tolist()}
