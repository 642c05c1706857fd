"""`scores.json` of a network that has practised a task: how many held-out sequences it writes exactly.

Entries of its own, beside `format`, `model`, `versions` and `how` as `python -m model evaluate` writes them:

    tests                no test of translations: {}
    task.name            of `model.reversal.TASKS`
    task.lengths         the shortest and the longest sequence trained on, in numbers
    task.symbols         how many different numbers there are
    task.exact           over held-out sequences of all these lengths: a count
    task.by_length       after a sweep: for each length, also beyond those trained on, `length` and a count

A count has `sequences`, `right` (of them written exactly), `share` and `interval`, which holds the share of all such
sequences with 95 % confidence.
"""

from importlib.metadata import version
from platform import python_version
from typing import Any

from model.card import FORMAT
from model.checkpoint import WEIGHTS, Pretrained
from model.exactness import Exact, by_length, measured, tested
from model.practice_setup import Setup

BEYOND = 1.5  # times the longest sequence trained on, to which a sweep goes
SWEPT = 200  # sequences of each length
HOW = {
    "exact": "a sequence is written exactly when greedy decoding gives every number of it and ends there; interval: "
    "Wilson (1927), 95 %",
    "held_out": "of every length the sequences of least SHA-1; nobody trains on them, and all runs on numbers like "
    "these are measured on the same ones. Of short lengths there are few",
}


def scores(model: Pretrained, setup: Setup, name: str, sweep: bool) -> dict[str, Any]:
    """Measured on the weights as they are on disk."""
    task: dict[str, Any] = {
        "name": setup.task,
        "lengths": [setup.shortest, setup.longest],
        "symbols": setup.symbols,
        "exact": _count(measured(model.network, setup.task, tested(setup))),
    }
    if sweep:
        lengths = range(1, round(BEYOND * setup.longest) + 1)
        found = by_length(model.network, setup.task, setup.symbols, lengths, SWEPT)
        task["by_length"] = [{"length": length, **_count(counted)} for length, counted in found.items()]
    return {
        "format": FORMAT,
        "model": {
            "name": name,
            "fingerprint": model.fingerprint,
            "parameters": model.parameters,
            "bytes": (model.folder / WEIGHTS).stat().st_size,
        },
        "versions": {"python": python_version(), **{one: version(one) for one in ("torch", "tokenizers")}},
        "how": HOW,
        "tests": {},
        "task": task,
    }


def _count(found: Exact) -> dict[str, Any]:
    return {
        "sequences": found.sequences,
        "right": found.right,
        "share": round(found.share, 4),
        "interval": [round(end, 4) for end in found.interval],
    }
