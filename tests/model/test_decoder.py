from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from regard.model.attention import Steering
from regard.model.cells import CELLS, Recurrent
from regard.model.config import INITIAL_STATES, Config
from regard.model.decoder import Carried, DecoderStep, Memory
from regard.model.scores import SCORES
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import PAD, START, STOP
from tests.support.every_kind import KINDS, LEARNED, named

SOURCE = torch.tensor([[5, 6, 7, 8, STOP], [9, 3, STOP, PAD, PAD]])
TARGET = torch.tensor([[4, 5, 6, STOP], [7, STOP, PAD, PAD]])
FED = torch.cat([torch.full((2, 1), START), TARGET[:, :-1]], dim=1)


def build(**choices: object) -> Seq2Seq:
    torch.manual_seed(0)
    sizes = {"vocabulary": 12, "embedding": 6, "encoder_state": 4, "state": 8, "dropout": 0.0}
    return Seq2Seq(Config(**{**sizes, **choices})).double()


@pytest.fixture(params=KINDS, ids=named)
def network(request: pytest.FixtureRequest) -> Seq2Seq:
    return build(**request.param)


def steps(network: Seq2Seq, steering: Steering, fed: Tensor = FED) -> list[DecoderStep]:
    memory = network.encode(SOURCE)
    carried, taken = network.start(memory), []
    for tokens in fed.unbind(1):
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


def test_every_number_of_a_look_follows_from_those_before(network: Seq2Seq) -> None:
    memory, step = network.encode(SOURCE), steps(network, Steering.none())[-1]
    weights = torch.softmax(step.scores.masked_fill(~memory.mask, -torch.inf), dim=1)
    assert torch.allclose(step.weights, weights)
    assert torch.allclose(step.context, torch.einsum("bs,bse->be", step.weights, memory.annotations))
    joined = torch.cat([step.context, step.state], dim=1)
    assert torch.allclose(step.attentional, torch.tanh(joined @ network.decoder.W_c.weight.T))
    assert torch.equal(step.own_scores, step.scores)
    assert torch.equal(step.mask, memory.mask)


def scored(network: Seq2Seq, state: Tensor) -> Tensor:
    return network.decoder.score(state.unsqueeze(1), network.encode(SOURCE).keys).squeeze(1)


def embedded(network: Seq2Seq, step: int) -> Tensor:
    return network.embedding(FED[:, step])


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("cell", CELLS)
def test_in_luong_s_wiring_the_cell_reads_the_token_and_its_new_state_asks(score: str, cell: str) -> None:
    network = build(wiring="luong", score=score, cell=cell)
    before, step = steps(network, Steering.none())[-2:]
    read, gates = network.decoder.cell.step(embedded(network, 3), before.carried.recurrent)
    assert torch.allclose(step.state, read.state)
    assert torch.allclose(step.gates, gates)
    assert torch.allclose(step.own_scores, scored(network, step.state))


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("cell", CELLS)
def test_in_bahdanau_s_wiring_the_state_before_asks_and_the_cell_reads_what_it_found(score: str, cell: str) -> None:
    network = build(wiring="bahdanau", score=score, cell=cell)
    before, step = steps(network, Steering.none())[-2:]
    read, gates = network.decoder.cell.step(
        torch.cat([embedded(network, 3), step.context], dim=1), before.carried.recurrent
    )
    assert torch.allclose(step.state, read.state)
    assert torch.allclose(step.cell, read.cell)
    assert torch.allclose(step.gates, gates)
    assert torch.allclose(step.own_scores, scored(network, before.state))


@pytest.mark.parametrize("initial_state", INITIAL_STATES)
def test_in_bahdanau_s_wiring_the_initial_state_asks_first(initial_state: str) -> None:
    network = build(wiring="bahdanau", score="concat", initial_state=initial_state)
    start = network.start(network.encode(SOURCE)).recurrent.state
    assert torch.allclose(steps(network, Steering.none())[0].own_scores, scored(network, start))


@pytest.mark.parametrize("score", LEARNED)
def test_a_token_moves_the_attention_of_its_step_in_luong_s_wiring_and_of_the_next_in_bahdanau_s(score: str) -> None:
    changed = FED.clone()
    changed[:, 2] = 10
    for wiring, first in (("luong", 2), ("bahdanau", 3)):
        network = build(wiring=wiring, score=score)
        plain, other = steps(network, Steering.none()), steps(network, Steering.none(), changed)
        assert [torch.equal(one.weights, two.weights) for one, two in zip(plain, other, strict=True)] == [
            step < first for step in range(4)
        ]


