from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.corpus import Pair
from regard.model.memory.datastore import Datastore, Neighbours, mixed, votes, write
from regard.model.memory.making import make
from regard.model.tokenizer import Tokenizer
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import translate
from tests.support.small_texts import PAIRS
from tests.support.small_translator import write_translator


def toy() -> Datastore:
    """Six states in a plane, of two sentences of three tokens; coordinates are the states themselves, in steps of 1."""
    return Datastore(
        mean=np.zeros(2, dtype=np.float32),
        directions=np.eye(2, dtype=np.float32),
        step=1.0,
        codes=np.array([[0, 0], [3, 4], [0, 1], [6, 8], [1, 0], [0, 2]], dtype=np.int8),
        next_ids=np.array([7, 8, 2, 7, 9, 2]),
        starts=np.array([0, 3, 6]),
        source_ids=np.array([4, 5, 6]),
        source_starts=np.array([0, 1, 3]),
        far=5.0,
        pairs=2,
    )


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
    coordinates = directions.astype(np.float64) @ (state.astype(np.float64) - store.mean)
    squares = ((coordinates - store.step * store.codes) ** 2).sum(1)
    found = store.nearest(state[None], k)
    np.testing.assert_allclose(found.squares[0], np.sort(squares)[:k], rtol=1e-4)
    np.testing.assert_allclose(squares[found.entries[0]], found.squares[0], rtol=1e-4)


def test_votes_and_mixture_equal_numpy_s() -> None:
    random = np.random.default_rng(1)
    own = random.dirichlet(np.ones(12), 3)
    squares = np.sort(random.uniform(0, 90, (3, 8)), axis=1).astype(np.float32)
    tokens = random.integers(0, 12, (3, 8))
    together = mixed(own, tokens, votes(Neighbours(tokens, squares)), 0.25)
    for row in range(3):
        powers = np.exp(-squares[row].astype(np.float64) / 10)
        shares = [powers[tokens[row] == token].sum() / powers.sum() for token in range(12)]
        np.testing.assert_allclose(together[row], 0.75 * own[row] + 0.25 * np.array(shares), rtol=1e-6)


def test_without_a_share_the_memory_changes_nothing_and_with_all_of_it_it_repeats_what_it_holds(
    tmp_path: Path, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_translator(tmp_path, tokenizer)
    model = load_any(tmp_path)
    sentences = [pair[0] for pair in PAIRS]
    encodings = [tokenizer.encode(sentence, "en") for sentence in sentences]
    kept = [Pair(*pair) for pair in PAIRS]
    store, _ = make(model, kept, kept, 10**6)
    alone = write(model, store, encodings, 0.0)
    assert alone == [tuple(trace.target_ids.tolist()) for trace in translate(model, sentences)]
    monkeypatch.setattr("regard.model.memory.datastore.NEIGHBOURS", 1)
    repeated = write(model, store, encodings, 1.0)
    assert model.tokenizer.decode(repeated[0]) == PAIRS[0][1]
    assert {index for ids in repeated for index in ids} <= {*store.next_ids.tolist()}
