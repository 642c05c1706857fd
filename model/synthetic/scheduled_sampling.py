"""Scheduled sampling (Bengio et al. 2015): each step is fed the true token, or the one the decoder would have written.

Williams and Zipser (1989) always feed the true token. Bengio et al. (2015), "Scheduled sampling", section 2.4, toss a
coin for every token. No gradient flows through the choice of a token.
"""

from itertools import islice

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from regard.model.autoregression import decoder_steps, likeliest
from regard.model.network import AnyNetwork
from regard.model.tokenizer import PAD


def logits(
    network: AnyNetwork, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"], forced: Bool[Tensor, "B T"]
) -> Float[Tensor, "N V"]:
    """Return the logits of the N target tokens that are not padding; where `forced` is true, the true token is fed
    next. If it is true everywhere, these are the logits of `Seq2Seq.forward`, computed step by step."""

    def choose(step: int, logits: Float[Tensor, "B V"]) -> Int[Tensor, " B"]:
        return torch.where(forced[:, step], target[:, step], likeliest(step, logits.detach()))

    steps = islice(decoder_steps(network, network.encode(source), choose), target.shape[1])
    return torch.stack([decoded.logits for decoded in steps], dim=1)[target != PAD]
