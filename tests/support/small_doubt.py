"""A copy of a model with a fit of doubt beside it, whose numbers are made up."""

import shutil
from pathlib import Path

from regard.model.checkpoint import Pretrained, fingerprint, load
from regard.model.doubt.chance import FEATURES, Doubt, Fitted, save


def write_doubt(folder: Path) -> Doubt:
    """Make up the fit of the model in a folder."""
    fit = Doubt(
        fingerprint(folder), 0.1, dict.fromkeys(FEATURES, Fitted(0.4, 2.0, -0.7)), frozenset({"do"}), frozenset({"le"})
    )
    save(fit, folder)
    return fit


def doubted(model: Pretrained, folder: Path) -> tuple[Pretrained, Doubt]:
    shutil.copytree(model.folder, folder / model.name, dirs_exist_ok=True)
    fit = write_doubt(folder / model.name)
    return load(folder / model.name), fit
