from typing import Any

import pytest
import torch

from regard.model.config import Config
from regard.model.scores import SCORES
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import PAD, START, STOP
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


@every_kind
def test_each_row_sees_the_target_tokens_before_it_alone(kind: dict[str, Any]) -> None:
    network, changed = build(**kind), TARGET.clone()
    changed[0, 2] = 9
    before, after = network(SOURCE, TARGET)[:4], network(SOURCE, changed)[:4]
    assert torch.equal(before[:3], after[:3])
    assert not torch.allclose(before[3], after[3])


@every_kind
def test_forced_steps_give_the_logits_of_teacher_forcing(kind: dict[str, Any]) -> None:
    network = build(**kind)
    memory = network.encode(SOURCE)
    carried, tokens, rows = network.start(memory), torch.full((2,), START), []
    for given in TARGET.unbind(1):
        step = network.step(tokens, carried, memory)
        rows.append(network.logits(step.attentional))
        carried, tokens = step.carried, given
    assert torch.allclose(torch.stack(rows, dim=1)[TARGET != PAD], network(SOURCE, TARGET), atol=1e-5)


def test_the_zero_state_knows_nothing() -> None:
    network = build(initial_state="zero")
    carried = network.start(network.encode(SOURCE))
    assert not carried.recurrent.state.any()
    assert not carried.recurrent.cell.any()
    assert not carried.attentional.any()


@pytest.mark.parametrize("score", SCORES)
def test_the_encoder_s_initial_state_is_made_of_the_last_state_of_either_direction(score: str) -> None:
    network = build(initial_state="encoder", score=score)
    memory = network.encode(SOURCE)
    ends = torch.stack([torch.cat([memory.annotations[row, last, :4], memory.annotations[row, 0, 4:]])
                        for row, last in ((0, 4), (1, 2))])  # fmt: skip
    assert network.bridge is not None
    assert torch.allclose(network.start(memory).recurrent.state, torch.tanh(network.bridge(ends)))


@pytest.mark.parametrize("score", SCORES)
def test_what_is_remembered_of_annotations_is_what_encoding_gives(score: str) -> None:
    network = build(score=score)
    memory = network.encode(SOURCE)
    for one, other in zip(network.annotated(memory, memory.annotations), memory, strict=True):
        assert torch.equal(one, other)


def test_the_output_matrix_is_the_target_embedding() -> None:
    network = build()
    vector = torch.randn(1, 6)
    assert torch.allclose(network.logits(vector), vector @ network.embedding.weight.T)
    assert "output" not in "".join(network.state_dict())


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
