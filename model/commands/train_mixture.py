"""A training mixture on the command line: `--recipe` names the text in `--data` and the pairs to generate from it."""

import argparse
from dataclasses import dataclass

from regard.model.commands.train_data import Text, read
from regard.model.data.corpus import USUAL, Corpus
from regard.model.data.held_out import HeldOut
from regard.model.data.mixture import MixedCorpus, Mixture, Recipe, counts
from regard.model.data.provenance import recorded
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer
from regard.model.training.distributed import Crew


@dataclass(frozen=True)
class MixedText(Text):
    """Text of which each epoch reads a new mixture."""

    mixture: Mixture

    def corpus(self, tokenizer: Tokenizer) -> Corpus:
        return MixedCorpus(self.mixture, tokenizer)

    def origins(self) -> dict[str, int]:
        return counts(self.mixture.first)


def read_text(arguments: argparse.Namespace, crew: Crew) -> Text:
    """Read the text of a training, from a recipe or plain files. Raises InputError if that fails."""
    if not arguments.recipe:
        if arguments.data or arguments.held_out:
            raise InputError("--data and --held-out go with --recipe")
        return read(arguments, crew)
    if arguments.table or arguments.source or arguments.target or not arguments.data:
        raise InputError("--recipe names the files itself; give it --data, and no --table, --source or --target")
    recipe = Recipe.load(arguments.recipe)
    held_out = HeldOut.read(arguments.held_out)
    mixture = Mixture(recipe, arguments.data, held_out, arguments.seed)
    files = [arguments.recipe, *(arguments.data / name for name in recipe.files), *arguments.held_out]
    text = MixedText(tuple(recorded(path) for path in files), {}, USUAL, mixture.parts, mixture)
    crew.tell("an epoch reads")
    for origin, count in text.origins().items():
        crew.tell(f"{count:>9,}  {origin}")
    return text
