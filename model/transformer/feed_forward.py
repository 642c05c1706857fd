"""Feed-forward network of a layer: the same two maps, applied to each position by itself. Section 3.3.

FFN(x) = W_2 max(0, W_1 x + b_1) + b_2
"""

from jaxtyping import Float
from torch import Tensor, nn


class FeedForward(nn.Module):
    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.W_1 = nn.Linear(size, hidden)
        self.W_2 = nn.Linear(hidden, size)
        for layer in (self.W_1, self.W_2):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, vectors: Float[Tensor, "B T D"]) -> tuple[Float[Tensor, "B T F"], Float[Tensor, "B T D"]]:
        """Return the hidden vectors and the output."""
        hidden = self.W_1(vectors).relu()
        return hidden, self.W_2(hidden)
