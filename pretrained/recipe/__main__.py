"""`python -m pretrained.recipe`: train and measure the shipped models, from the folder of text that `--data` names.

The commands take what those of `regard` take. They write into the folders of the models, which `regard` never does.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from tqdm import tqdm

from regard.model import translate
from regard.model.analysis.axes_measurement import evenly, measure_folder
from regard.model.cards.record_files import SCORES_FILE, read_scores, write_record
from regard.model.checkpoint import PRETRAINED, AnyModel
from regard.model.commands import axes, memory, train
from regard.model.commands.command_line import tell
from regard.model.commands.evaluate import some
from regard.model.data.corpus import USUAL, Corpus, Pair, Split, recorded, split
from regard.model.evaluation.translation_quality import grade
from regard.model.input_error import InputError, OneLineParser, in_one_line
from regard.model.memory import datastore
from regard.model.memory.datastore import Datastore, write
from regard.model.synthetic.exposure_bias import RECORD, SEEDS
from regard.model.tokenizer import Tokenizer
from regard.model.training.distributed import Crew
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import in_batches
from regard.model.truecasing import read_as
from regard.pretrained.recipe import exposure, readme_tables, scores
from regard.pretrained.recipe.lists import TYPED_LANGUAGES, accepted, read_typed
from regard.pretrained.recipe.mixture import HeldOut, MixedCorpus, Mixture, Recipe, counts

SHARES = (0.0, 0.1, 0.25, 0.4)  # λ, the memory's share in the mixture
EVERYDAY = Path(__file__).with_name("everyday.toml")


@dataclass(frozen=True)
class MixedText(train.Text):
    """Text of which each epoch reads a new mixture."""

    program: ClassVar[str] = "pretrained.recipe"
    mixture: Mixture

    def corpus(self, tokenizer: Tokenizer) -> Corpus:
        return MixedCorpus(self.mixture, tokenizer)

    def origins(self) -> dict[str, int]:
        return counts(self.mixture.first)


def main() -> int:
    """Run a command and return its exit status."""
    parser = OneLineParser(prog="python -m pretrained.recipe", description="Train and measure the shipped models.")
    chosen = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (purpose, add_arguments, _) in COMMANDS.items():
        add_arguments(chosen.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."))
    arguments = parser.parse_args()
    try:
        COMMANDS[arguments.command][2](arguments)
    except KeyboardInterrupt:
        return 130
    except (InputError, OSError) as error:
        print(f"{parser.prog} {arguments.command}: {in_one_line(error)}", file=sys.stderr)
        return 1
    return 0


def add_mixture(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a mixture."""
    parser.add_argument("--recipe", type=Path, default=EVERYDAY, metavar="TOML", help="mixture (default: %(default)s)")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder with the recipe's files")
    parser.add_argument(
        "--held-out",
        type=Path,
        action="append",
        default=[],
        metavar="TSV",
        help="sentences, in the second column, to keep out of the training text, together with similar ones",
    )


def add_train(parser: argparse.ArgumentParser) -> None:
    add_mixture(parser)
    train.add_arguments(parser)
    parser.set_defaults(threads=None)


def add_memory(parser: argparse.ArgumentParser) -> None:
    add_mixture(parser)
    memory.add_arguments(parser)
    parser.add_argument(
        "--measure", action="store_true", help="also measure translations that use the memory, which takes minutes"
    )


def read_mixture(arguments: argparse.Namespace, crew: Crew) -> MixedText:
    """Read the text of a training from a recipe. Raises InputError if that fails."""
    if arguments.table or arguments.source or arguments.target:
        raise InputError("the recipe names the files itself; give it --data, and no --table, --source or --target")
    recipe = Recipe.load(arguments.recipe)
    mixture = Mixture(recipe, arguments.data, HeldOut.read(arguments.held_out), arguments.seed)
    files = (arguments.recipe, *(arguments.data / name for name in recipe.files), *arguments.held_out)
    text = MixedText(files, tuple(map(recorded, files)), {}, USUAL, mixture.parts, mixture)
    crew.tell("an epoch reads")
    for origin, count in text.origins().items():
        crew.tell(f"{count:>9,}  {origin}")
    return text


