"""Model folders: the models in a folder, for the server and the command that starts it; no torch."""

from pathlib import Path

CONFIG = "config.json"  # as in `regard.model.checkpoint`, which needs torch
SETTING = "REGARD_MODELS"  # folders, separated as in PATH: each a model, or a folder of models


def models_in(place: Path) -> list[Path]:
    """Return the folder itself if it is a model, else the models in it."""
    if (place / CONFIG).is_file():
        return [place]
    return sorted(path.parent for path in place.glob(f"*/{CONFIG}"))
