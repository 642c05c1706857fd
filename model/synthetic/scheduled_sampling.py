"""Scheduled sampling (Bengio et al. 2015): at each step the decoder is fed the true token, or the one it would have
written itself.

Williams and Zipser (1989) feed the true one always. Bengio et al. (2015), "Scheduled sampling", section 2.4, toss a
coin for every token. No gradient flows through the choice of a token.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from model.seq2seq import Seq2Seq
from model.tokenizer import PAD, START
from model.translate import likeliest


def logits(
    network: Seq2Seq, source: Int[Tensor, "B S"], target: Int[Tensor, "B T"], forced: Bool[Tensor, "B T"]
) -> Float[Tensor, "N V"]:
    """Logits of the N target tokens that are no padding; after a token the true one is fed in where `forced` says so.

    Where it is true everywhere, these are the logits of `Seq2Seq.forward`, computed step by step.
    """
    memory = network.encode(source)
    carried = network.start(memory)
    fed, steps = torch.full_like(target[:, 0], START), []
    for number in range(target.shape[1]):
        step = network.step(fed, carried, memory)
        carried = step.carried
        steps.append(network.logits(step.attentional))
        own = likeliest(number, steps[-1].detach())
        fed = torch.where(forced[:, number], target[:, number], own)
    return torch.stack(steps, dim=1)[target != PAD]
