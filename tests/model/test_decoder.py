from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from regard.model.attention import Steering
from regard.model.config import Config
from regard.model.decoder import DecoderStep
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import PAD, START, STOP
from tests.support.every_kind import KINDS, named

SOURCE = torch.tensor([[5, 6, 7, 8, STOP], [9, 3, STOP, PAD, PAD]])
TARGET = torch.tensor([[4, 5, 6, STOP], [7, STOP, PAD, PAD]])
FED = torch.cat([torch.full((2, 1), START), TARGET[:, :-1]], dim=1)


def build(**choices: object) -> Seq2Seq:
    torch.manual_seed(0)
    sizes = {"vocabulary": 12, "embedding": 6, "encoder_state": 4, "state": 8, "dropout": 0.0}
    return Seq2Seq(Config(**{**sizes, **choices})).double()


def steps(network: Seq2Seq, steering: Steering) -> list[DecoderStep]:
    memory = network.encode(SOURCE)
    carried, taken = network.start(memory), []
    for tokens in FED.unbind(1):
        taken.append(network.step(tokens, carried, memory, steering))
        carried = taken[-1].carried
    return taken


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_all_steps_at_once_are_the_steps_one_by_one_with_the_same_gradients(kind: dict[str, Any]) -> None:
    network = build(**kind)
    memory = network.encode(SOURCE)
    vectors = network.decoder(network.embedding(FED), network.start(memory), memory)
    one_by_one = torch.stack([step.attentional for step in steps(network, Steering.none())], dim=1)
    assert torch.allclose(vectors, one_by_one, atol=1e-12)
    wanted = [parameter for parameter in network.parameters() if parameter.requires_grad]
    at_once = torch.autograd.grad(vectors.square().sum(), wanted)
    stepped = torch.autograd.grad(one_by_one.square().sum(), wanted)
    assert all(torch.allclose(one, other, atol=1e-10) for one, other in zip(at_once, stepped, strict=True))


@pytest.mark.parametrize("choices", [{"input_feeding": True}, {"wiring": "bahdanau"}], ids=str)
@pytest.mark.parametrize(
    ("name", "value"), [("bonus", [[0.0] * 5]), ("weights", [[0.2] * 5]), ("temperature", [[1.5]])]
)
def test_gradients_flow_to_what_steers_attention(choices: dict[str, Any], name: str, value: list[list[float]]) -> None:
    network = build(score="concat", **choices)
    replaced = torch.full((1, 1), name == "weights")

    def last(changed: Tensor) -> Tensor:
        steering = replace(Steering.none(), **{"replaced": replaced, name: changed})
        return network.logits(steps(network, steering)[-1].attentional)

    assert torch.autograd.gradcheck(last, (torch.tensor(value, dtype=torch.float64, requires_grad=True),))
