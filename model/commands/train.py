"""From parallel text to a finished model folder."""

import argparse
import csv
import json
import math
import shlex
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from model.card import FORMAT, TRAINING, write_card
from model.card import HISTORY as HISTORY_FILE
from model.cells import CELLS
from model.checkpoint import save
from model.config import INITIAL_STATES, Config
from model.corpus import Corpus, Pair, Split, read_table, read_two, split
from model.decoder import WIRINGS
from model.runs import Run, restore_run, save_run
from model.scores import SCORES
from model.seq2seq import Seq2Seq
from model.snapshots import SNAPSHOTS, Snapshots, look, moments, watched
from model.sources import recorded
from model.tokenizer import Tokenizer, train_tokenizer
from model.training import PRECISIONS, Options, Progress, Training, fastest_precision

HISTORY: tuple[str, ...] = ("update", "epoch", "tokens", "seconds", "rate", "loss", "validation_loss")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    data = parser.add_argument_group("data (both kinds may be given, each more than once; .gz is read too)")
    data.add_argument("--table", type=Path, action="append", default=[], metavar="TSV", help="source TAB target lines")
    data.add_argument("--source", type=Path, action="append", default=[], help="source sentences, one a line")
    data.add_argument("--target", type=Path, action="append", default=[], help="their translations, line by line")
    data.add_argument("--languages", nargs=2, default=("en", "fr"), metavar=("SOURCE", "TARGET"))
    data.add_argument("--tokenizer", type=Path, help="use this tokenizer.json instead of learning one")
    data.add_argument("--vocabulary", type=int, default=8000, help="entries of a learned tokenizer (%(default)s)")
    data.add_argument(
        "--watch",
        type=Path,
        metavar="TSV",
        help="pairs whose attention is recorded as the model learns (default: a few of the validation part)",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the finished model")
    parser.add_argument("--run", type=Path, help="file of the unfinished run (default: OUT.run/state.safetensors)")
    network = parser.add_argument_group("network")
    network.add_argument("--score", choices=SCORES, default=Config.score)
    network.add_argument("--wiring", choices=WIRINGS, default=Config.wiring)
    network.add_argument("--cell", choices=CELLS, default=Config.cell)
    network.add_argument("--initial-state", choices=INITIAL_STATES, default=Config.initial_state)
    network.add_argument("--input-feeding", action="store_true")
    for name in ("embedding", "encoder_state", "state"):
        network.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(Config, name))
    network.add_argument("--dropout", type=float, default=Config.dropout)
    training = parser.add_argument_group("training")
    training.add_argument("--updates", type=int, required=True)
    for name in ("batch_tokens", "warmup", "seed", "validate_every", "patience"):
        training.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(Options, name))
    for name in ("rate", "decay", "smoothing", "clip"):
        training.add_argument(f"--{name}", type=float, default=getattr(Options, name))
    training.add_argument("--precision", choices=PRECISIONS, default=fastest_precision())
    training.add_argument("--save-every", type=int, default=500, help="updates between two saves of the run")


def run(arguments: argparse.Namespace) -> None:
    kept = arguments.run or arguments.out.with_name(arguments.out.name + ".run") / "state.safetensors"
    if (arguments.out / "model.safetensors").exists() and not kept.exists():
        raise ValueError(f"{arguments.out} already holds a model; choose another --out, or remove it")
    _tell("reading the sentence pairs")
    parts = split(_pairs(arguments))
    sizes = [f"{len(part):,}" for part in (parts.train, parts.validation, parts.test)]
    _tell(f"{sizes[0]} pairs for training, {sizes[1]} for validation, {sizes[2]} held out")
    snapshots = Snapshots(tuple(read_table(arguments.watch) if arguments.watch else watched(parts.validation)), ())
    tokenizer = _tokenizer(arguments, parts)
    _tell("turning them into tokens")
    unfinished = Run(_training(arguments, parts, tokenizer), snapshots)
    if kept.exists():
        restore_run(unfinished, kept)
    _train(unfinished, tokenizer, arguments.save_every, kept)
    save(unfinished.training.network, tokenizer, arguments.out)
    _write_history(unfinished.history, arguments.out / HISTORY_FILE)
    unfinished.snapshots.save(arguments.out / SNAPSHOTS)
    write_record(arguments, parts, unfinished.training)
    write_card(arguments.out)
    _tell(f"{arguments.out} is a model now")


def write_record(arguments: argparse.Namespace, parts: Split, training: Training) -> None:
    """`training.json`: from which text, how and with what a model was trained, without the folders of the machine."""
    files = [*arguments.table, *arguments.source, *arguments.target]
    pairs = {"for training": len(parts.train), "for validation": len(parts.validation), "held out": len(parts.test)}
    record = {
        "format": FORMAT,
        "command": shlex.join(["python", "-m", "model", "train", *_given(vars(arguments))]),
        "files": [asdict(recorded(path)) for path in files],
        "source_tokens": _lengths(training.train),
        "pairs": {**pairs, "left out as too long": training.train.left_out + training.validation.left_out},
        "options": asdict(training.options),
        "versions": {"python": python_version(), **{name: version(name) for name in ("torch", "tokenizers")}},
        "device": training.device.type,
    }
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    (arguments.out / TRAINING).write_text(text, encoding="utf-8")


