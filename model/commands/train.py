"""`train`: turn parallel text into a finished model folder, in one process or several that `torchrun` starts.

Files are checked, split and tokenised; the network is trained and measured; its folder appears complete or not at all.
"""

import argparse
import hashlib
import math
import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch

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
from regard.model.commands.command_line import updates_bar
from regard.model.commands.evaluate import TestSet, measure_quickly
from regard.model.commands.train_arguments import add_arguments, check, complete, config, given, languages
from regard.model.data.corpus import (
    TRAINING_TOKENS,
    Bounds,
    Corpus,
    Pair,
    Recorded,
    Split,
    bounds,
    read_table,
    recorded,
    split,
)
from regard.model.data.corpus import check as check_text
from regard.model.evaluation.translation_quality import bleu_tokenizer
from regard.model.files import alone, check_writable, how_to_continue, run_beside
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer, train_tokenizer
from regard.model.training.checkpointing import (
    TrainingRun,
    average,
    kept_tokenizer,
    restore_run,
    save_run,
    warm_start,
)
from regard.model.training.distributed import Crew, DesertedError, joined, own_device
from regard.model.training.snapshots import SNAPSHOTS, Snapshots, look, moments, watched
from regard.model.training.trainer import Options, Training, estimate
from regard.model.transformer.checkpoint import build, load_any

__all__ = ["add_arguments", "run"]
NEEDED = 100  # usable pairs, of which each held-out part gets about ten
SHOWN = 20  # rare characters that a message names
FEW = 10_000  # below this, a model learns its sentences by heart rather than the language


@dataclass(frozen=True)
class Text:
    """The sentence pairs of a training and their sources."""

    program: ClassVar[str] = "regard"  # that trains with such text
    paths: tuple[Path, ...]
    files: tuple[Recorded, ...]
    skipped: dict[str, int]  # skipped lines, by reason
    bounds: Bounds
    parts: Split

    def corpus(self, tokenizer: Tokenizer) -> Corpus:
        """Return the corpus to learn from."""
        return Corpus(self.parts.train, tokenizer)

    def origins(self) -> dict[str, int]:
        """Return the number of an epoch's pairs by origin: text, or a way of generating them."""
        return {"text": len(self.parts.train)}

    def fingerprint(self, tokenizer: Tokenizer) -> dict[str, str]:
        """Return the values that must not change when a run is resumed: files, pairs taken from them, vocabulary."""
        digests = {f"file {number}, {file.name}": file.sha256 for number, file in enumerate(self.files, start=1)}
        pairs = [*self.parts.train, *self.parts.validation, *self.parts.test]
        vocabulary = [tokenizer.token(index) for index in range(len(tokenizer))]
        return digests | {"sentence pairs": _digest(pairs), "vocabulary": _digest(vocabulary)}


def read_text(arguments: argparse.Namespace, crew: Crew) -> Text:
    """Check the files, report the findings, and split the pairs. Raises InputError if that fails."""
    if len(arguments.source) != len(arguments.target):
        counts = f"{len(arguments.source)} --source and {len(arguments.target)} --target files"
        raise InputError(f"{counts}; give them in pairs")
    twos = list(zip(arguments.source, arguments.target, strict=True))
    if not twos and not arguments.table:
        raise InputError("no text to learn from; give --table, or --source and --target")
    crew.tell("checking the text")
    texts = check_text(arguments.table, twos, arguments.keep_repeated, languages(arguments)[0])
    for line in (line for text in texts for line in text.report()):
        crew.tell(line)
    pairs = [pair for text in texts for pair in text.pairs]
    apart = bounds(len(pairs))
    parts = split(pairs, apart)
    sizes = len(parts.train), len(parts.validation), len(parts.test)
    divided = "{:,} pairs for training, {:,} for validation, {:,} held out to measure the model".format(*sizes)
    if not all(sizes):
        raise InputError(f"{divided}; give at least {NEEDED} usable pairs with different source sentences")
    crew.tell(divided)
    if len(parts.train) < FEW:
        crew.tell(f"that is few: below some {FEW:,} pairs a model learns its sentences by heart and little else")
    files = [*arguments.table, *arguments.source, *arguments.target]
    skipped = sum((Counter({why: len(lines) for why, lines in text.skipped.items()}) for text in texts), Counter())
    return Text(tuple(files), tuple(map(recorded, files)), dict(skipped), apart, parts)


