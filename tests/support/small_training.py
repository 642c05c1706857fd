"""A small training: its text, its options, and what it learns."""

import csv
from pathlib import Path

from regard.model.data.corpus import bounds, bucket

PATIENCE = 300  # seconds for processes that need a few
SMALL = "--vocabulary 300 --embedding 8 --encoder-state 8 --state 16 --precision float32 --batch-tokens 60"


def write_table(folder: Path, pairs: int = 400) -> Path:
    """Sentence pairs of which a few fall to validation and a few are held out. One is longer than a batch."""
    lines = [f"{number:b}".replace("0", "no ").replace("1", "yes ") for number in range(1, 2 * pairs)]
    at = bounds(pairs)
    parts = (range(at.test), range(at.test, at.validation), range(at.validation, 1000))
    chosen = []
    for part, most in zip(parts, (8, 8, pairs), strict=True):
        chosen += [line for line in lines if bucket(line) in part][:most]
    long = next(line for line in ("yes " * count for count in range(35, 45)) if bucket(line) >= at.validation)
    path = folder / "pairs.tsv"
    translated = ((line, line.replace("yes", "oui").replace("no", "non")) for line in [*chosen, long])
    path.write_text("".join(f"{source}\t{target}\n" for source, target in translated))
    return path


def rows(folder: Path) -> list[list[float]]:
    """The history of a model, but for the seconds."""
    with (folder / "history.csv").open(encoding="utf-8") as file:
        names = ("update", "tokens", "loss", "validation_loss")
        return [[float(row[name]) for name in names] for row in csv.DictReader(file)]
