import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model.examples.transformer import CROSS_ATTENTION, MASKED, SELF_ATTENTION, causal

few = settings(max_examples=15)
size = st.integers(1, 8)
seeds = st.integers(0, 999)


@few
@given(steps=size, words=size, numbers=size, seed=seeds)
def test_luongs_general_score_is_query_times_key(steps: int, words: int, numbers: int, seed: int) -> None:
    matrices = CROSS_ATTENTION.random({"T": steps, "S": words, "D": numbers, "K": 2, "V": 3}, seed)
    found = CROSS_ATTENTION.run(matrices)
    assert found["scores"] == pytest.approx(found["general_scores"], abs=1e-12)
    assert found["general_scores"][-1, -1] == pytest.approx(
        matrices["states"][-1] @ found["W"] @ matrices["H"][-1], abs=1e-12
    )


@few
@given(order=st.permutations(range(3)))
def test_exchanged_words_get_the_same_vectors_exchanged(order: list[int]) -> None:
    matrices = SELF_ATTENTION.matrices()
    moved = SELF_ATTENTION.run(matrices | {"X": matrices["X"][order]})["contexts"]
    assert moved == pytest.approx(SELF_ATTENTION.run()["contexts"][order], abs=1e-12)


def test_masks_by_hand() -> None:
    assert causal(3).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    weights = MASKED.run()["weights"]
    assert weights[0].tolist() == [1, 0, 0]
    assert (weights[causal(3) == 0] == 0).all()
    assert weights.sum(axis=1) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize(
    ("row", "told"),
    [([0, 0, 0], "mask leaves nothing visible in row 2"), ([1, 0.5, 0], r"mask \(2, 2\) is 0.5; accepted is 0")],
)
def test_a_mask_that_cannot_be_is_refused_with_its_place(row: list[float], told: str) -> None:
    mask = causal(3)
    mask[1] = row
    with pytest.raises(ValueError, match=told):
        MASKED.run(MASKED.matrices() | {"mask": mask})