def prepare(arguments: argparse.Namespace, text: Text, crew: Crew, learned: str = "") -> tuple[TrainingRun, Tokenizer]:
    """Return a run before its first update. Fills in the numbers that `arguments` leaves open.

    `learned` is the vocabulary of a saved run, which is reused.
    """
    arguments.languages, how = languages(arguments)
    pairs = read_table(arguments.watch, arguments.languages) if arguments.watch else watched(text.parts.validation)
    snapshots = Snapshots(tuple(pairs), ())
    crew.tell(f"languages: {' and '.join(arguments.languages)}, {how}")
    tokenizer = crew.first(lambda: _tokenizer(arguments, text.parts, crew, learned))
    for line in _language_messages(tokenizer, text.parts):
        crew.tell(line)
    crew.tell("turning the sentences into tokens")
    train, validation = text.corpus(tokenizer), Corpus(text.parts.validation, tokenizer)
    left_out = train.left_out + validation.left_out
    if left_out:
        crew.tell(f"{left_out:,} more pairs are skipped, because a side has over {TRAINING_TOKENS} tokens")
    if not len(train) or not len(validation):
        raise InputError(
            f"no side may have over {TRAINING_TOKENS} tokens; too few pairs are left for training and validation"
        )
    crew.tell(complete(arguments, train))
    options = Options(**{field.name: getattr(arguments, field.name) for field in fields(Options)})
    torch.manual_seed(arguments.seed)
    network = build(config(arguments, len(tokenizer), tokenizer.languages))
    if arguments.earlier:
        warm_start(network, load_any(arguments.earlier))
    training = Training(network.to(own_device()), train, validation, options, crew)
    run = TrainingRun(training, snapshots, text.fingerprint(tokenizer))
    run.tokenizer, run.vocabulary = tokenizer.to_json(), arguments.vocabulary
    return run, tokenizer


def _tokenizer(arguments: argparse.Namespace, parts: Split, crew: Crew, learned: str) -> Tokenizer:
    chosen = arguments.languages
    if arguments.tokenizer:
        return Tokenizer.load(arguments.tokenizer, chosen)
    if learned:
        crew.tell("the vocabulary is that of the saved run")
        return Tokenizer.from_json(learned, chosen)
    sides = zip(chosen, zip(*parts.train, strict=True), strict=True)
    tokenizer = train_tokenizer(sides, chosen, arguments.vocabulary)
    fewer = f", {arguments.vocabulary:,} were asked for" if len(tokenizer) != arguments.vocabulary else ""
    crew.tell(f"a vocabulary of {len(tokenizer):,} tokens is learned{fewer}")
    return tokenizer


def _language_messages(tokenizer: Tokenizer, parts: Split) -> Iterator[str]:
    """Yield messages: characters spelled in bytes, and how BLEU will divide words."""
    texts = [text for pair in parts.train for text in pair]
    counts, rare = Counter("".join(texts)), tokenizer.spelled(texts)
    if rare:
        some = " ".join(sorted(rare, key=lambda character: (-rare[character], character))[:SHOWN])
        share = rare.total() / counts.total()
        yield f"{len(rare):,} rare characters, {share:.2%} of the text, are spelled in bytes: {some}"
    yield f"BLEU divides the translations as sacrebleu's {bleu_tokenizer(tokenizer.languages[1])} does"


