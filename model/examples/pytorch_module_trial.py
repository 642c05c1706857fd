"""The two modules of `model.examples.pytorch_module` on the same numbers: gradients, parameters, queries, scores,
weights."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor, nn
from torch.func import functional_call

from model.examples.pytorch_module import EntryByEntry, GeneralAttention, in_numpy


@dataclass(frozen=True, eq=False)
class Trial:
    """One sentence, a query for each of its positions, and both modules with the same W, which one leaves unused."""

    queries: Float[Tensor, "1 T H"]
    annotations: Float[Tensor, "1 S H"]
    tutorials: EntryByEntry
    repaired: GeneralAttention


class ModuleWeights(NamedTuple):
    """What the positions weigh: with all queries given at once, with that of one step alone, and with W as well."""

    at_once: Float[ndarray, " S"]
    alone: Float[ndarray, " S"]
    repaired: Float[ndarray, " S"]


def trial(positions: int, size: int, seed: int) -> Trial:
    """Standard normal numbers, and a W that keeps their size; float32, as modules have it."""
    generator = torch.Generator().manual_seed(seed)
    queries, annotations = torch.randn(2, 1, positions, size, generator=generator)
    tutorials, repaired = EntryByEntry(size), GeneralAttention(size, size)
    with torch.no_grad():
        tutorials.W.weight.copy_(torch.randn(size, size, generator=generator) / size**0.5)
        tutorials.W.bias.copy_(torch.randn(size, generator=generator))
        repaired.W.weight.copy_(tutorials.W.weight)
    return Trial(queries, annotations, tutorials, repaired)


def gradients(module: nn.Module, query: Tensor, annotations: Tensor) -> dict[str, float | None]:
    """The length of each parameter's gradient, of the sum of the context; None where autograd finds no way to it.

    The annotations have one too, as in training, where an encoder makes them.
    """
    context, _ = module(query, annotations.clone().requires_grad_())
    names, parameters = zip(*module.named_parameters(), strict=True)
    found = torch.autograd.grad(context.sum(), parameters, allow_unused=True)
    return {name: None if one is None else one.norm().item() for name, one in zip(names, found, strict=True)}


def weights(module: nn.Module, query: Tensor, annotations: Tensor, factor: float = 1.0) -> Float[ndarray, " S"]:
    """The weights of the first sentence, with all parameters multiplied by `factor`."""
    with torch.no_grad():
        parameters = {name: factor * parameter for name, parameter in module.named_parameters()}
        return functional_call(module, parameters, (query, annotations))[1][0].numpy()


def outcome(module: nn.Module, query: Tensor, annotations: Tensor) -> str:
    """The shapes of what a call gives, or the error in PyTorch's or the module's own words."""
    try:
        with torch.no_grad():
            context, found = module(query, annotations)
    except (RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return f"context {[*context.shape]}, weights {[*found.shape]}"


def scores(trial: Trial) -> Float[ndarray, "T S"]:
    """Every query with every annotation, q · h: a module that multiplies entry by entry makes only the diagonal."""
    return (trial.queries[0] @ trial.annotations[0].T).numpy()


def compare(trial: Trial, step: int) -> ModuleWeights:
    """The three rows of weights of one step, from 0."""
    alone = trial.queries[:, step]
    return ModuleWeights(
        weights(trial.tutorials, trial.queries, trial.annotations),
        weights(trial.tutorials, alone.unsqueeze(1), trial.annotations),
        weights(trial.repaired, alone, trial.annotations),
    )


def distance(trial: Trial) -> float:
    """How far the repaired module is from NumPy in float64, at most, over the contexts and weights of all steps."""
    annotations, W = _in_float64(trial.annotations[0]), _in_float64(trial.repaired.W.weight)
    farthest = 0.0
    for query in trial.queries[0]:
        made = trial.repaired(query.unsqueeze(0), trial.annotations)
        for found, expected in zip(made, in_numpy(_in_float64(query), annotations, W), strict=True):
            farthest = max(farthest, float(np.abs(_in_float64(found[0]) - expected).max()))
    return farthest


def _in_float64(tensor: Float[Tensor, "*N"]) -> Float[ndarray, "*N"]:
    return tensor.detach().double().numpy()
