"""Presets: training runs and comparisons worth watching, each with what it shows and why."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from regard.model.files import toml_beside
from regard.model.synthetic.setup import Setup

USUAL = Setup()


class TrainingPreset(NamedTuple):
    """One or two training runs; `why` says what to look for, as Markdown."""

    label: str
    setups: tuple[Setup, ...]
    why: str


PRESETS = tuple(
    TrainingPreset(preset["label"], tuple(replace(USUAL, **changed) for changed in preset["changes"]), preset["why"])
    for preset in toml_beside(__file__, "presets.toml")["preset"]
)
OF_ONES_OWN = (
    "Settings of your own. All numbers are drawn at random; the sequences that are measured and shown are kept out of "
    "training."
)


def preset_of(setups: Sequence[Setup]) -> TrainingPreset | None:
    """Return the preset with exactly these setups, or None."""
    return next((preset for preset in PRESETS if preset.setups == tuple(setups)), None)
