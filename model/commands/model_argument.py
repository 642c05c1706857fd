"""Folders of commands: the model to read, by default the shipped one, and the place for files about a model."""

import argparse
from pathlib import Path

from regard.model.checkpoint import DEFAULT, PACKAGED, named_folder, shipped
from regard.model.files import check_writable
from regard.model.input_error import InputError


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        type=named_folder,
        default=shipped(),
        metavar="DIR",
        help=f"model folder or name of a shipped model (default: the shipped {DEFAULT})",
    )


def results_folder(model: Path, out: Path | None) -> Path:
    """Return the folder for files about a model, `out` or the model's own, and create it. Raises InputError for a model
    of this package, whose folder stays as it is, and if nothing can be written there."""
    folder = out or model
    if packaged(folder):
        raise InputError(
            f"{folder} belongs to the package, whose files stay as they are; give --out, or a copy of the model"
        )
    folder.mkdir(parents=True, exist_ok=True)
    check_writable(folder)
    return folder


def packaged(folder: Path) -> bool:
    """True for a folder among the models of this package."""
    return folder.resolve().is_relative_to(PACKAGED.resolve())
