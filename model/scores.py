"""How well does annotation h_i answer decoder state s_t?  Luong, Pham and Manning (2015), section 3.1.

    dot      s · h_i
    general  s · W_a h_i
    concat   v · tanh(W s + U h_i)     the additive score of Bahdanau, Cho and Bengio (2015), A.1.2

What a score needs of the annotations alone, its keys, is computed once a sentence.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class DotScore(nn.Module):
    """The annotations are compared as they are, so they must be as wide as the state."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__()
        if state != annotation:
            raise ValueError(f"the dot score needs annotations as wide as the state: {annotation} is not {state}")

    def keys(self, annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B S Q"]:
        return annotations

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]:
        return states @ keys.transpose(1, 2)


class GeneralScore(nn.Module):
    """A matrix maps annotations into the space of states."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__()
        self.W_a = nn.Linear(annotation, state, bias=False)

    def keys(self, annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B S Q"]:
        return self.W_a(annotations)

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]:
        return states @ keys.transpose(1, 2)


class ConcatScore(nn.Module):
    """A one-layer network compares the two vectors; W and U are the halves of Luong's one matrix."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__()
        self.W = nn.Linear(state, state, bias=False)
        self.U = nn.Linear(annotation, state, bias=False)
        self.v = nn.Linear(state, 1, bias=False)

    def keys(self, annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B S Q"]:
        return self.U(annotations)

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]:
        compared = torch.tanh(self.W(states).unsqueeze(2) + keys.unsqueeze(1))  # (B, T, S, H)
        return self.v(compared).squeeze(-1)


Score = DotScore | GeneralScore | ConcatScore

SCORES: dict[str, type[Score]] = {"dot": DotScore, "general": GeneralScore, "concat": ConcatScore}
