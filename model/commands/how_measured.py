"""Describe how each number of `scores.json` was measured, in that file and in model cards."""

import tomllib
from pathlib import Path

_PARTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def how_measured(part: str, **numbers: object) -> dict[str, str]:
    """Return the texts of one part of the measurements, by the names of its entries, with these numbers filled in."""
    return {name: text.format(**numbers) for name, text in _PARTS[part].items()}
