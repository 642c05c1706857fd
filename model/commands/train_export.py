"""Turn a finished run into a model folder, which appears complete or not at all."""

import argparse
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from regard.model.analysis.axes_measurement import evenly, measure_folder
from regard.model.cards.card import write_card
from regard.model.cards.record_files import (
    FORMAT,
    HISTORY,
    SCORES_FILE,
    TRAINING,
    history,
    training_record,
    versions,
    write_history,
    write_record,
)
from regard.model.checkpoint import WEIGHTS, fingerprint, save
from regard.model.commands.evaluate_test import TestSet, measure_quickly
from regard.model.commands.train_arguments import given
from regard.model.commands.train_data import Text
from regard.model.commands.train_updates import history_row
from regard.model.data.corpus import Corpus
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer
from regard.model.training.averaging import average
from regard.model.training.checkpointing import TrainingRun
from regard.model.training.snapshots import SNAPSHOTS, Snapshots, look
from regard.model.training.trainer import Training
from regard.model.transformer.checkpoint import load_any

NAMED = 3  # other files that a message names


def admit(out: Path) -> None:
    """Check that a model can be written to the folder. Raises InputError if it has a model or other files."""
    if (out / WEIGHTS).exists():
        raise InputError(f"{out} already holds a model; choose another --out, or remove it")
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; --out must be a folder that is new or empty")
    others = sorted(path.name for path in out.iterdir()) if out.exists() else []
    if others:
        named = ", ".join(others[:NAMED]) + ", …" * (len(others) > NAMED)
        raise InputError(f"{out} holds other files ({named}); --out must be a folder that is new or empty")


def take_place(folder: Path, out: Path) -> None:
    """Move a finished model folder to `out`. Raises InputError if that has been filled in the meantime."""
    admit(out)
    if out.exists():
        out.rmdir()
    folder.rename(out)


def admit_averaged(paths: Sequence[Path], kept: Path) -> None:
    """Check that the saves and models to average exist, except in the folder of this run, where saves are yet to come.
    Raises InputError naming one that does not."""
    for path in paths:
        there = (path / WEIGHTS if path.is_dir() else path).exists()
        if not there and not path.resolve().is_relative_to(kept.resolve().parent):
            raise InputError(
                f"--average {path}: no such save or model; only copies in {kept.parent} may be missing when it begins"
            )


def finish(run: TrainingRun, tokenizer: Tokenizer, text: Text, arguments: argparse.Namespace) -> None:
    """Write the model with its records, measure it, and move it all into place."""
    averaged = _averaged(run, tokenizer, arguments)
    _complete_history(run, renew=bool(averaged))
    with _appearing(arguments.out) as folder:
        save(run.training.network, tokenizer, folder)
        write_history(run.history, folder / HISTORY)
        _snapshots(run.snapshots, arguments.earlier).save(folder / SNAPSHOTS)
        write_record(_record(arguments, text, run.training) | averaged, folder / TRAINING)
        measure_folder(folder, evenly([pair.source for pair in text.parts.train]))
        write_record(
            measure_quickly(load_any(folder), TestSet(list(text.paths), text.parts.test)), folder / SCORES_FILE
        )
        write_card(folder)


def _complete_history(run: TrainingRun, *, renew: bool) -> None:
    """Add the row of the last update if it had no validation; `renew` replaces a row of other parameters."""
    training, rows = run.training, run.history
    if rows and rows[-1]["update"] == training.update:
        if not renew:
            return
        rows.pop()
    training.validate()
    rows.append(history_row(run, replace(training.options, updates=training.planned).rate_at(training.update)))


def _averaged(run: TrainingRun, tokenizer: Tokenizer, arguments: argparse.Namespace) -> dict[str, Any]:
    """Replace the last parameters by the requested mean; return its entry in `training.json`."""
    if not arguments.average:
        return {}
    averaged = average(run.training.network, arguments.average)
    last = look(run.training.network, tokenizer, run.snapshots.pairs, run.training.update)
    kept = tuple(moment for moment in run.snapshots.moments if moment.update < run.training.update)
    run.snapshots = replace(run.snapshots, moments=(*kept, last))
    return {"averaged": asdict(averaged)}


def _snapshots(own: Snapshots, earlier: Path | None) -> Snapshots:
    """Return snapshots over all updates of the weights, beginning with those of an earlier model's run."""
    if earlier and (earlier / SNAPSHOTS).exists():
        before = Snapshots.load(earlier / SNAPSHOTS)
        return own.after(before) if own.pairs == before.pairs else own
    return own


@contextmanager
def _appearing(out: Path) -> Iterator[Path]:
    """Yield a hidden folder of the same name, which replaces `out` once all is written."""
    hidden = out.absolute().with_name(f".{out.absolute().name}.partial")
    shutil.rmtree(hidden, ignore_errors=True)
    folder = hidden / out.absolute().name
    folder.mkdir(parents=True)
    yield folder
    take_place(folder, out)
    hidden.rmdir()


def _record(arguments: argparse.Namespace, text: Text, training: Training) -> dict[str, Any]:
    """Return `training.json`: text, options and software of the training, without this machine's folders."""
    parts, size = text.parts, training.crew.size
    alone = ["regard"] if text.program == "regard" else ["python", "-m", text.program]
    launcher = ["torchrun", f"--nproc-per-node={size}", "-m", text.program] if size > 1 else alone
    pairs = {"for training": len(parts.train), "for validation": len(parts.validation), "held out": len(parts.test)}
    return {
        "format": FORMAT,
        "command": shlex.join([*launcher, "train", *given(vars(arguments))]),
        "files": [asdict(file) for file in text.files],
        "source_tokens": _lengths(training.train),
        "pairs": {**pairs, "left out as too long": training.train.left_out + training.validation.left_out},
        "skipped_lines": text.skipped,
        "epoch": text.origins(),
        "held_out_of_1000": text.bounds.test,
        "options": asdict(training.options),
        "began_with": began_with(arguments.earlier),
        "processes": size,
        "versions": versions(),
        "device": training.device.type,
        "planned_updates": training.planned,
    }


def began_with(earlier: Path | None) -> dict[str, Any] | None:
    """Describe the model whose parameters the run began with, its total updates and its own beginning; None if they
    were sampled at random."""
    if not earlier:
        return None
    before, rows = training_record(earlier).get("began_with"), history(earlier)
    updates = int(rows[-1]["update"]) + ((before or {}).get("updates") or 0) if rows else None
    name = earlier.absolute().name
    return {"name": name, "fingerprint": fingerprint(earlier), "updates": updates, "began_with": before}


def _lengths(corpus: Corpus) -> dict[str, int]:
    """Return the lengths of the training's source sentences, in tokens without `</s>`."""
    percentiles = {"median": 50, "99th percentile": 99, "longest": 100}
    lengths = corpus.lengths[:, 0] - 1
    return {name: int(np.percentile(lengths, share, method="higher")) for name, share in percentiles.items()}