def _lengths(corpus: Corpus) -> dict[str, int]:
    """How long the source sentences of the training are, in tokens without `</s>`."""
    percentiles = {"median": 50, "99th percentile": 99, "longest": 100}
    lengths = corpus.lengths[:, 0] - 1
    return {name: int(np.percentile(lengths, share, method="higher")) for name, share in percentiles.items()}


def _given(options: dict[str, Any]) -> list[str]:
    """The options as one types them, those left at their default too; of an absolute path the name alone."""
    typed = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if name in ("command", "run") or value is None or value is False:
            continue
        if value is True:
            typed.append(flag)
        elif name == "languages":
            typed += [flag, *value]
        else:
            for one in value if isinstance(value, list) else [value]:
                typed += [flag, one.name if isinstance(one, Path) and one.is_absolute() else str(one)]
    return typed


def _pairs(arguments: argparse.Namespace) -> list[Pair]:
    if len(arguments.source) != len(arguments.target):
        counts = f"{len(arguments.source)} --source and {len(arguments.target)} --target files"
        raise ValueError(f"{counts}; give them in pairs")
    pairs = [pair for path in arguments.table for pair in read_table(path)]
    for source, target in zip(arguments.source, arguments.target, strict=True):
        pairs += read_two(source, target)
    if not pairs:
        raise ValueError("no sentence pairs; give --table, or --source and --target")
    return pairs


def _tokenizer(arguments: argparse.Namespace, parts: Split) -> Tokenizer:
    languages = (arguments.languages[0], arguments.languages[1])
    if arguments.tokenizer:
        return Tokenizer.load(arguments.tokenizer, languages)
    _tell(f"learning a vocabulary of {arguments.vocabulary:,} tokens")
    sides = zip(languages, zip(*parts.train, strict=True), strict=True)
    return train_tokenizer(sides, languages, arguments.vocabulary)


def _training(arguments: argparse.Namespace, parts: Split, tokenizer: Tokenizer) -> Training:
    torch.manual_seed(arguments.seed)
    config = Config(
        len(tokenizer),
        tokenizer.languages,
        arguments.score,
        arguments.wiring,
        arguments.cell,
        arguments.embedding,
        arguments.encoder_state,
        arguments.state,
        arguments.input_feeding,
        arguments.initial_state,
        arguments.dropout,
    )
    options = Options(
        arguments.updates,
        arguments.batch_tokens,
        arguments.rate,
        arguments.warmup,
        arguments.decay,
        arguments.smoothing,
        arguments.clip,
        arguments.seed,
        arguments.validate_every,
        arguments.patience,
        arguments.precision,
    )
    network = Seq2Seq(config).to("cuda" if torch.cuda.is_available() else "cpu")
    return Training(network, Corpus(parts.train, tokenizer), Corpus(parts.validation, tokenizer), options)


def _train(run: Run, tokenizer: Tokenizer, save_every: int, kept: Path) -> None:
    training, pairs = run.training, run.snapshots.pairs
    bar = tqdm(total=training.options.updates, initial=training.update, unit="update", smoothing=0.02)
    losses: list[float] = []
    looked = moments(training.options.updates)
    began_tokens, began_seconds = training.tokens, training.seconds
    for progress in training.run():
        losses.append(progress.loss)
        bar.update()
        speed = (progress.tokens - began_tokens) / max(progress.seconds - began_seconds, 1e-9)
        bar.set_postfix_str(
            f"loss {progress.loss:.3f}, validation {progress.validation:.3f}, {speed:,.0f} tokens/s", refresh=False
        )
        if progress.validated:
            run.history.append(_row(progress, losses))
            losses = []
        if progress.update in looked or progress.finished:
            run.snapshots = run.snapshots.with_moment(look(progress.network, tokenizer, pairs, progress.update))
        if progress.update % save_every == 0 or progress.finished:
            save_run(run, kept)
    bar.close()


def _row(progress: Progress, losses: list[float]) -> dict[str, int | float]:
    values = (
        progress.update,
        progress.epoch,
        progress.tokens,
        round(progress.seconds, 1),
        progress.rate,
        round(math.fsum(losses) / len(losses), 5),
        round(progress.validation, 5),
    )
    return dict(zip(HISTORY, values, strict=True))


def _write_history(history: list[dict[str, int | float]], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, HISTORY)
        writer.writeheader()
        writer.writerows(history)


def _tell(message: str) -> None:
    print(message, file=sys.stderr)
