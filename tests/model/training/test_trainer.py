import copy
import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.model.config import Config
from regard.model.data.corpus import Batch, Pair
from regard.model.network import AnyNetwork
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import PAD
from regard.model.training.checkpointing import TrainingRun, restore_run, save_run
from regard.model.training.snapshots import Snapshots
from regard.model.training.trainer import Options, Training, duration, estimate
from tests.support.digit_training import CONFIG, OPTIONS, TRAIN, VALIDATION, finish, same, train

WATCHED = Snapshots((Pair("1 2", "2 1"),), ())


def taken_up(training: Training, folder: Path, options: Options = OPTIONS, config: Config = CONFIG) -> Training:
    """Another run, begun otherwise and put where the first one stopped, through a file."""
    save_run(TrainingRun(training, WATCHED), folder / "state.safetensors")
    torch.manual_seed(99)
    other = TrainingRun(Training(Seq2Seq(config), TRAIN, VALIDATION, options), WATCHED)
    restore_run(other, folder / "state.safetensors")
    return other.training


def losses(logits: Tensor, target: Tensor, smoothing: float) -> list[float]:
    """Cross-entropy of each row with smoothed labels: 1 − ε on the target, ε spread over the vocabulary."""
    logs = (logits - logits.logsumexp(1, keepdim=True)).tolist()
    chosen = [row[token] for row, token in zip(logs, target.tolist(), strict=True)]
    spread = [math.fsum(row) / len(row) for row in logs]
    return [-(1 - smoothing) * one - smoothing * all_ for one, all_ in zip(chosen, spread, strict=True)]


def by_hand(network: AnyNetwork, batches: Iterator[Batch], smoothing: float) -> float:
    """Loss per target token over all these batches."""
    found = [
        loss
        for batch in batches
        for loss in losses(network(batch.source, batch.target), batch.target[batch.target != PAD], smoothing)
    ]
    return math.fsum(found) / len(found)


def test_the_loss_of_a_batch_is_its_smoothed_cross_entropy() -> None:
    training = train(config=replace(CONFIG, dropout=0.0))
    before = copy.deepcopy(training.network)
    first = next(training.run())
    batch = TRAIN.batches(OPTIONS.batch_tokens, OPTIONS.seed * 1_000_003)
    assert first.loss == pytest.approx(by_hand(before, islice(batch, 1), OPTIONS.smoothing), abs=1e-5)


@pytest.mark.parametrize("clip", [0.05, 1e9])
def test_an_update_follows_the_gradient_of_the_loss_per_token_cut_to_the_clipping_norm(clip: float) -> None:
    training = train(replace(OPTIONS, clip=clip), replace(CONFIG, dropout=0.0))
    before = copy.deepcopy(training.network)
    next(training.run())
    batch = next(TRAIN.batches(OPTIONS.batch_tokens, OPTIONS.seed * 1_000_003))
    wanted = batch.target[batch.target != PAD]
    cross_entropy(before(batch.source, batch.target), wanted, label_smoothing=OPTIONS.smoothing).backward()
    gradients = [parameter.grad for parameter in before.parameters() if parameter.grad is not None]
    norm = math.sqrt(sum(float(gradient.square().sum()) for gradient in gradients))
    for gradient, parameter in zip(gradients, training.network.parameters(), strict=True):
        followed = training.adam.state[parameter]["exp_avg"] / (1 - 0.9)
        assert torch.allclose(followed, gradient * min(1, clip / norm), atol=1e-6)


def test_the_validation_loss_is_the_plain_cross_entropy_of_all_pairs_without_dropout() -> None:
    for progress in train().run():
        assert progress.validated == (progress.update % 3 == 0)
        if progress.validated:
            network = progress.network.eval()
            assert progress.validation == pytest.approx(by_hand(network, VALIDATION.batches(999, 0), 0.0), abs=1e-5)
        else:
            assert math.isnan(progress.validation) == (progress.update < 3)


def test_the_rate_rises_stays_and_falls() -> None:
    options = Options(updates=100, rate=2.0, warmup=10, decay=0.25)
    by_hand = {1: 0.2, 5: 1.0, 10: 2.0, 50: 2.0, 76: 2.0, 77: 1.92, 88: 1.04, 100: 0.08}
    assert {update: options.rate_at(update) for update in by_hand} == pytest.approx(by_hand)


def test_it_stops_early_when_validation_gets_no_better() -> None:
    options = replace(OPTIONS, rate=1e-30, validate_every=1, patience=3)  # too small a rate to change anything
    progress = list(train(options).run())
    assert progress[-1].update == 4
    assert progress[-1].finished == "no better validation in 3 tries"


@pytest.mark.parametrize("stopped_after", range(1, 12))
def test_a_run_taken_up_ends_with_the_bits_of_one_never_stopped(stopped_after: int, tmp_path: Path) -> None:
    stopped = train()
    early = [step.loss for step in islice(stopped.run(), stopped_after)]
    other = taken_up(stopped, tmp_path)
    late = [step.loss for step in other.run()]
    unbroken = train()
    assert early + late == [step.loss for step in unbroken.run()]
    assert same(other.network.state_dict(), unbroken.network.state_dict())


@pytest.mark.parametrize(
    "change",
    [
        {"rate": 0.02}, {"batch_tokens": 81}, {"warmup": 3}, {"decay": 0.5}, {"smoothing": 0.2}, {"clip": 2.0},
        {"seed": 2}, {"validate_every": 4}, {"patience": 11}, {"precision": "bfloat16"},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_a_run_with_another_option_is_refused_by_its_name(change: dict[str, float], tmp_path: Path) -> None:
    (name,) = change
    with pytest.raises(ValueError, match=rf"state\.safetensors: .*: {name} .* there and {change[name]} here"):
        taken_up(train(), tmp_path, replace(OPTIONS, **change))


def test_an_estimate_changes_nothing_of_the_training() -> None:
    measured = train()
    state = torch.get_rng_state()
    assert estimate(measured)[0].endswith("12 updates to make, the text 2.4 times")
    assert torch.equal(torch.get_rng_state(), state)
    assert same(finish(measured), finish(train()))


@pytest.mark.parametrize(("seconds", "told"), [(12.3, "13 s"), (100.0, "2 min"), (9000.0, "2 h 30 min")])
def test_a_time_is_told_as_one_says_it(seconds: float, told: str) -> None:
    assert duration(seconds) == f"about {told}"
