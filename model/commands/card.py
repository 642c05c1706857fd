"""`card`: write model cards, and the README's table of models, from the records in model folders."""

import argparse
from pathlib import Path

from regard.model.cards.card import write_card
from regard.model.cards.readme_tables import MARKERS, TASK_MARKERS, update_table
from regard.model.cards.record_files import SCORES_FILE
from regard.model.checkpoint import named_folder
from regard.model.commands.model_argument import results_folder
from regard.model.commands.text_lines import tell
from regard.model.input_error import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders", nargs="*", type=named_folder, metavar="DIR", help="model folders whose card to write"
    )
    parser.add_argument(
        "--readme",
        type=Path,
        metavar="FILE",
        help=f"put the table of models between the lines {' and '.join(MARKERS)} of this file, which must have them, "
        f"and that of models of numbers between {' and '.join(TASK_MARKERS)} if it has these",
    )
    parser.add_argument(
        "--pretrained",
        type=Path,
        default=Path("pretrained"),
        metavar="DIR",
        help="folder of the models in the table (%(default)s)",
    )


def run(arguments: argparse.Namespace) -> None:
    if not arguments.folders and not arguments.readme:
        raise InputError("nothing to write; give model folders or --readme")
    for folder in arguments.folders:
        results_folder(folder, None)
        write_card(folder)
        tell(f"{folder / 'README.md'} is written")
    if arguments.readme:
        folders = sorted(path.parent for path in arguments.pretrained.glob(f"*/{SCORES_FILE}"))
        if not folders:
            raise InputError(f"{arguments.pretrained}: no model there has a {SCORES_FILE}; the tables stay as they are")
        update_table(arguments.readme, folders)
        tell(f"{arguments.readme}: models in the tables: {len(folders)}")
