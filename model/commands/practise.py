"""`practise`: train a network on a task of numbers, with sequences sampled at random, and write a model folder."""

import argparse
import shutil
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from regard.model.cells import CELLS
from regard.model.commands.command_line import tell, updates_bar
from regard.model.commands.train import admit, take_place
from regard.model.files import alone, how_to_continue, run_beside
from regard.model.input_error import InputError
from regard.model.synthetic.setup import ATTENTIONS, LIMITS, NETWORKS, Setup
from regard.model.synthetic.tasks import TASKS
from regard.model.synthetic.trainer import Practice
from regard.model.training.trainer import keep_freed_memory
from regard.model.transformer.attention import POSITIONS

MEANING = {
    "longest": "most numbers in a sequence",
    "shortest": "fewest numbers in a sequence",
    "symbols": "different numbers, from 0",
    "hidden": "components of the decoder's state, or of a Transformer's vectors",
    "heads": "heads in each attention of a Transformer",
    "layers": "layers of a Transformer's encoder, and of its decoder",
    "teacher_forcing": "probability that a step is fed the true token rather than the model's own",
    "rate": "step size of an update",
    "batch": "sequences per update",
    "updates": "updates at most; the run ends when 99%% of the held-out sequences are exact",
    "seed": "seed of the first weights and of the sequences",
}
CHOICES = {
    "task": ("", TASKS),
    "network": ("", NETWORKS),
    "cell": ("of a recurrent network; ", CELLS),
    "attention": ("of a recurrent network; ", ATTENTIONS),
    "positions": ("of a Transformer, which cannot see the order of its input without them; ", POSITIONS),
}
SAVED = 250  # updates between two saves of the run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    usual = Setup()
    for name, (about, choices) in CHOICES.items():
        parser.add_argument(f"--{name}", choices=choices, help=f"{about}{getattr(usual, name)} by default")
    for name, (low, high) in LIMITS.items():
        value = getattr(usual, name)
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=type(value),
            help=f"{MEANING[name]}: {low:g} to {high:.10g} ({value})",
        )
    parser.add_argument("--out", type=Path, required=True, help="folder of the finished model")
    parser.add_argument("--sweep", action="store_true", help="measure every length, also beyond those trained on")
    parser.epilog = (
        "The default takes less than half a minute; the shipped models of numbers took 7 to 14 minutes each. A stopped "
        "run continues when the same command is given again; it is kept beside the folder of the model, in OUT.run."
    )


def run(arguments: argparse.Namespace) -> None:
    given = {field.name: getattr(arguments, field.name) for field in fields(Setup)}
    chosen = {name: value for name, value in given.items() if value is not None}
    setup = Setup(**chosen)
    for name in chosen:
        if name != "network" and name not in setup.options():
            raise InputError(f"--{name} is given, which a {setup.network} network does not have")
    admit(arguments.out)
    keep_freed_memory()
    kept = run_beside(arguments.out)
    try:
        with alone(kept):
            _trained(Practice(setup), kept, arguments)
    except KeyboardInterrupt:
        tell(f"stopped; {how_to_continue(kept)}")
        with suppress(OSError):
            kept.parent.rmdir()  # if nothing was saved
        raise


def _trained(practice: Practice, kept: Path, arguments: argparse.Namespace) -> None:
    """Resume or start the run and train it into a model folder."""
    if kept.exists():
        practice.restore(kept)
        tell(f"continuing from {kept}, after update {practice.update:,}")
    with updates_bar(practice.setup.updates, practice.update) as bar:
        for progress in practice.run():
            bar.update()
            exact = next((note.exact for note in reversed(practice.notes) if note.measured), 0.0)
            bar.set_postfix_str(f"loss {progress.loss:.3f}, exact {exact:.1%}", refresh=False)
            if progress.update % SAVED == 0 or progress.finished:
                practice.save(kept)
    finished = kept.parent / arguments.out.name
    shutil.rmtree(finished, ignore_errors=True)
    practice.finish(finished, arguments.out, arguments.sweep)
    take_place(finished, arguments.out)
    tell(f"{practice.finished}: {arguments.out} is now a model")
