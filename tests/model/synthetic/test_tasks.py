import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.synthetic.tasks import TASKS, Numbers, batch, draw, held_out, pair, sample, tokenizer
from regard.model.tokenizer import PAD, STOP

sequences = st.lists(st.integers(0, 35), min_size=1, max_size=20).map(tuple)
each_task = pytest.mark.parametrize("task", TASKS)


@pytest.mark.parametrize(
    ("task", "target"), [("reverse", "9 2 5"), ("copy", "5 2 9"), ("sort", "2 5 9"), ("shift", "2 9 5")]
)
def test_a_task_does_what_its_name_says(task: str, target: str) -> None:
    assert pair(task, (5, 2, 9)) == ("5 2 9", target)


@each_task
@settings(max_examples=20)
@given(drawn=st.lists(sequences, min_size=1, max_size=4))
def test_a_batch_holds_the_ids_that_the_tokenizer_gives(task: str, drawn: list[Numbers]) -> None:
    made, words = batch(task, drawn), tokenizer(36)
    for side, rows in enumerate((made.source, made.target)):
        for sequence, row in zip(drawn, rows.tolist(), strict=True):
            ids = [*words.encode(pair(task, sequence)[side], "plain").ids, STOP]
            assert row == ids + [PAD] * (len(row) - len(ids))


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), length=st.integers(1, 20), symbols=st.integers(2, 36))
def test_what_is_drawn_is_never_held_out_and_what_is_sampled_always_is(seed: int, length: int, symbols: int) -> None:
    random = np.random.default_rng(seed)
    drawn = [draw(random, length, symbols) for _ in range(5)]
    tested = sample(length, symbols, 5)
    assert not any(held_out(sequence, symbols) for sequence in drawn)
    assert all(held_out(sequence, symbols) for sequence in tested)
    for sequence in drawn + tested:
        assert len(sequence) == length
        assert set(sequence) <= set(range(symbols))
    assert len(tested) == len(set(tested)) >= 1


def test_a_sample_is_the_same_each_time_and_a_shorter_one_is_its_beginning() -> None:
    assert sample(7, 10, 20) == sample(7, 10, 20)
    assert sample(7, 10, 5) == sample(7, 10, 20)[:5]
    assert sample(3, 10, 5) == sample(3, 10, 20)[:5]