def make_memory(arguments: argparse.Namespace) -> None:
    """Make the memory of a model from text that may be shown, and count words in all text of the mixture."""
    memory.check(arguments)
    model = load_any(arguments.model)
    tell("reading the text")
    parts, near = memory.training_parts(arguments), cache(HeldOut.read(arguments.held_out).near)
    texts = [text.read(arguments.data) for text in Recipe.load(arguments.recipe).texts]
    whole = split(list(dict.fromkeys(pair for text in texts for pair in text))).train
    kept, counted = ([pair for pair in pairs if not near(pair.source)] for pairs in (parts.train, whole))
    folder = arguments.out or arguments.model
    memory.remember(model, Split(kept, parts.validation, parts.test), counted, folder, arguments)
    if arguments.measure:
        _measure_help(model, some(parts.test, memory.PAIRS), folder)


def _measure_help(model: AnyModel, pairs: list[Pair], folder: Path) -> None:
    """Add to the record how well the model translates with each share of the memory, and how many sentences of the
    typed list acceptably."""
    store, typed, record = datastore.load(folder, model.fingerprint), read_typed(), read_scores(folder)
    if store is None:
        raise InputError(f"{folder}: it has no memory of {model.name}")
    record["memory"]["help"] = []
    for share in SHARES:  # written one by one: all take minutes
        lines = translated(model, store, [pair.source for pair in pairs], share)
        graded = grade(lines, [pair.target for pair in pairs], model.tokenizer.languages[1])
        row = {"share": share, **{name: one["score"] for name, one in graded.items()}}
        if model.tokenizer.languages == TYPED_LANGUAGES:
            sentences = [read_as(entry.sentence, TYPED_LANGUAGES[0]) for entry in typed]
            lines = translated(model, store, sentences, share)
            right = sum(accepted(entry, line) for entry, line in zip(typed, lines, strict=True))
            row["typed_first"] = {"sentences": len(typed), "accepted": right}
        record["memory"]["help"].append(row)
        write_record(record, folder / SCORES_FILE)


def translated(model: AnyModel, store: Datastore, sentences: Sequence[str], share: float) -> list[str]:
    """Translate sentences by the mixture of model and memory."""
    tokenizer = model.tokenizer
    distinct = list(dict.fromkeys(sentences))
    if share == 0:
        alone = dict(zip(distinct, translate.write(model, distinct), strict=True))
        return [alone[sentence] for sentence in sentences]
    encodings = [tokenizer.encode(sentence, tokenizer.languages[0]) for sentence in distinct]
    with tqdm(total=len(distinct), desc=f"share {share}", mininterval=0.5) as bar:

        def batch(rows: list[int]) -> list[tuple[int, ...]]:
            written = write(model, store, [encodings[row] for row in rows], share)
            bar.update(len(rows))
            return written

        found = dict(zip(distinct, in_batches(encodings, batch), strict=True))
    return [tokenizer.decode(found[sentence]) for sentence in sentences]


def measure_axes(arguments: argparse.Namespace) -> None:
    """Measure the principal axes of models, and write them beside the weights."""
    sentences = axes.read_sentences(arguments.text)
    for folder in arguments.models:
        tell(f"{folder}: {', '.join(measure_folder(folder, evenly(sentences), tqdm)) or 'a Transformer has no axes'}")


def add_readme(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("readme", type=Path, metavar="FILE", help="file with the markers of the tables")
    parser.add_argument(
        "--pretrained", type=Path, default=PRETRAINED, metavar="DIR", help="folder of the models (%(default)s)"
    )


def write_readme(arguments: argparse.Namespace) -> None:
    """Put the tables of models between the markers of a README."""
    folders = sorted(path.parent for path in arguments.pretrained.glob(f"*/{SCORES_FILE}"))
    if not folders:
        raise InputError(f"{arguments.pretrained}: no model there has a {SCORES_FILE}; the tables stay as they are")
    readme_tables.update_table(arguments.readme, folders)
    tell(f"{arguments.readme}: models in the tables: {len(folders)}")


def measure_exposure(arguments: argparse.Namespace) -> None:
    """Train pairs of small networks with and without teacher forcing, and write how they compare."""
    runs = [(seed, forcing) for seed in SEEDS for forcing in (1.0, 0.0)]
    exposure.write(tuple(exposure.measure(*run) for run in tqdm(runs, "exposure bias")))
    tell(f"{RECORD} is written")


COMMANDS = {
    "train": ("train a model on a mixture", add_train, lambda arguments: train.run(arguments, read_mixture)),
    "memory": ("make the memory of a model", add_memory, make_memory),
    "scores": ("measure models and write their cards", scores.add_arguments, scores.run),
    "readme": ("write the README's tables of models", add_readme, write_readme),
    "exposure": ("measure exposure bias on sorting", lambda parser: None, measure_exposure),
    "axes": ("measure the principal axes of models", axes.add_arguments, measure_axes),
}

if __name__ == "__main__":
    sys.exit(main())
