"""Processes that train together, started as `torchrun` starts them but without waiting for it; and what they learn."""

import csv
import socket
from pathlib import Path

from regard.model.data.corpus import bounds, bucket
from tests.support.forked_commands import Forked

PATIENCE = 300  # seconds for processes that need a few
SMALL = "--vocabulary 300 --embedding 8 --encoder-state 8 --state 16 --precision float32 --batch-tokens 60"


def table(folder: Path, pairs: int = 400) -> Path:
    """Sentence pairs of which a few fall to validation and a few are held out. One is longer than a batch."""
    lines = [f"{number:b}".replace("0", "no ").replace("1", "yes ") for number in range(1, 2 * pairs)]
    at = bounds(pairs)
    parts = (range(at.test), range(at.test, at.validation), range(at.validation, 1000))
    chosen = [line for part, most in zip(parts, (8, 8, pairs), strict=True) for line in _some(lines, part, most)]
    long = next(line for line in ("yes " * count for count in range(35, 45)) if bucket(line) >= at.validation)
    path = folder / "pairs.tsv"
    translated = ((line, line.replace("yes", "oui").replace("no", "non")) for line in [*chosen, long])
    path.write_text("".join(f"{source}\t{target}\n" for source, target in translated))
    return path


def start(size: int, table: Path, out: Path, *options: str) -> list[Forked]:
    """The command in so many processes, by rank."""
    command = ["train", "--table", str(table), "--out", str(out), *SMALL.split(), *options]
    shared = {"CUDA_VISIBLE_DEVICES": ""}
    if size > 1:
        shared |= {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_free_port())}
    ranks = [{"RANK": str(rank), "LOCAL_RANK": str(rank)} if size > 1 else {} for rank in range(size)]
    return [Forked(*command, environment=shared | rank) for rank in ranks]


def ends(processes: list[Forked]) -> list[tuple[int, str]]:
    """Return each process's exit status and output."""
    return [process.end(PATIENCE) for process in processes]


def rows(folder: Path) -> list[list[float]]:
    """The history of a model, but for the seconds."""
    with (folder / "history.csv").open(encoding="utf-8") as file:
        names = ("update", "tokens", "loss", "validation_loss")
        return [[float(row[name]) for name in names] for row in csv.DictReader(file)]


def _some(lines: list[str], part: range, most: int) -> list[str]:
    return [line for line in lines if bucket(line) in part][:most]


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
