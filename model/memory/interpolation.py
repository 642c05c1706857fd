"""Translation with nearest neighbours, kNN-MT. Khandelwal et al. (2021), equations 1 and 2.

    p_kNN(y) ∝ Σ_i [y_i = y] exp(−d_i² / τ)     p(y) = (1 − λ) p_model(y) + λ p_kNN(y)

d_i is the distance to the i-th of the k nearest entries, y_i the token that came next there, τ the temperature.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray

from regard.model.autoregression import advance, empty
from regard.model.checkpoint import AnyModel
from regard.model.memory.datastore import VOTING, Datastore, Neighbours
from regard.model.tokenizer import STOP, Encoding
from regard.model.translate import endings, read

NEIGHBOURS, TEMPERATURE = VOTING, 10.0


class Interpolation(NamedTuple):
    """The memory's share λ, the number of neighbours that vote, and the temperature of their votes."""

    share: float
    neighbours: int = NEIGHBOURS
    temperature: float = TEMPERATURE


def votes(found: Neighbours, temperature: float) -> Float[ndarray, "Q k"]:
    """Return the weight of each neighbour, exp(−d²/τ) divided by the sum over all."""
    powers = np.exp((found.squares[:, :1] - found.squares).astype(np.float64) / temperature)
    return powers / powers.sum(1, keepdims=True)


def mixed(
    probabilities: Float[ndarray, "Q V"], next_ids: Int[ndarray, "Q k"], weights: Float[ndarray, "Q k"], share: float
) -> Float[ndarray, "Q V"]:
    """Return (1 − λ) p_model + λ p_kNN."""
    mixture = (1 - share) * probabilities.astype(np.float64)
    np.add.at(mixture, (np.arange(len(mixture))[:, None], next_ids), share * weights)
    return mixture


@torch.inference_mode()
def write(
    model: AnyModel, store: Datastore, encodings: Sequence[Encoding], settings: Interpolation
) -> list[tuple[int, ...]]:
    """Translate greedily by the mixture; return the ids of each translation, with `</s>` unless the limit ended it."""
    memory, limits = read(model, encodings)
    prefixes, tokens = empty(model.network, memory), []
    ended = torch.zeros(len(limits), dtype=torch.bool)
    for _ in range(max(limits)):
        step, logits = advance(model.network, prefixes)
        found = store.nearest(step.attentional.numpy(), settings.neighbours)
        weights = votes(found, settings.temperature)
        mixture = mixed(logits.softmax(1).numpy(), store.next_ids[found.entries], weights, settings.share)
        tokens.append(torch.from_numpy(mixture[:, STOP:].argmax(1) + STOP))
        ended |= tokens[-1] == STOP
        if ended.all():
            break
        prefixes = prefixes._replace(fed=tokens[-1], carried=step.carried)
    return [ids for ids, _ in endings(tokens, limits)]
