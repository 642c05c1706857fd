"""Training log: numbers every few updates, and attention and output on a few sequences."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from regard.model.data.corpus import Pair
from regard.model.synthetic.tasks import Numbers
from regard.model.training.snapshots import Snapshot

WATCHED = 5  # held-out sequences recorded in every snapshot


@dataclass(frozen=True)
class Note:
    """The state of a run after an update. Numbers not measured then are NaN."""

    update: int
    loss: float  # nats per target token, over all updates since the previous note
    exact: float = math.nan  # share of a fixed held-out sample written exactly by greedy decoding
    validation: float = math.nan  # loss on that sample with the true tokens fed in, nats per target token
    seconds: float = 0.0  # of training so far, measurements included
    tokens: int = 0  # source and target tokens trained on so far, without padding

    @property
    def measured(self) -> bool:
        return not math.isnan(self.exact)


@dataclass(frozen=True)
class AttentionSnapshot:
    """One moment of a run: output on fixed held-out sequences, and attention on the first of them."""

    update: int
    weights: tuple[tuple[float, ...], ...]  # T × S for the first sequence, read with its true target, `</s>` included
    predictions: tuple[tuple[str, str, str], ...]  # per sequence: source, wanted, written (`2 5 9`)


def watched(held_out: Sequence[Numbers]) -> list[Numbers]:
    """Return sequences evenly spread by length, the longest first and preferably without repeated numbers."""
    ordered = sorted(held_out, key=lambda sequence: (len(sequence), len(set(sequence))), reverse=True)
    places = np.linspace(0, len(ordered) - 1, min(WATCHED, len(ordered)))
    return [ordered[round(place)] for place in places]


def attention_of(pairs: Sequence[Pair], moment: Snapshot) -> AttentionSnapshot:
    """Return one moment of the watched pairs."""
    written = zip(pairs, moment.translations, strict=True)
    predictions = tuple((pair.source, pair.target, text) for pair, text in written)
    return AttentionSnapshot(moment.update, tuple(map(tuple, moment.weights[0].tolist())), predictions)


def history(notes: Iterable[Note]) -> list[dict[str, int | float]]:
    """Return the rows of `history.csv`, one per measurement."""
    return [
        {
            "update": note.update,
            "tokens": note.tokens,
            "seconds": round(note.seconds, 2),
            "loss": round(note.loss, 5),
            "validation_loss": round(note.validation, 5),
            "exact": note.exact,
        }
        for note in notes
        if note.measured
    ]
