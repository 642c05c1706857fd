"""A run in progress: its curves, attention and predictions, drawn and scrubbed in the browser."""

from collections.abc import Mapping
from typing import Any

from regard.app.components.shared.served import served

SHEETS = ("colours", "base", "training")

mounted = served("training_monitor", "training.js", SHEETS)


def learning(data: Mapping[str, Any], *, key: str) -> None:
    """Mount the payload of `regard.app.screens.watch.payload`."""
    mounted()(key=key, data=data)
