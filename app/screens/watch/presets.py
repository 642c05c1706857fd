"""Presets: training runs and comparisons worth watching, each with what it shows and why."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from regard.model.synthetic.setup import Setup

USUAL = Setup()
REVERSER = replace(USUAL, network="transformer", longest=6, hidden=32)


class TrainingPreset(NamedTuple):
    """One or two training runs; `why` says what to look for, as Markdown."""

    label: str
    setups: tuple[Setup, ...]
    why: str


PRESETS = (
    TrainingPreset(
        "Reverse",
        (USUAL,),
        "The last number has to be written first. Nobody tells the network where to look; it finds out because that "
        "makes the loss small, and its attention becomes the anti-diagonal.",
    ),
    TrainingPreset(
        "With and without attention",
        (replace(USUAL, longest=12), replace(USUAL, longest=12, attention="none")),
        "Without attention everything that was read has to fit into a context and an initial state of fixed size: the "
        "bottleneck. Short sequences still come out right, long ones do not, and the gap between the two curves widens "
        "with length.",
    ),
    TrainingPreset(
        "Transformer, with and without positions",
        (REVERSER, replace(REVERSER, positions="none")),
        "No recurrence: the first run knows where a number stands only by the sinusoids that are added to it. Without "
        "them the second cannot tell one order of the same numbers from another, so it learns which numbers there are "
        "and not where they go, and gets hardly more right than the shortest. The picture is the mean of the heads of "
        "the last layer's cross-attention; each head of the trained model opens in the stepper.",
    ),
    TrainingPreset(
        "Without teacher forcing",
        (replace(USUAL, task="sort", longest=12), replace(USUAL, task="sort", longest=12, teacher_forcing=0.0)),
        "Each step of the second run is fed what the network wrote itself, at first nonsense: it learns more slowly, "
        "and each update takes longer. But it meets its own mistakes, which a network that is only ever fed the truth "
        "never does: exposure bias. In Reverse one wrong number hardly disturbs attention; many do (chapter 10 of "
        "Learn measures both).",
    ),
    TrainingPreset(
        "Copy",
        (replace(USUAL, task="copy"),),
        "Each number is written where it was read, so attention walks forward: the diagonal.",
    ),
    TrainingPreset(
        "Sort",
        (replace(USUAL, task="sort"),),
        "Where to look depends on the numbers themselves, not on their places: there is no line to find, only the "
        "next number in order. It takes longer to learn than the others.",
    ),
    TrainingPreset(
        "Shift by one",
        (replace(USUAL, task="shift"),),
        "The first number moves to the end: a diagonal shifted by one place, with one leap back in its last row.",
    ),
)


OF_ONES_OWN = (
    "Settings of your own. All numbers are drawn at random; the sequences that are measured and shown are kept out of "
    "training."
)


def preset_of(setups: Sequence[Setup]) -> TrainingPreset | None:
    """Return the preset with exactly these setups, or None."""
    return next((preset for preset in PRESETS if preset.setups == tuple(setups)), None)
