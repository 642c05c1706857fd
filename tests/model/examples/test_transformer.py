import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from regard.model.examples.example import Array
from regard.model.examples.operations import Values
from regard.model.examples.transformer import (
    CROSS_ATTENTION,
    HEADS,
    MASKED,
    SELF_ATTENTION,
    causal,
)

few = settings(max_examples=15)
size = st.integers(1, 8)
seeds = st.integers(0, 999)


def in_torch(value: Array) -> torch.Tensor:
    """With a batch of one in front, as PyTorch has it."""
    return torch.tensor(value)[None]


def asked(values: Values) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Queries, keys and values."""
    return in_torch(values["Q"]), in_torch(values["K"]), in_torch(values["V"])


@few
@given(real=st.lists(st.booleans(), min_size=1, max_size=8).filter(any), seed=seeds)
def test_the_padding_mask_is_pytorchs_and_padding_changes_nothing(real: list[bool], seed: int) -> None:
    mask = np.tile(np.array(real, float), (len(real), 1))
    matrices = MASKED.random({"S": len(real), "D": 4, "K": 4, "V": 3}, seed) | {"mask": mask}
    found = MASKED.run(matrices)
    allowed = torch.tensor(real)[None, None, :]
    expected = F.scaled_dot_product_attention(*asked(found), attn_mask=allowed)[0].numpy()
    assert found["contexts"] == pytest.approx(expected, abs=1e-12)
    matrices["X"][~np.array(real)] = 9.0
    assert MASKED.run(matrices)["contexts"][real] == pytest.approx(found["contexts"][real], abs=1e-12)


@few
@given(words=size, head=st.integers(1, 4), seed=seeds)
def test_two_heads_are_pytorchs_multi_head_attention(words: int, head: int, seed: int) -> None:
    matrices = HEADS.random({"S": words, "D": 2 * head, "K": head, "V": head}, seed)
    found = HEADS.run(matrices | {"divisor": np.array(np.sqrt(head))})
    layer = nn.MultiheadAttention(2 * head, 2, bias=False, batch_first=True, dtype=torch.float64)
    stacked = np.vstack([np.hstack([matrices[f"W_{kind}1"], matrices[f"W_{kind}2"]]).T for kind in "QKV"])
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.tensor(stacked))
        layer.out_proj.weight.copy_(torch.tensor(matrices["W_O"].T))
        x = in_torch(matrices["X"])
        output, weights = layer(x, x, x, average_attn_weights=False)
    assert found["output"] == pytest.approx(output[0].numpy(), abs=1e-12)
    assert found["weights1"] == pytest.approx(weights[0, 0].numpy(), abs=1e-12)
    assert found["weights2"] == pytest.approx(weights[0, 1].numpy(), abs=1e-12)


@few
@given(steps=size, words=size, numbers=size, seed=seeds)
def test_luongs_general_score_is_query_times_key(steps: int, words: int, numbers: int, seed: int) -> None:
    matrices = CROSS_ATTENTION.random({"T": steps, "S": words, "D": numbers, "K": 2, "V": 3}, seed)
    found = CROSS_ATTENTION.run(matrices)
    assert found["scores"] == pytest.approx(found["general_scores"], abs=1e-12)
    assert found["general_scores"][-1, -1] == pytest.approx(
        matrices["states"][-1] @ found["W"] @ matrices["H"][-1], abs=1e-12
    )
    expected = F.scaled_dot_product_attention(*asked(found), scale=1.0)[0].numpy()
    assert found["contexts"] == pytest.approx(expected, abs=1e-12)


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
