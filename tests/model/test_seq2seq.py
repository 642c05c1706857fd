from typing import Any

import pytest
import torch

from regard.model.config import Config
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import PAD, STOP
from tests.support.every_kind import KINDS, named

SOURCE = torch.tensor([[5, 6, 7, 8, STOP], [9, 3, STOP, PAD, PAD]])
TARGET = torch.tensor([[4, 5, 6, STOP], [7, STOP, PAD, PAD]])


def build(**choices: object) -> Seq2Seq:
    torch.manual_seed(0)
    sizes = {"vocabulary": 12, "embedding": 6, "encoder_state": 4, "state": 8, "dropout": 0.5}
    return Seq2Seq(Config(**{**sizes, **choices})).eval()


every_kind = pytest.mark.parametrize("kind", KINDS, ids=named)


@every_kind
def test_teacher_forcing_gives_a_row_for_each_target_token_that_is_no_padding(kind: dict[str, Any]) -> None:
    network = build(**kind)
    logits = network(SOURCE, TARGET)
    alone = [network(SOURCE[:1], TARGET[:1]), network(SOURCE[1:, :3], TARGET[1:, :2])]
    assert torch.allclose(logits, torch.cat(alone), atol=1e-5)


@pytest.mark.parametrize("training", [False, True])
def test_dropout_acts_in_training_alone_on_annotations_on_what_is_fed_in_and_on_the_output(training: bool) -> None:
    network, vector = build().train(training), torch.ones(1, 6)
    memory = build().encode(SOURCE[:1])
    carried = network.start(memory)
    for compute in (
        lambda: network.encode(SOURCE).annotations,
        lambda: network.step(torch.tensor([4]), carried, memory).state,
        lambda: network.logits(vector),
        lambda: network(SOURCE, TARGET),
    ):
        assert torch.equal(compute(), compute()) is not training


@every_kind
def test_a_call_leaves_nothing_behind_on_the_network(kind: dict[str, Any]) -> None:
    network = build(**kind)
    before = {name: dict(vars(module)) for name, module in network.named_modules()}
    network(SOURCE, TARGET)
    network.start(network.encode(SOURCE))
    assert {name: dict(vars(module)) for name, module in network.named_modules()} == before
