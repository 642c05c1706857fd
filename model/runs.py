"""An unfinished training run on disk: one safetensors file that appears at once or not at all."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file

from model.checkpoint import at_once
from model.corpus import Pair
from model.snapshots import Snapshot, Snapshots
from model.training import Training


@dataclass
class Run:
    """A training and what was noted on the way."""

    training: Training
    snapshots: Snapshots
    history: list[dict[str, int | float]] = field(default_factory=list)


def save_run(run: Run, path: Path) -> None:
    """Write everything needed to take up a run."""
    tensors, values = run.training.state()
    for moment in run.snapshots.moments:
        tensors |= {_name(moment.update, index): torch.tensor(rows) for index, rows in enumerate(moment.weights)}
    notes = {"run": values, "history": run.history, "pairs": run.snapshots.pairs, "moments": _told(run.snapshots)}
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {name: json.dumps(value) for name, value in notes.items()}
    at_once(path, lambda partial: save_file(tensors, partial, metadata))


def restore_run(run: Run, path: Path) -> None:
    """Take up a saved run. Raises ValueError naming the file when it cannot be."""
    try:
        with safe_open(path, "pt") as file:
            notes = {name: json.loads(text) for name, text in file.metadata().items()}
        tensors = load_file(path)
        pairs = tuple(Pair(*sides) for sides in notes["pairs"])
        if pairs != run.snapshots.pairs:
            raise ValueError("the saved run watched other sentence pairs")
        run.training.restore(tensors, notes["run"])
        run.history = notes["history"]
        run.snapshots = replace(
            run.snapshots,
            moments=tuple(
                Snapshot(
                    update,
                    tuple(tensors[_name(update, index)].numpy() for index in range(len(pairs))),
                    tuple(log_probabilities),
                    tuple(translations),
                )
                for update, log_probabilities, translations in notes["moments"]
            ),
        )
    except (SafetensorError, KeyError, TypeError, AttributeError, RuntimeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def _name(update: int, index: int) -> str:
    return f"snapshot.{update}.{index}"


def _told(snapshots: Snapshots) -> list[tuple[int, tuple[float, ...], tuple[str, ...]]]:
    return [(moment.update, moment.log_probabilities, moment.translations) for moment in snapshots.moments]
