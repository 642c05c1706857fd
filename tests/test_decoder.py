"""The decoder: all steps at once, one by one, and under a person's hand."""

from dataclasses import replace
from itertools import product

import pytest
import torch
from torch import Tensor

from model.attention import Steering
from model.cells import CELLS, Recurrent
from model.config import INITIAL_STATES, Config
from model.decoder import WIRINGS, Carried, Memory, Step
from model.scores import SCORES
from model.seq2seq import Seq2Seq
from model.tokenizer import PAD, START, STOP

SOURCE = torch.tensor([[5, 6, 7, 8, STOP], [9, 3, STOP, PAD, PAD]])
TARGET = torch.tensor([[4, 5, 6, STOP], [7, STOP, PAD, PAD]])
FED = torch.cat([torch.full((2, 1), START), TARGET[:, :-1]], dim=1)


def build(**choices: object) -> Seq2Seq:
    torch.manual_seed(0)
    sizes = {"vocabulary": 12, "embedding": 6, "encoder_state": 4, "state": 8, "dropout": 0.0}
    return Seq2Seq(Config(**{**sizes, **choices})).double()


@pytest.fixture(params=product(WIRINGS, SCORES, CELLS, [False, True], INITIAL_STATES), ids=str)
def network(request: pytest.FixtureRequest) -> Seq2Seq:
    wiring, score, cell, input_feeding, initial_state = request.param
    return build(wiring=wiring, score=score, cell=cell, input_feeding=input_feeding, initial_state=initial_state)


def steps(network: Seq2Seq, steering: Steering) -> list[Step]:
    memory = network.encode(SOURCE)
    carried, taken = network.start(memory), []
    for tokens in FED.unbind(1):
        taken.append(network.step(tokens, carried, memory, steering))
        carried = taken[-1].carried
    return taken


def vectors(network: Seq2Seq) -> Tensor:
    """Attentional vectors of all steps at once."""
    memory = network.encode(SOURCE)
    return network.decoder(network.embedding(FED), network.start(memory), memory)


def test_all_steps_at_once_are_the_steps_one_by_one(network: Seq2Seq) -> None:
    one_by_one = torch.stack([step.attentional for step in steps(network, Steering.none())], dim=1)
    assert torch.allclose(vectors(network), one_by_one, atol=1e-12)


def test_their_gradients_agree_too(network: Seq2Seq) -> None:
    one_by_one = torch.stack([step.attentional for step in steps(network, Steering.none())], dim=1)
    wanted = [parameter for parameter in network.parameters() if parameter.requires_grad]
    at_once = torch.autograd.grad(vectors(network).square().sum(), wanted)
    stepped = torch.autograd.grad(one_by_one.square().sum(), wanted)
    assert all(torch.allclose(one, other, atol=1e-10) for one, other in zip(at_once, stepped, strict=True))


@pytest.mark.parametrize("score", SCORES)
def test_every_number_of_luong_s_step_follows_from_those_before(score: str) -> None:
    network = build(wiring="luong", score=score)
    memory, step = network.encode(SOURCE), steps(network, Steering.none())[-1]
    weights = torch.softmax(step.scores.masked_fill(~memory.mask, -torch.inf), dim=1)
    assert torch.allclose(step.weights, weights)
    assert torch.allclose(step.context, torch.einsum("bs,bse->be", step.weights, memory.annotations))
    joined = torch.cat([step.context, step.state], dim=1)
    assert torch.allclose(step.attentional, torch.tanh(joined @ network.decoder.W_c.weight.T))
    assert torch.equal(step.own_scores, step.scores)
    assert torch.equal(step.mask, memory.mask)


def test_in_luong_s_wiring_the_current_state_asks() -> None:
    network = build(wiring="luong")
    step = steps(network, Steering.none())[-1]
    asked = network.decoder.score(step.state.unsqueeze(1), network.encode(SOURCE).keys).squeeze(1)
    assert torch.allclose(step.own_scores, asked)


def test_padding_weighs_exactly_0_and_its_scores_are_finite(network: Seq2Seq) -> None:
    for step in steps(network, Steering.none()):
        assert (step.weights[1, 3:] == 0).all()
        assert step.scores.isfinite().all()


def test_input_feeding_is_the_only_way_a_step_s_attention_reaches_the_next_state() -> None:
    one_hot = torch.eye(5, dtype=torch.float64)[:1]
    everywhere = torch.ones(1, 1, dtype=torch.bool)
    changed = replace(Steering.none(), weights=one_hot, replaced=everywhere)
    for input_feeding in (False, True):
        network = build(input_feeding=input_feeding)
        plain, steered = steps(network, Steering.none()), steps(network, changed)
        assert torch.equal(plain[1].state, steered[1].state) is not input_feeding


def test_gradients_flow_to_a_bonus_on_the_scores() -> None:
    bonus = torch.zeros(1, 5, dtype=torch.float64, requires_grad=True)
    assert gradient_agrees_with_a_small_change("bonus", bonus)


def test_gradients_flow_to_replaced_weights() -> None:
    weights = torch.full((1, 5), 0.2, dtype=torch.float64, requires_grad=True)
    assert gradient_agrees_with_a_small_change("weights", weights)


def test_gradients_flow_to_the_temperature() -> None:
    temperature = torch.full((1, 1), 1.5, dtype=torch.float64, requires_grad=True)
    assert gradient_agrees_with_a_small_change("temperature", temperature)


def gradient_agrees_with_a_small_change(name: str, value: Tensor) -> bool:
    network = build(input_feeding=True, score="concat")
    replaced = torch.full((1, 1), name == "weights")

    def last(changed: Tensor) -> Tensor:
        steering = replace(Steering.none(), **{"replaced": replaced, name: changed})
        return network.logits(steps(network, steering)[-1].attentional)

    return torch.autograd.gradcheck(last, (value,))


def test_one_step_serves_many_hypotheses_of_one_sentence() -> None:
    network = build()
    memory = network.encode(SOURCE[:1])
    spread = Memory(*(part.expand(3, *part.shape[1:]) for part in memory))
    tokens = torch.tensor([4, 5, 6])
    together = network.step(tokens, network.start(spread), spread)
    for row, token in enumerate(tokens):
        alone = network.step(token.unsqueeze(0), network.start(memory), memory)
        assert torch.allclose(together.attentional[row], alone.attentional[0], atol=1e-12)


def test_what_is_carried_on_is_the_state_and_the_attentional_vector() -> None:
    step = steps(build(), Steering.none())[0]
    assert step.carried == Carried(Recurrent(step.state, step.cell), step.attentional)
