"""A PyTorch module for Luong's attention that is wrong in two ways, like a tutorial's, and the corrected module.

The tutorial's declares a linear layer that it never uses, and multiplies five queries with five annotations entry by
entry, so that each position is scored by a query of its own. In Luong et al. (2015), section 3.1, one state is compared
with all. A trial gives both modules the same numbers and compares gradients, parameters, scores and weights.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor, nn
from torch.func import functional_call

from regard.model.reference.formulas import softmax


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


def in_numpy(
    query: Float[ndarray, " H"], annotations: Float[ndarray, "S E"], W: Float[ndarray, "H E"]
) -> tuple[Float[ndarray, " E"], Float[ndarray, " S"]]:
    """Return context and weights of one query, as the app recomputes them."""
    weights = softmax(annotations @ W.T @ query)
    return weights @ annotations, weights


@dataclass(frozen=True, eq=False)
class Trial:
    """One sentence, a query for each of its positions, and both modules with the same W, which one leaves unused."""

    queries: Float[Tensor, "1 T H"]
    annotations: Float[Tensor, "1 S H"]
    tutorials: EntryByEntry
    repaired: GeneralAttention


class ModuleWeights(NamedTuple):
    """The weights of the positions: with all queries given at once, with that of one step alone, and with W as well."""

    at_once: Float[ndarray, " S"]
    alone: Float[ndarray, " S"]
    repaired: Float[ndarray, " S"]


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


def gradients(module: nn.Module, query: Tensor, annotations: Tensor) -> dict[str, float | None]:
    """Return the length of each parameter's gradient, for the sum of the context; None if autograd finds no path to it.
    The annotations require gradients too, as in training, where an encoder makes them."""
    context, _ = module(query, annotations.clone().requires_grad_())
    names, parameters = zip(*module.named_parameters(), strict=True)
    derivatives = torch.autograd.grad(context.sum(), parameters, allow_unused=True)
    return {name: None if one is None else one.norm().item() for name, one in zip(names, derivatives, strict=True)}


def weights(module: nn.Module, query: Tensor, annotations: Tensor, factor: float = 1.0) -> Float[ndarray, " S"]:
    """Return the weights of the first sentence, with all parameters multiplied by `factor`."""
    with torch.no_grad():
        parameters = {name: factor * parameter for name, parameter in module.named_parameters()}
        return functional_call(module, parameters, (query, annotations))[1][0].numpy()


def outcome(module: nn.Module, query: Tensor, annotations: Tensor) -> str:
    """Return the shapes of a call's results, or the error in PyTorch's or the module's own words."""
    try:
        with torch.no_grad():
            context, found = module(query, annotations)
    except (RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return f"context {[*context.shape]}, weights {[*found.shape]}"


def scores(trial: Trial) -> Float[ndarray, "T S"]:
    """Return every query times every annotation, q · h; multiplying entry by entry gives only the diagonal."""
    return (trial.queries[0] @ trial.annotations[0].T).numpy()


def compare(trial: Trial, step: int) -> ModuleWeights:
    """Return the three rows of weights of one step, from 0."""
    alone = trial.queries[:, step]
    return ModuleWeights(
        weights(trial.tutorials, trial.queries, trial.annotations),
        weights(trial.tutorials, alone.unsqueeze(1), trial.annotations),
        weights(trial.repaired, alone, trial.annotations),
    )


def distance(trial: Trial) -> float:
    """Return the repaired module's greatest difference from NumPy over contexts and weights of all steps."""
    annotations, W = _in_float64(trial.annotations[0]), _in_float64(trial.repaired.W.weight)
    farthest = 0.0
    for query in trial.queries[0]:
        made = trial.repaired(query.unsqueeze(0), trial.annotations)
        for output, expected in zip(made, in_numpy(_in_float64(query), annotations, W), strict=True):
            farthest = max(farthest, float(np.abs(_in_float64(output[0]) - expected).max()))
    return farthest


def _in_float64(tensor: Float[Tensor, "*N"]) -> Float[ndarray, "*N"]:
    return tensor.detach().double().numpy()
