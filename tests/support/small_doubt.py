"""A copy of a model with a fit of doubt beside it, whose numbers are made up."""

import shutil
from pathlib import Path

from regard.model.checkpoint import Pretrained, load
from regard.model.doubt.chance import FEATURES, Doubt, Fitted, save


def doubted(model: Pretrained, folder: Path) -> tuple[Pretrained, Doubt]:
    shutil.copytree(model.folder, folder / model.name, dirs_exist_ok=True)
    features = dict.fromkeys(FEATURES, Fitted(0.4, 2.0, -0.7))
    fit = Doubt(model.fingerprint, 0.1, features, frozenset({"do"}), frozenset({"le"}))
    save(fit, folder / model.name)
    return load(folder / model.name), fit
