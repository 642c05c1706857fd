"""`memory`: store the states that a model met in training, count the words and tokens of the training text, and measure
what the memory is worth."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from regard.model.cards.record_files import SCORES_FILE, read_scores, write_record
from regard.model.checkpoint import AnyModel, named_folder
from regard.model.commands.command_line import put, results_folder, tell
from regard.model.data.corpus import UNKNOWN, Pair, Split, bounds, read_table, read_two, split
from regard.model.evaluation.scores_record import how_measured
from regard.model.input_error import InputError
from regard.model.memory import datastore, occurrences
from regard.model.memory.datastore import NEIGHBOURS, TEMPERATURE
from regard.model.memory.making import MEASURED, ORDINARY, make
from regard.model.transformer.checkpoint import load_any

MEGABYTES, MOST_MEGABYTES = 12, 10**6
PAIRS = 400  # held-out pairs that the recipe of the shipped models translates with the memory
HOW_MEMORY = how_measured(
    "memory", measured=MEASURED, far=1 - ORDINARY, neighbours=NEIGHBOURS, temperature=TEMPERATURE, pairs=PAIRS
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", type=named_folder, required=True, metavar="DIR", help="model folder or shipped model"
    )
    parser.add_argument(
        "--table", type=Path, action="append", default=[], metavar="TSV", help="source TAB target lines of its training"
    )
    parser.add_argument("--source", type=Path, action="append", default=[], help="source sentences, one per line")
    parser.add_argument("--target", type=Path, action="append", default=[], help="their translations, line by line")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the two files (default: your model's own)")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, help="most megabytes of the file (%(default)s)")
    parser.epilog = (
        f"Writes {datastore.MEMORY} and {occurrences.OCCURRENCES}, and the measurements into the scores.json "
        "beside them; where that is missing or of other weights, as usually with --out, they are printed. Only the "
        "training part of the text is kept: it is split as by `train`. If the sentences do not all fit, evenly spaced "
        "ones are kept. Anyone who has the file can read the sentences in it."
    )


def run(arguments: argparse.Namespace) -> None:
    check(arguments)
    model = load_any(arguments.model)
    tell("reading the text")
    parts = training_parts(arguments, model.tokenizer.languages)
    remember(model, parts, parts.train, results_folder(arguments.model, arguments.out), arguments)


def check(arguments: argparse.Namespace) -> None:
    """Check the options. Raises InputError."""
    if len(arguments.source) != len(arguments.target):
        raise InputError("--source and --target are given in pairs")
    if not (arguments.table or arguments.source):
        raise InputError("nothing to remember; give --table, or --source and --target")
    if not 0 < arguments.megabytes <= MOST_MEGABYTES:
        raise InputError(f"--megabytes is {arguments.megabytes:g}; it must be above 0 and at most {MOST_MEGABYTES:,}")


def remember(
    model: AnyModel, parts: Split, counted: Sequence[Pair], folder: Path, arguments: argparse.Namespace
) -> None:
    """Write the memory of the training part, and counts of words in the `counted` pairs, to a folder, and the
    measurements into the `scores.json` there; print them if it has none of the model."""
    most = int(arguments.megabytes * 10**6)
    store, scores = make(
        model, parts.train, parts.validation, most, lambda starts: tqdm(starts, "states", mininterval=0.5)
    )
    size = datastore.save(store, model.fingerprint, folder)
    tell(
        f"{folder / datastore.MEMORY}: {len(store):,} states of {store.sentences:,} sentence pairs out of "
        f"{store.pairs:,}, {size:,} bytes, recall of the ten nearest {scores['recall']:.1%}"
    )
    counts = occurrences.count(model.tokenizer, counted, lambda sides: tqdm(sides, "words", unit="side"))
    occurrences.save(counts, model.fingerprint, folder)
    tell(f"{folder / occurrences.OCCURRENCES}: {len(counts.words):,} words of {counts.pairs:,} sentence pairs")
    path = folder / SCORES_FILE
    earlier = read_scores(folder) if path.exists() else {}
    if earlier.get("model", {}).get("fingerprint") == model.fingerprint:
        write_record({**earlier, "how": {**earlier.get("how", {}), **HOW_MEMORY}, "memory": scores}, path)
        tell(f"{path} is written")
    else:
        put(json.dumps(scores, indent=2))


def training_parts(arguments: argparse.Namespace, languages: tuple[str, str] = UNKNOWN) -> Split:
    """Return the text in its parts, as `train` splits it."""
    pairs = [pair for table in arguments.table for pair in read_table(table, languages)]
    twos = zip(arguments.source, arguments.target, strict=True)
    pairs += [pair for two in twos for pair in read_two(*two, languages)]
    pairs = list(dict.fromkeys(pairs))
    return split(pairs, bounds(len(pairs)))
