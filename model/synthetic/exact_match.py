"""Exact match: the number of sequences that greedy decoding writes with every token right and none added.

With it a finished run becomes a model folder with its `scores.json`, usable by every screen and command.
"""

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool
from torch import Tensor

from regard.model.autoregression import decoder_steps
from regard.model.cards.card import write_card
from regard.model.cards.record_files import FORMAT, SCORES_FILE, TRAINING, read_scores, versions, write_record
from regard.model.checkpoint import AnyModel
from regard.model.data.corpus import Batch
from regard.model.input_error import InputError
from regard.model.network import AnyNetwork
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import Numbers, batch, draw, sample, written
from regard.model.tokenizer import PAD
from regard.model.transformer.checkpoint import load_any

TESTED = 200  # held-out sequences that measure a run, or fewer if short lengths have fewer
CERTAIN = 1.96  # standard deviations on either side that hold 95% of a normal distribution
BEYOND = 1.5  # a sweep goes to this multiple of the longest sequence trained on
SWEPT = 200  # sequences per length
SEQUENCES = 500  # sequences over which the principal axes are measured
HOW = {
    "exact": "a sequence is written exactly when greedy decoding gives every number of it and ends there; interval: "
    "Wilson (1927), 95%",
    "held_out": "sequences kept from training by their SHA-1, the same for all runs on numbers like these. Sequences "
    "that decided the end of the run are used only if a short length has no others",
}


@dataclass(frozen=True)
class Exact:
    """The number of sequences, and how many of them were written exactly."""

    sequences: int
    right: int

    @property
    def share(self) -> float:
        return self.right / self.sequences

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the share of all such sequences: Wilson (1927)."""
        count, square = self.sequences, CERTAIN**2
        middle = (self.share + square / (2 * count)) / (1 + square / count)
        half = CERTAIN / (1 + square / count) * sqrt(self.share * (1 - self.share) / count + square / (4 * count**2))
        return max(0.0, middle - half), min(1.0, middle + half)


@torch.inference_mode()
def exact(network: AnyNetwork, tested: Batch) -> Bool[Tensor, " B"]:
    """Mark the rows that greedy decoding gets exactly right: equal to the target to its end, `</s>` included."""
    steps = islice(decoder_steps(network, network.encode(tested.source)), tested.target.shape[1])
    written = torch.stack([decoded.tokens for decoded in steps], dim=1)
    return ((written == tested.target) | (tested.target == PAD)).all(1)


def tested(setup: Setup) -> list[Numbers]:
    """Return the held-out sequences that monitor a run and end it; the same for all runs, whatever their seed."""
    return [each for length in setup.lengths for each in sample(length, setup.symbols, _most_per_length(setup))]


def others(setup: Setup, length: int, most: int) -> list[Numbers]:
    """Return held-out sequences of a length that are not in `tested`, or those of `tested` if there are no others. A
    run ends when it writes `tested` well, so its score on those is biased."""
    used = _most_per_length(setup) if length in setup.lengths else 0
    return sample(length, setup.symbols, used + most)[used:] or sample(length, setup.symbols, most)


def _most_per_length(setup: Setup) -> int:
    """Return the most sequences tested of each length."""
    return ceil(TESTED / len(setup.lengths))


def measured(network: AnyNetwork, task: str, sequences: Sequence[Numbers]) -> Exact:
    return Exact(len(sequences), int(exact(network, batch(task, sequences)).sum()))


def scores(model: AnyModel, setup: Setup, name: str, sweep: bool) -> dict[str, Any]:
    """Measure the weights as they are on disk."""
    lengths = range(1, round(BEYOND * setup.longest) + 1) if sweep else setup.lengths
    exact = {length: measured(model.network, setup.task, others(setup, length, SWEPT)) for length in lengths}
    known = [exact[length] for length in setup.lengths]
    task: dict[str, Any] = {
        "name": setup.task,
        "lengths": [setup.shortest, setup.longest],
        "symbols": setup.symbols,
        "exact": _count(Exact(sum(each.sequences for each in known), sum(each.right for each in known))),
    }
    if sweep:
        task["by_length"] = [{"length": length, **_count(counted)} for length, counted in exact.items()]
    return {
        "format": FORMAT,
        "model": model.facts() | {"name": name},
        "versions": versions(),
        "how": HOW,
        "tests": {},
        "task": task,
    }


def _count(exact: Exact) -> dict[str, Any]:
    return {
        "sequences": exact.sequences,
        "right": exact.right,
        "share": round(exact.share, 4),
        "interval": [round(end, 4) for end in exact.interval],
    }


def sequences(setup: Setup) -> list[str]:
    """Return sequences like those of the run, each length equally often."""
    random, lengths = np.random.default_rng(setup.seed), setup.lengths
    return [written(draw(random, lengths[place % len(lengths)], setup.symbols)) for place in range(SEQUENCES)]


def write_scores(folder: Path, setup: Setup, name: str, sweep: bool) -> None:
    """Write the scores of the weights on disk, which are rounded to float16, and the model card. `name` is the model's;
    a sweep measures the scores by length."""
    write_record(scores(load_any(folder), setup, name, sweep), folder / SCORES_FILE)
    write_card(folder)


def measure_again(folder: Path) -> dict[str, Any]:
    """Return the scores of a folder's weights, measured anew; if it was swept, it is swept again. Raises InputError if
    the folder is not that of a practice run."""
    try:
        recorded = json.loads((folder / TRAINING).read_text(encoding="utf-8"))
        setup, sweep = Setup(**recorded["setup"]), "by_length" in read_scores(folder)["task"]
    except (OSError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: no record of a practice run ({error})") from error
    return scores(load_any(folder), setup, folder.resolve().name, sweep)


def practised(folder: Path) -> bool:
    """True if the folder is that of a practice run."""
    record = folder / TRAINING
    return record.is_file() and "task" in json.loads(record.read_text(encoding="utf-8"))


def command(setup: Setup, out: Path, sweep: bool) -> str:
    """Return the command that trains the same network, without naming folders of this machine."""
    options = [text for name, value in setup.options().items() for text in (f"--{name.replace('_', '-')}", str(value))]
    place = out.name if out.is_absolute() else str(out)
    return shlex.join(["regard", "practise", *options, "--out", place, *["--sweep"] * sweep])


def record(setup: Setup, updates: int, finished: str, out: Path, sweep: bool) -> dict[str, Any]:
    """Return the contents of `training.json`; `finished` is the reason why the run ended, "" if it did not, and `out`
    the folder's final name."""
    return {
        "format": FORMAT,
        "command": command(setup, out, sweep),
        "task": setup.task,
        "setup": asdict(setup),
        "ended": finished,
        "files": [],
        "source_tokens": {
            "median": (setup.shortest + setup.longest) // 2,
            "99th percentile": setup.longest,
            "longest": setup.longest,
        },
        "pairs": {"for training": updates * setup.batch, "held out": len(tested(setup))},
        "versions": versions(),
        "device": "cpu",
    }
