"""`axes`: measure the principal axes of models, on which the fingerprints on screen are drawn."""

import argparse
from pathlib import Path

from tqdm import tqdm

from regard.model.analysis.axes_measurement import SENTENCES, evenly, measure_folder
from regard.model.checkpoint import named_folder
from regard.model.commands.command_line import results_folder, tell
from regard.model.data.corpus import read_lines
from regard.model.input_error import InputError
from regard.model.principal_axes import AXES
from regard.model.readable import CHARACTERS
from regard.model.words import normalise

FEWEST = 100  # sentences


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("models", nargs="+", type=named_folder, metavar="DIR", help="folder or name of a shipped model")
    about = f"at least {FEWEST} different sentences in the source language, one per line; text after a tab is ignored"
    parser.add_argument("--text", type=Path, required=True, metavar="FILE", help=about)
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for the axes of one model (default: its own)")
    parser.epilog = (
        f"Translates {SENTENCES:,} evenly spaced sentences of the text, and writes {AXES} into each folder, or --out "
        "for a model that comes with Regard. The file belongs to the weights that it was measured with."
    )


def run(arguments: argparse.Namespace) -> None:
    sentences = read_sentences(arguments.text)
    if arguments.out and arguments.models[1:]:
        raise InputError(f"--out takes the axes of one model; there are {len(arguments.models)}")
    places = [results_folder(folder, arguments.out) for folder in arguments.models]
    without: list[str] = []
    for folder, place in zip(arguments.models, places, strict=True):
        axes = measure_folder(folder, evenly(sentences), tqdm, place)
        if not axes:
            without.append(str(folder))
            continue
        kinds = ", ".join(f"{kind} {one.share:.0%}" for kind, one in axes.items())
        tell(f"{folder}: share of the variance that the axes keep: {kinds}")
    if without:
        raise InputError(
            f"{', '.join(without)}: not measured; only recurrent networks have axes, a Transformer has none"
        )


def read_sentences(path: Path) -> list[str]:
    """Return the text before the first tab of each line, without repetitions, in the file's order. Raises InputError
    if they are too few."""
    texts = (normalise(line.partition("\t")[0][:CHARACTERS]) for line in read_lines(path))
    sentences = list(dict.fromkeys(filter(None, texts)))
    if len(sentences) < FEWEST:
        raise InputError(f"{path} has {len(sentences)} different sentences; axes take at least {FEWEST}")
    return sentences
