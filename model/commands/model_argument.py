"""The argument `--model` of commands that translate with one model, by default the shipped one."""

import argparse

from regard.model.checkpoint import DEFAULT, named_folder, shipped


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        type=named_folder,
        default=shipped(),
        metavar="DIR",
        help=f"model folder or name of a shipped model (default: the shipped {DEFAULT})",
    )