def _digest(items: Sequence[Pair] | Sequence[str]) -> str:
    digest = hashlib.sha256()
    for item in items:
        digest.update(repr(item).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def run(arguments: argparse.Namespace, read: Callable[[argparse.Namespace, Crew], Text] = read_text) -> None:
    """Train on the text that `read` returns."""
    kept = arguments.run or run_beside(arguments.out)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # a request to end is like Ctrl+C
    try:
        with joined() as crew:
            try:
                _run(arguments, kept, crew, read)
            except KeyboardInterrupt:
                crew.tell(f"stopped; {how_to_continue(kept)}")
                raise
            except ValueError:
                if crew.leads:
                    raise
                raise SystemExit(1) from None  # the first process reports the reason
    except DesertedError as error:
        print(f"regard train: {error}; {how_to_continue(kept)}", file=sys.stderr, flush=True)
        os._exit(1)  # what is left of PyTorch's exchange would wait half an hour for the lost process
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(
    arguments: argparse.Namespace, kept: Path, crew: Crew, read: Callable[[argparse.Namespace, Crew], Text]
) -> None:
    check(arguments)
    crew.first(lambda: admit(arguments.out))
    for path in (arguments.out.absolute(), kept.absolute()) if arguments.dry_run else ():
        place = next(folder for folder in path.parents if folder.is_dir())
        crew.first(tempfile.TemporaryDirectory(dir=place).cleanup)  # an OSError says that nothing can be written there
    crew.first(lambda: admit_averaged(arguments.average or (), kept))
    text = crew.together(lambda: read(arguments, crew))
    _same_everywhere(text, crew)
    learned = crew.first(lambda: kept_tokenizer(kept, arguments.vocabulary))
    unfinished, tokenizer = prepare(arguments, text, crew, learned)
    if crew.first(kept.exists):
        restore_run(unfinished, kept)
        crew.tell(f"continuing from {kept}, after update {unfinished.training.update:,}")
    for line in estimate(unfinished.training):
        crew.tell(line)
    if arguments.dry_run:
        crew.tell("nothing is trained or written because of --dry-run")
        return
    crew.first(lambda: _make_room(arguments.out, kept))
    with ExitStack() as held:
        crew.first(lambda: [held.enter_context(alone(path)) for path in (kept, arguments.out)])
        train(unfinished, tokenizer, arguments.save_every, kept)
        crew.tell(f"{unfinished.training.finished()}; measuring the model on what was held out")
        if crew.leads:
            finish(unfinished, tokenizer, text, arguments)
    crew.tell(f"{arguments.out} is now a model; {_what_next(unfinished, text, arguments, kept)}")


def _what_next(run: TrainingRun, text: Text, arguments: argparse.Namespace, kept: Path) -> str:
    """Return what to do after a training: where the validation loss was still falling, the command that goes on."""
    training, losses = run.training, [row["validation_loss"] for row in run.history[-2:]]
    if training.waited or training.update < training.options.updates or arguments.average or len(losses) < 2:
        return f"{kept.parent} is no longer needed"
    out = arguments.out.with_name(f"{arguments.out.absolute().name}-longer")
    options = vars(arguments) | {"updates": 2 * training.options.updates, "out": out}
    command = shlex.join([*_launcher(text, training), "train", *given(options, whole=True), "--run", str(kept)])
    falling = f"the validation loss was still falling, from {losses[0]:.3f} to {losses[1]:.3f}"
    return f"{falling}; to go on with twice the updates: {command}"


def _same_everywhere(text: Text, crew: Crew) -> None:
    """Check that all processes have read the same files. Raises InputError if not."""
    for rank, files in enumerate(crew.gather(text.files)):
        other = [file.name for file, mine in zip(files, text.files, strict=False) if file.sha256 != mine.sha256]
        if other:
            raise InputError(f"process {rank} has another {other[0]}; all machines must have the same text")


def _make_room(out: Path, kept: Path) -> None:
    """Create the folders of the training and its model."""
    for folder in (out.absolute().parent, kept.absolute().parent):
        folder.mkdir(parents=True, exist_ok=True)
        check_writable(folder)


def admit(out: Path) -> None:
    """Check that a model can be written to the folder. Raises InputError if it has a model or other files."""
    if (out / WEIGHTS).exists():
        raise InputError(f"{out} already holds a model; choose another --out, or remove it")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} holds something else; --out must be a folder that is new or empty")


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


def train(run: TrainingRun, tokenizer: Tokenizer, save_every: int, kept: Path) -> None:
    """Make the remaining updates."""
    training, pairs = run.training, run.snapshots.pairs
    looked = moments(training.options.updates)
    began_tokens, began_seconds = training.tokens, training.seconds
    leads = training.crew.leads
    with updates_bar(training.options.updates, training.update, leads) as bar:
        for progress in training.run():
            run.losses.append(progress.loss)
            bar.update()
            speed = (progress.tokens - began_tokens) / max(progress.seconds - began_seconds, 1e-9)
            validation = "" if math.isnan(progress.validation) else f"validation {progress.validation:.3f}, "
            speeds = f"loss {progress.loss:.3f}, {validation}{speed:,.0f} tokens/s"
            bar.set_postfix_str(speeds, refresh=False)
            if progress.validated:
                run.history.append(history_row(run, progress.rate))
                run.losses = []
            if leads and (progress.update in looked or progress.finished):
                run.snapshots = run.snapshots.with_moment(look(progress.network, tokenizer, pairs, progress.update))
            if progress.update % save_every == 0 or progress.finished:
                save_run(run, kept)