@pytest.mark.parametrize("choices", [{"wiring": "luong", "score": "concat"}, {"wiring": "bahdanau", "score": "concat"}])
def test_the_two_wirings_ask_with_the_same_parameters(choices: dict[str, Any]) -> None:
    """They differ in which state asks and in what the cell reads, and in nothing else."""
    shapes = {name: value.shape for name, value in build(**choices).state_dict().items()}
    assert shapes.pop("decoder.cell.rnn.weight_ih_l0") == (32, 6 + 8 * (choices["wiring"] == "bahdanau"))
    assert shapes == {
        name: value.shape
        for name, value in build(score="concat").state_dict().items()
        if "cell.rnn.weight_ih" not in name
    }


def remembered(network: Seq2Seq, changed: tuple[int, int]) -> Tensor:
    """Attentional vectors where the annotation of one token is another vector."""
    memory = network.encode(SOURCE)
    annotations = memory.annotations.clone()
    annotations[changed] = torch.linspace(-1, 1, annotations.shape[-1]).double()
    other = network.annotated(memory, annotations)
    return network.decoder(network.embedding(FED), network.start(other), other)


without_attention = pytest.mark.parametrize("kind", [kind for kind in KINDS if kind["score"] == "none"], ids=named)


@without_attention
def test_without_attention_no_annotation_counts_but_those_of_the_first_and_the_last_token(kind: dict[str, Any]) -> None:
    network = build(**kind)
    for row, tokens in ((0, 5), (1, 3)):
        for position in range(5):  # padding of the second sentence included
            same = torch.equal(remembered(network, (row, position))[row], vectors(network)[row])
            assert same is (position not in (0, tokens - 1)), (row, position)


@without_attention
def test_without_attention_the_two_ends_weigh_the_same_at_every_step(kind: dict[str, Any]) -> None:
    for step in steps(build(**kind), Steering.none()):
        assert step.weights.tolist() == [[0.5, 0, 0, 0, 0.5], [0.5, 0, 0.5, 0, 0]]
        assert step.mask.tolist() == [[True, False, False, False, True], [True, False, True, False, False]]
        assert not step.scores.any()


@without_attention
def test_without_attention_a_source_of_one_token_has_all_the_weight(kind: dict[str, Any]) -> None:
    network = build(**kind)
    memory = network.encode(torch.tensor([[STOP, PAD], [4, STOP]]))
    step = network.step(torch.tensor([START, START]), network.start(memory), memory)
    assert step.weights.tolist() == [[1, 0], [0.5, 0.5]]
    assert torch.equal(step.context[0], memory.annotations[0, 0])


def test_padding_weighs_exactly_0_and_its_scores_are_finite(network: Seq2Seq) -> None:
    for step in steps(network, Steering.none()):
        assert (step.weights[1, 3:] == 0).all()
        assert step.scores.isfinite().all()


@pytest.mark.parametrize(
    ("choices", "first"),
    [({}, 4), ({"input_feeding": True}, 1), ({"wiring": "bahdanau"}, 0)],
    ids=["luong", "feeding", "bahdanau"],
)
def test_attention_reaches_no_state_or_the_next_with_input_feeding_or_this_one_with_bahdanau(
    choices: dict[str, Any], first: int
) -> None:
    one_hot = torch.eye(5, dtype=torch.float64)[:1]
    everywhere = torch.ones(1, 1, dtype=torch.bool)
    changed = replace(Steering.none(), weights=one_hot, replaced=everywhere)
    network = build(**choices)
    plain, steered = steps(network, Steering.none()), steps(network, changed)
    assert [torch.equal(one.state, two.state) for one, two in zip(plain, steered, strict=True)] == [
        step < first for step in range(4)
    ]


steered = pytest.mark.parametrize("choices", [{"input_feeding": True}, {"wiring": "bahdanau"}], ids=str)


@steered
def test_gradients_flow_to_a_bonus_on_the_scores(choices: dict[str, Any]) -> None:
    bonus = torch.zeros(1, 5, dtype=torch.float64, requires_grad=True)
    assert gradient_agrees_with_a_small_change("bonus", bonus, choices)


@steered
def test_gradients_flow_to_replaced_weights(choices: dict[str, Any]) -> None:
    weights = torch.full((1, 5), 0.2, dtype=torch.float64, requires_grad=True)
    assert gradient_agrees_with_a_small_change("weights", weights, choices)


@steered
def test_gradients_flow_to_the_temperature(choices: dict[str, Any]) -> None:
    temperature = torch.full((1, 1), 1.5, dtype=torch.float64, requires_grad=True)
    assert gradient_agrees_with_a_small_change("temperature", temperature, choices)


def gradient_agrees_with_a_small_change(name: str, value: Tensor, choices: dict[str, Any]) -> bool:
    network = build(score="concat", **choices)
    replaced = torch.full((1, 1), name == "weights")

    def last(changed: Tensor) -> Tensor:
        steering = replace(Steering.none(), **{"replaced": replaced, name: changed})
        return network.logits(steps(network, steering)[-1].attentional)

    return torch.autograd.gradcheck(last, (value,))


def test_one_step_serves_many_hypotheses_of_one_sentence(network: Seq2Seq) -> None:
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
