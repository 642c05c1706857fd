from itertools import islice

import torch
from torch import Tensor

from regard.model.autoregression import decoder_steps
from regard.model.checkpoint import Pretrained
from regard.model.seq2seq import pad
from regard.model.tokenizer import STOP


@torch.inference_mode()
def test_what_is_chosen_is_fed_next_and_gives_the_logits_of_teacher_forcing(tiny_model: Pretrained) -> None:
    network, source = tiny_model.network, pad([(3, 5, STOP), (4, 4, STOP)])
    target = torch.tensor([[4, 6, 3, STOP], [7, 3, 3, STOP]])
    asked: list[int] = []

    def choose(step: int, logits: Tensor) -> Tensor:
        asked.append(step)
        return target[:, step]

    steps = list(islice(decoder_steps(network, network.encode(source), choose), 4))
    assert asked == [0, 1, 2, 3]
    assert torch.equal(torch.stack([decoded.tokens for decoded in steps], dim=1), target)
    together = network(source, target).unflatten(0, (2, 4))
    torch.testing.assert_close(torch.stack([decoded.logits for decoded in steps], dim=1), together)
