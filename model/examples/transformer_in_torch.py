"""The worked examples of the Transformer in PyTorch, with the function that computes all of attention in one call."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

Tensors = dict[str, Tensor]


def cross_attention(
    states: Float[Tensor, "T D"],
    H: Float[Tensor, "S D"],
    W_Q: Float[Tensor, "D K"],
    W_K: Float[Tensor, "D K"],
    W_V: Float[Tensor, "D V"],
) -> Tensors:
    general_scores = torch.einsum("td,dk,ek,se->ts", states, W_Q, W_K, H)
    Q, K, V = states @ W_Q, H @ W_K, H @ W_V
    weights = F.softmax(Q @ K.T, dim=-1)
    # weights @ V in one call
    contexts = F.scaled_dot_product_attention(Q, K, V, scale=1.0)
    return locals()


def self_attention(
    X: Float[Tensor, "S D"], W_Q: Float[Tensor, "D K"], W_K: Float[Tensor, "D K"], W_V: Float[Tensor, "D V"]
) -> Tensors:
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = F.softmax(Q @ K.T, dim=-1)
    # weights @ V in one call
    contexts = F.scaled_dot_product_attention(Q, K, V, scale=1.0)
    return locals()


def scaled(
    X: Float[Tensor, "S D"],
    W_Q: Float[Tensor, "D K"],
    W_K: Float[Tensor, "D K"],
    W_V: Float[Tensor, "D V"],
    divisor: Float[Tensor, ""],
) -> Tensors:
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    sharp = F.softmax(Q @ K.T, dim=-1)
    weights = F.softmax(Q @ K.T / divisor, dim=-1)
    # weights @ V in one call; without a scale it divides by √d
    contexts = F.scaled_dot_product_attention(Q, K, V, scale=1 / divisor.item())
    return locals()


def masked(
    X: Float[Tensor, "S D"],
    W_Q: Float[Tensor, "D K"],
    W_K: Float[Tensor, "D K"],
    W_V: Float[Tensor, "D V"],
    divisor: Float[Tensor, ""],
    mask: Float[Tensor, "S S"],
) -> Tensors:
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / divisor
    weights = F.softmax(scores.masked_fill(mask == 0, -torch.inf), dim=-1)
    # weights @ V in one call
    contexts = F.scaled_dot_product_attention(Q, K, V, mask.bool(), scale=1 / divisor.item())
    return locals()


def heads(
    X: Float[Tensor, "S D"],
    W_Q1: Float[Tensor, "D K"],
    W_K1: Float[Tensor, "D K"],
    W_V1: Float[Tensor, "D V"],
    W_Q2: Float[Tensor, "D K"],
    W_K2: Float[Tensor, "D K"],
    W_V2: Float[Tensor, "D V"],
    divisor: Float[Tensor, ""],
    W_O: Float[Tensor, "V+V D"],
) -> Tensors:
    # both heads at once, one above the other
    Q = X @ torch.stack([W_Q1, W_Q2])
    K = X @ torch.stack([W_K1, W_K2])
    V = X @ torch.stack([W_V1, W_V2])
    found = F.scaled_dot_product_attention(Q, K, V, scale=1 / divisor.item())
    joined = torch.cat([*found], dim=-1)
    output = joined @ W_O
    return locals()
