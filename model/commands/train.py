"""`train`: turn parallel text into a finished model folder, in one process or several that `torchrun` starts."""

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import torch

from regard.model.commands.train_arguments import add_arguments, check
from regard.model.commands.train_data import Text, prepare, read_text
from regard.model.commands.train_export import admit, admit_averaged, finish
from regard.model.commands.train_updates import train
from regard.model.files import alone, check_writable, how_to_continue, run_beside
from regard.model.input_error import InputError
from regard.model.linear import SETTING as THREADS
from regard.model.training.checkpointing import kept_tokenizer, restore_run
from regard.model.training.distributed import Crew, DesertedError, joined
from regard.model.training.estimate import estimate, fastest_threads
from regard.model.training.trainer import Training

__all__ = ["add_arguments", "run"]


def run(arguments: argparse.Namespace, read: Callable[[argparse.Namespace, Crew], Text] = read_text) -> None:
    """Train on the text that `read` returns."""
    kept = arguments.run or run_beside(arguments.out)
    try:
        with _terminable(), joined() as crew:
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


def _run(
    arguments: argparse.Namespace, kept: Path, crew: Crew, read: Callable[[argparse.Namespace, Crew], Text]
) -> None:
    check(arguments)
    crew.first(lambda: admit(arguments.out))
    crew.first(lambda: admit_averaged(arguments.average or (), kept))
    text = crew.together(lambda: read(arguments, crew))
    _same_everywhere(text, crew)
    learned = crew.first(lambda: kept_tokenizer(kept, arguments.vocabulary))
    unfinished, tokenizer = prepare(arguments, text, crew, learned)
    if crew.first(kept.exists):
        restore_run(unfinished, kept)
        crew.tell(f"continuing from {kept}, after update {unfinished.training.update:,}")
    _use_fastest_threads(arguments, unfinished.training)
    for line in estimate(unfinished.training).report():
        crew.tell(line)
    if arguments.dry_run:
        crew.first(lambda: _check_room(arguments.out, kept))
        crew.tell("nothing is trained or written because of --dry-run")
        return
    crew.first(lambda: _make_room(arguments.out, kept))
    with ExitStack() as held:
        crew.first(lambda: [held.enter_context(alone(path)) for path in (kept, arguments.out)])
        train(unfinished, tokenizer, arguments.save_every, kept)
        crew.tell(f"{unfinished.training.finished()}; measuring the model on what was held out")
        if crew.leads:
            finish(unfinished, tokenizer, text, arguments)
    crew.tell(f"{arguments.out} is now a model; {kept.parent} is no longer needed")


def _use_fastest_threads(arguments: argparse.Namespace, training: Training) -> None:
    """Compute with one thread or all, whichever is faster, where neither the command nor the environment says."""
    if arguments.threads is None and THREADS not in os.environ and training.device.type == "cpu":
        arguments.threads = fastest_threads(training)
        torch.set_num_threads(arguments.threads)
        training.crew.tell(f"the fastest number of threads here is {arguments.threads}; --threads sets another")


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


def _check_room(out: Path, kept: Path) -> None:
    """Check that a training could write here, and leave nothing behind. Raises InputError if it could not."""
    for path in (out.absolute(), kept.absolute()):
        place = next(folder for folder in path.parents if folder.is_dir())
        try:
            with tempfile.TemporaryDirectory(dir=place):
                pass
        except OSError as error:
            raise InputError(f"{path}: no file can be written there ({error.strerror})") from error


@contextmanager
def _terminable() -> Iterator[None]:
    """Treat a request to end (SIGTERM) like Ctrl+C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
