import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.model.data.corpus import Batch
from regard.model.network import AnyNetwork
from regard.model.synthetic.scheduled_sampling import logits
from regard.model.synthetic.setup import ATTENTIONS, Setup
from regard.model.synthetic.tasks import batch
from regard.model.tokenizer import PAD, START
from regard.model.transformer.checkpoint import build

SEQUENCES = [(3, 1, 2, 0), (2, 2), (1, 0, 3)]
kinds = pytest.mark.parametrize(
    ("attention", "cell"), [*((attention, "gru") for attention in ATTENTIONS), ("dot", "lstm"), ("dot", "transformer")]
)


def make_network(attention: str = "dot", cell: str = "gru") -> AnyNetwork:
    torch.manual_seed(3)
    other = cell == "transformer"
    setup = Setup(hidden=12, network=cell, heads=2) if other else Setup(attention=attention, cell=cell, hidden=12)
    network = build(setup.config()).double()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return network


def one_by_one(network: AnyNetwork, tested: Batch, forced: Tensor) -> Tensor:
    """The logits of every sequence alone, each token chosen before the next step."""
    rows = []
    for source, target, given in zip(tested.source, tested.target, forced.tolist(), strict=True):
        memory = network.encode(source[source != PAD].unsqueeze(0))
        carried, token = network.start(memory), START
        for wanted, force in zip(target[target != PAD].tolist(), given, strict=False):
            step = network.step(torch.tensor([token]), carried, memory)
            carried = step.carried
            rows.append(network.logits(step.attentional)[0])
            own = int(rows[-1][START + 1 :].argmax()) + START + 1
            token = wanted if force else own
    return torch.stack(rows)


@kinds
def test_all_true_tokens_fed_step_by_step_give_the_logits_and_gradients_of_all_at_once(
    attention: str, cell: str
) -> None:
    network, drawn = make_network(attention, cell), batch("reverse", SEQUENCES)
    wanted = drawn.target[drawn.target != PAD]
    found = []
    for computed in (
        network(drawn.source, drawn.target),
        logits(network, drawn.source, drawn.target, torch.ones_like(drawn.target, dtype=torch.bool)),
    ):
        gradients = torch.autograd.grad(cross_entropy(computed, wanted), list(network.parameters()), allow_unused=True)
        found.append([computed, *(gradient for gradient in gradients if gradient is not None)])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)


@kinds
@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0])
def test_tokens_fed_by_chance_give_what_one_gets_sequence_by_sequence(attention: str, cell: str, ratio: float) -> None:
    network, drawn = make_network(attention, cell), batch("reverse", SEQUENCES)
    forced = torch.from_numpy(np.random.default_rng(4).random(drawn.target.shape) < ratio)
    found = logits(network, drawn.source, drawn.target, forced)
    torch.testing.assert_close(found, one_by_one(network, drawn, forced), rtol=1e-9, atol=1e-12)


def test_what_is_fed_by_chance_matters() -> None:
    network, drawn = make_network(), batch("reverse", SEQUENCES)
    none = torch.zeros_like(drawn.target, dtype=torch.bool)
    own, true = (logits(network, drawn.source, drawn.target, forced) for forced in (none, ~none))
    assert not torch.allclose(own, true)
