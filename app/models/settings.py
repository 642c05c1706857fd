"""Settings from the environment: folders of models to offer, and the bound of all caches together.

The server checks them when it starts, before it loads what imports PyTorch.
"""

import math
import os
from pathlib import Path

CONFIG = "config.json"  # as in `regard.model.checkpoint`, which needs torch
MODELS_SETTING = "REGARD_MODELS"  # folders, separated as in PATH: each a model, or a folder of models


def models_in(place: Path) -> list[Path]:
    """Return the folder itself if it is a model, else the models in it."""
    if (place / CONFIG).is_file():
        return [place]
    return sorted(path.parent for path in place.glob(f"*/{CONFIG}"))


CACHE_SETTING, USUAL = "REGARD_CACHE", "360"  # megabytes


def cache_megabytes(setting: str | None = None) -> float:
    """Return the bound in megabytes, from REGARD_CACHE unless given. Exits with one line that names the value if it is
    not a finite number above 0."""
    text = (os.environ.get(CACHE_SETTING, "") if setting is None else setting).strip() or USUAL
    try:
        megabytes = float(text)
    except ValueError:
        megabytes = math.nan
    if not 0 < megabytes < math.inf:
        raise SystemExit(
            f"{CACHE_SETTING}: {text!r} is not a number of megabytes; write a finite number above 0 without a unit, "
            f"such as {USUAL}"
        )
    return megabytes
