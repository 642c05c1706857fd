"""Ablation of the inputs of a decoder without attention: the initial state s_0 or the constant context c is zeroed.

c = ½ (h_1 + h_S) is the context of every step; s_0 = tanh(W_b [→h_S ; ←h_1] + b_b) is where the decoder begins. The
decoder knows the source through these two lists alone.
"""

import torch

from regard.model.attention import NO_STEERING, Steering
from regard.model.autoregression import Prefixes, advance, empty, likeliest
from regard.model.checkpoint import Pretrained
from regard.model.tokenizer import STOP
from regard.model.translate import read


@torch.inference_mode()
def ablated(model: Pretrained, sentence: str, state: bool = False, context: bool = False) -> str:
    """Return the greedy translation with s_0 = 0 where `state` is true and c = 0 where `context` is true."""
    network, tokenizer = model.network, model.tokenizer
    memory, (most,) = read(model, [tokenizer.encode(sentence, tokenizer.languages[0])])
    prefixes = empty(network, memory)
    if state:
        recurrent = prefixes.carried.recurrent
        start = recurrent._replace(state=torch.zeros_like(recurrent.state))
        prefixes = prefixes._replace(carried=prefixes.carried._replace(recurrent=start))
    steering = Steering.to(torch.zeros(memory.mask.shape)) if context else NO_STEERING
    written: list[int] = []
    while len(written) < most and STOP not in written:
        step, logits = advance(network, prefixes, steering)
        tokens = likeliest(len(written), logits)
        written.append(int(tokens))
        prefixes = Prefixes(tokens, step.carried, memory)
    return tokenizer.decode(written)
