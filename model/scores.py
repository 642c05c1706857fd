"""Score functions: how well does annotation h_i answer decoder state s_t?  Luong, Pham and Manning (2015), section
3.1.

    dot      s · h_i
    general  s · W_a h_i
    scaled   s · W_a h_i / √H          general's, divided as by Vaswani et al. (2017), section 3.2.1
    concat   v · tanh(W s + U h_i)     the additive score of Bahdanau, Cho and Bengio (2015), A.1.2
    none     0                         no attention: see `NoScore`

Each score's `keys`, which depend on the annotations alone, are computed once per sentence. `reach` marks the positions
the decoder may attend to.
"""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from regard.model.input_error import InputError


class Score(nn.Module, ABC):
    """The default for all scores: the annotations are their own keys, and the decoder may attend to every token."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__()

    def keys(self, annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B S Q"]:
        return annotations

    def reach(self, mask: Bool[Tensor, "B S"]) -> Bool[Tensor, "B S"]:
        return mask

    @abstractmethod
    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]: ...


class DotScore(Score):
    """Compare the annotations as they are; they must be as wide as the state."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__(state, annotation)
        if state != annotation:
            raise InputError(f"the dot score needs annotations as wide as the state: {annotation} is not {state}")

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]:
        return states @ keys.transpose(1, 2)


class GeneralScore(Score):
    """Map the annotations into the space of states by a matrix."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__(state, annotation)
        self.W_a = nn.Linear(annotation, state, bias=False)

    def keys(self, annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B S Q"]:
        return self.W_a(annotations)

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]:
        return states @ keys.transpose(1, 2)


class ScaledDotScore(GeneralScore):
    """The general score divided by √H, so that it does not grow with the state's size and the softmax stays soft."""

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]:
        return super().forward(states, keys) / states.shape[2] ** 0.5


class ConcatScore(Score):
    """Compare the two vectors by a one-layer network; W and U are the halves of Luong's one matrix."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__(state, annotation)
        self.W = nn.Linear(state, state, bias=False)
        self.U = nn.Linear(annotation, state, bias=False)
        self.v = nn.Linear(state, 1, bias=False)

    def keys(self, annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B S Q"]:
        return self.U(annotations)

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S Q"]) -> Float[Tensor, "B T S"]:
        compared = torch.tanh(self.W(states).unsqueeze(2) + keys.unsqueeze(1))  # (B, T, S, H)
        return self.v(compared).squeeze(-1)


class NoScore(Score):
    """No attention: every step gets the same context, so a single vector must hold the whole sentence. That vector is
    the mean of two annotations, the last token's, where the forward cell ends, and the first token's, where the
    backward cell ends. All other positions are masked, and equal scores weigh the two alike. This is in the
    spirit of the encoder-decoder of Cho et al. (2014), recorded in the form of a trace."""

    def keys(self, annotations: Float[Tensor, "B S E"]) -> Float[Tensor, "B S 0"]:
        return annotations[..., :0]

    def reach(self, mask: Bool[Tensor, "B S"]) -> Bool[Tensor, "B S"]:
        positions = torch.arange(mask.shape[1], device=mask.device)
        return mask & ((positions == 0) | (positions == mask.sum(1, keepdim=True) - 1))

    def forward(self, states: Float[Tensor, "B T H"], keys: Float[Tensor, "B S 0"]) -> Float[Tensor, "B T S"]:
        return states.new_zeros(*states.shape[:2], keys.shape[1])


SCORES: dict[str, type[Score]] = {
    "dot": DotScore,
    "general": GeneralScore,
    "scaled_dot": ScaledDotScore,
    "concat": ConcatScore,
    "none": NoScore,
}
