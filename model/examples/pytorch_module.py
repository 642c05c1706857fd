"""A PyTorch module for Luong's attention that is wrong in two ways, as a tutorial's is, and the module set right.

The tutorial's declares a linear layer that it never uses, and multiplies five queries with five annotations entry by
entry, so that each position is scored by a query of its own. In Luong et al. (2015), section 3.1, one state asks all.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor, nn

from model.reference.formulas import multiplied, softmax


class EntryByEntry(nn.Module):
    """Does what the tutorial's module does."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.W = nn.Linear(size, size)

    def forward(
        self, queries: Float[Tensor, "B T H"], annotations: Float[Tensor, "B S H"]
    ) -> tuple[Float[Tensor, "B 1 H"], Float[Tensor, "B S"]]:
        # query i and annotation i, and no other pair
        scores = (queries * annotations).sum(dim=-1)
        weights = F.softmax(scores, dim=-1)
        context = weights.unsqueeze(1) @ annotations
        return context, weights


class GeneralAttention(nn.Module):
    """Luong's general score, q · W h, for one query."""

    def __init__(self, state: int, annotation: int) -> None:
        super().__init__()
        self.W = nn.Linear(annotation, state, bias=False)

    def forward(
        self, query: Float[Tensor, "..."], annotations: Float[Tensor, "..."]
    ) -> tuple[Float[Tensor, "B E"], Float[Tensor, "B S"]]:
        self.check(query, annotations)
        keys = self.W(annotations)
        # one query and every annotation
        scores = torch.einsum("bh,bsh->bs", query, keys)
        weights = F.softmax(scores, dim=-1)
        context = torch.einsum("bs,bse->be", weights, annotations)
        return context, weights

    def check(self, query: Float[Tensor, "..."], annotations: Float[Tensor, "..."]) -> None:
        H, E = self.W.weight.shape
        needed = f"[sentences, {H}] and [sentences, positions, {E}]"
        found = f"{[*query.shape]} and {[*annotations.shape]}"
        fits = annotations.ndim == 3 and annotations.shape[2] == E
        if not fits or query.shape != (len(annotations), H):
            raise ValueError(f"needed {needed}, found {found}")


def in_numpy(
    query: Float[ndarray, " H"], annotations: Float[ndarray, "S E"], W: Float[ndarray, "H E"]
) -> tuple[Float[ndarray, " E"], Float[ndarray, " S"]]:
    """Context and weights of one query, as the app's own recomputation has them."""
    weights = softmax(multiplied(query, annotations @ W.T))
    return weights @ annotations, weights
