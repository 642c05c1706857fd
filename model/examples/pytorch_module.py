"""A PyTorch module for Luong's attention that is wrong in two ways, like a tutorial's, and the corrected module.

The tutorial's declares a linear layer that it never uses, and multiplies five queries with five annotations entry by
entry, so that each position is scored by a query of its own. In Luong et al. (2015), section 3.1, one state is compared
with all.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class EntryByEntry(nn.Module):
    """Computes what the tutorial's module computes."""

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


@dataclass(frozen=True, eq=False)
class Trial:
    """One sentence, a query for each of its positions, and both modules with the same W, which one leaves unused."""

    queries: Float[Tensor, "1 T H"]
    annotations: Float[Tensor, "1 S H"]
    tutorials: EntryByEntry
    repaired: GeneralAttention


def trial(positions: int, size: int, seed: int) -> Trial:
    """Build a trial of standard normal numbers, and a W that keeps their size; float32, as in modules."""
    generator = torch.Generator().manual_seed(seed)
    queries, annotations = torch.randn(2, 1, positions, size, generator=generator)
    tutorials, repaired = EntryByEntry(size), GeneralAttention(size, size)
    with torch.no_grad():
        tutorials.W.weight.copy_(torch.randn(size, size, generator=generator) / size**0.5)
        tutorials.W.bias.copy_(torch.randn(size, generator=generator))
        repaired.W.weight.copy_(tutorials.W.weight)
    return Trial(queries, annotations, tutorials, repaired)


def gradient(module: EntryByEntry | GeneralAttention, query: Tensor, annotations: Tensor) -> float | None:
    """Return the length of W's gradient, for the sum of the context; None if autograd finds no path to it. The
    annotations require gradients too, as in training, where an encoder makes them."""
    context, _ = module(query, annotations.clone().requires_grad_())
    (found,) = torch.autograd.grad(context.sum(), module.W.weight, allow_unused=True)
    return None if found is None else found.norm().item()


def outcome(module: nn.Module, query: Tensor, annotations: Tensor) -> str:
    """Return the shapes of a call's results, or the error in PyTorch's or the module's own words."""
    try:
        with torch.no_grad():
            context, found = module(query, annotations)
    except (RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return f"context {[*context.shape]}, weights {[*found.shape]}"
