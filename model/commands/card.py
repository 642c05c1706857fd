"""`card`: write model cards from the records in model folders."""

import argparse

from regard.model.cards.card import write_card
from regard.model.checkpoint import named_folder
from regard.model.commands.command_line import results_folder, tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", type=named_folder, metavar="DIR", help="models whose card to write")


def run(arguments: argparse.Namespace) -> None:
    for folder in arguments.folders:
        write_card(results_folder(folder, None))
        tell(f"{folder / 'README.md'} is written")
