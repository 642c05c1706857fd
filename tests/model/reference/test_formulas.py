import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.model import attention
from regard.model.reference.formulas import log_sum_exp, sigmoid, softmax


@given(seed=st.integers(0, 2**32), masked=st.integers(0, 4))
@settings(max_examples=40, deadline=None)
def test_the_gradient_of_attention_is_the_one_derived_by_hand(seed: int, masked: int) -> None:
    """c = Σ α_i h_i gives, for a gradient g of c: α_i (g · h_i − g · c) for e_i, and α_i g for h_i."""
    random = np.random.default_rng(seed)
    scores, annotations, g = random.normal(size=5) * 3, random.normal(size=(5, 3)), random.normal(size=3)
    mask = np.arange(5) >= masked
    e, h = torch.tensor(scores[None, None], requires_grad=True), torch.tensor(annotations[None], requires_grad=True)
    context = attention.contexts(attention.weigh(e, torch.tensor(mask[None, None])), h)[0, 0]
    context.backward(torch.tensor(g))

    alpha = softmax(scores, mask)
    c = alpha @ annotations
    assert e.grad is not None
    assert h.grad is not None
    np.testing.assert_allclose(c, context.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(alpha * (annotations @ g - c @ g), e.grad[0, 0].numpy(), atol=1e-12)
    np.testing.assert_allclose(np.outer(alpha, g), h.grad[0].numpy(), atol=1e-12)


def test_huge_numbers_do_not_overflow() -> None:
    assert sigmoid(np.array([-1e4, 0.0, 1e4])).tolist() == [0, 0.5, 1]
    assert softmax(np.array([1e4, -1e4, 5e3]), np.array([True, True, False])).tolist() == [1, 0, 0]
    assert log_sum_exp(np.array([[1e4, 1e4], [-1e4, -2e4]])).tolist() == [1e4 + np.log(2), -1e4]