def history_row(run: TrainingRun, rate: float) -> dict[str, int | float]:
    """Return the row of `history.csv` after a validation; the loss is the mean since the row before."""
    training, losses = run.training, run.losses or [math.nan]
    return {
        "update": training.update,
        "epoch": training.epoch,
        "tokens": training.tokens,
        "seconds": round(training.seconds, 1),
        "rate": rate,
        "loss": round(math.fsum(losses) / len(losses), 5),
        "validation_loss": round(training.latest, 5),
    }


def finish(run: TrainingRun, tokenizer: Tokenizer, text: Text, arguments: argparse.Namespace) -> None:
    """Write the model with its records into a hidden folder, measure it, and move it all into place."""
    training, record = run.training, _record(arguments, text, run.training)
    if arguments.average:
        record["averaged"] = average(training.network, arguments.average)
        last = look(training.network, tokenizer, run.snapshots.pairs, training.update)
        kept = tuple(moment for moment in run.snapshots.moments if moment.update < training.update)
        run.snapshots = replace(run.snapshots, moments=(*kept, last))
    _complete_history(run, renew=bool(arguments.average))
    hidden = arguments.out.absolute().with_name(f".{arguments.out.absolute().name}.partial")
    shutil.rmtree(hidden, ignore_errors=True)
    folder = hidden / arguments.out.absolute().name
    folder.mkdir(parents=True)
    save(training.network, tokenizer, folder)
    write_history(run.history, folder / HISTORY)
    snapshots, earlier = run.snapshots, arguments.earlier
    if earlier and (earlier / SNAPSHOTS).exists() and (before := Snapshots.load(earlier / SNAPSHOTS)):
        snapshots = snapshots.after(before) if snapshots.pairs == before.pairs else snapshots
    snapshots.save(folder / SNAPSHOTS)
    write_record(record, folder / TRAINING)
    measure_folder(folder, evenly([pair.source for pair in text.parts.train]))
    write_record(measure_quickly(load_any(folder), TestSet(list(text.paths), text.parts.test)), folder / SCORES_FILE)
    write_card(folder)
    take_place(folder, arguments.out)
    hidden.rmdir()


def _complete_history(run: TrainingRun, *, renew: bool) -> None:
    """Add the row of the last update if it had no validation; `renew` replaces a row of other parameters."""
    training, rows = run.training, run.history
    if rows and rows[-1]["update"] == training.update:
        if not renew:
            return
        rows.pop()
    training.validate()
    rows.append(history_row(run, replace(training.options, updates=training.planned).rate_at(training.update)))


def _launcher(text: Text, training: Training) -> list[str]:
    """Return the beginning of the command that trains with such a text in as many processes."""
    if (size := training.crew.size) > 1:
        return ["torchrun", f"--nproc-per-node={size}", "-m", text.program]
    return ["regard"] if text.program == "regard" else ["python", "-m", text.program]


def _record(arguments: argparse.Namespace, text: Text, training: Training) -> dict[str, Any]:
    """Return `training.json`: text, options and software of the training, without this machine's folders."""
    parts, lengths = text.parts, training.train.lengths[:, 0] - 1  # without `</s>`
    shares = {"median": 50, "99th percentile": 99, "longest": 100}
    pairs = {"for training": len(parts.train), "for validation": len(parts.validation), "held out": len(parts.test)}
    return {
        "format": FORMAT,
        "command": shlex.join([*_launcher(text, training), "train", *given(vars(arguments))]),
        "files": [asdict(file) for file in text.files],
        "source_tokens": {name: int(np.percentile(lengths, share, method="higher")) for name, share in shares.items()},
        "pairs": {**pairs, "left out as too long": training.train.left_out + training.validation.left_out},
        "skipped_lines": text.skipped,
        "epoch": text.origins(),
        "held_out_of_1000": text.bounds.test,
        "options": asdict(training.options),
        "began_with": began_with(arguments.earlier),
        "processes": training.crew.size,
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
