"""Encoder: turns a sentence into annotations, the meaning of each token in its context. Bahdanau et al. (2015), section
3.2.

    h_i = [h_i forward ; h_i backward]

Two cells read the embeddings, one from the left and one from the right. Bahdanau's were gated units, much like a GRU;
Luong et al. (2015) stack LSTMs that read one way.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from regard.model.cells import CELLS, Recurrent


class Encoder(nn.Module):
    """Each direction has a state of `state` components, so E = 2 × `state`. Both start from zeros."""

    def __init__(self, cell: str, vocabulary: int, embedding: int, state: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, embedding)
        self.forwards = CELLS[cell](embedding, state)
        self.backwards = CELLS[cell](embedding, state)
        self.dropout = nn.Dropout(dropout)
        self.state = state

    def forward(self, embedded: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]) -> Float[Tensor, "B S E"]:
        """Return the annotations of padded sentences from their embeddings; those of padding are zeros."""
        embedded = self.dropout(embedded)
        zeros = embedded.new_zeros(len(embedded), self.state)
        start = Recurrent(zeros, zeros[:, : self.forwards.cell_size])
        positions = torch.arange(mask.shape[1], device=mask.device).expand_as(mask)
        mirror = torch.where(mask, mask.sum(1, keepdim=True) - 1 - positions, positions)  # padding stays where it is
        right = self.forwards.run(embedded, start)
        left = _reorder(self.backwards.run(_reorder(embedded, mirror), start), mirror)
        return self.dropout(torch.cat([right, left], dim=-1) * mask.unsqueeze(-1))


def _reorder(values: Float[Tensor, "B S X"], order: Int[Tensor, "B S"]) -> Float[Tensor, "B S X"]:
    return values.gather(1, order.unsqueeze(-1).expand_as(values))
