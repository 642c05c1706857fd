from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

import regard.model.synthetic.trainer
from regard.model.data.corpus import Batch
from regard.model.network import AnyNetwork
from regard.model.synthetic.exact_match import tested as held_out_sample  # pytest would take it for a test
from regard.model.synthetic.setup import ATTENTIONS, Setup
from regard.model.synthetic.tasks import Numbers, batch, held_out
from regard.model.synthetic.trainer import Practice, logits
from regard.model.tokenizer import PAD, START
from regard.model.transformer.checkpoint import build
from tests.support.same_recording import assert_same

SMALL = Setup(task="copy", longest=3, symbols=4, hidden=16, batch=16, updates=120, rate=0.01)


def steps(practice: Practice, count: int) -> list[regard.model.synthetic.trainer.SyntheticProgress]:
    return list(islice(practice.run(), count))


def untimed(practice: Practice) -> list[str]:
    """Its notes, without the seconds, which no two runs share; NaN is written like any number."""
    return [str(asdict(replace(note, seconds=0.0))) for note in practice.notes]


@pytest.mark.parametrize(
    "setup",
    [replace(SMALL, teacher_forcing=0.5), replace(SMALL, attention="bahdanau", cell="lstm", task="sort")],
    ids=["half of the tokens true", "all of them, another kind"],
)
def test_a_run_saved_and_taken_up_ends_bit_for_bit_like_one_never_stopped(setup: Setup, tmp_path: Path) -> None:
    whole, first, second = Practice(setup), Practice(setup), Practice(setup)
    steps(whole, 57)
    steps(first, 23)
    first.save(tmp_path / "state")
    torch.rand(3)  # the random numbers of others are no part of it
    second.restore(tmp_path / "state")
    steps(second, 34)
    assert (second.update, second.tokens, second.loss) == (57, whole.tokens, whole.loss)
    for name, value in whole.network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name
    assert untimed(whole) == untimed(second)
    assert_same(whole.snapshots, second.snapshots)
    whole.save(tmp_path / "whole")
    second.seconds, second.notes = whole.seconds, whole.notes
    second.save(tmp_path / "second")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_saved_run_goes_on_with_more_updates_and_with_nothing_else_changed(tmp_path: Path) -> None:
    practice = Practice(replace(SMALL, updates=5))
    assert steps(practice, 99)[-1].finished == "all updates done"
    practice.save(tmp_path / "state")
    more = Practice(replace(SMALL, updates=8))
    more.restore(tmp_path / "state")
    assert [progress.update for progress in more.run()] == [6, 7, 8]
    other = Practice(replace(SMALL, rate=0.02, seed=2))
    with pytest.raises(
        ValueError, match=r"state: .* otherwise: rate 0.01 there and 0.02 here, seed 1 there and 2 here"
    ):
        other.restore(tmp_path / "state")


@pytest.mark.parametrize("damage", [lambda content: b"", lambda content: content[:900], lambda content: content[:-9]])
def test_a_damaged_file_is_refused_by_name(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    practice = Practice(SMALL)
    steps(practice, 2)
    practice.save(tmp_path / "state")
    (tmp_path / "state").write_bytes(damage((tmp_path / "state").read_bytes()))
    with pytest.raises(ValueError, match=r"state: "):
        Practice(SMALL).restore(tmp_path / "state")
    with pytest.raises(ValueError, match=r"absent: "):
        Practice(SMALL).restore(tmp_path / "absent")


def test_nothing_that_is_held_out_is_ever_trained_on(monkeypatch: pytest.MonkeyPatch) -> None:
    practice, seen = Practice(SMALL), set[Numbers]()

    def recording(task: str, sequences: Sequence[Numbers]) -> Batch:
        seen.update(sequences)
        return batch(task, sequences)

    monkeypatch.setattr(regard.model.synthetic.trainer, "batch", recording)
    steps(practice, 100)
    assert not seen & set(held_out_sample(SMALL))
    assert not any(held_out(sequence, SMALL.symbols) for sequence in seen)
    assert len(seen) == 4 + 16 + 64 - (1 + 1 + 4)  # and everything else is


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
