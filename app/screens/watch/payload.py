"""A job as training.js draws it: its state, and each run's notes and snapshots.

Nothing is sent twice: rows of notes and looks begin after the update `since`. A row of notes is an update with its loss
and its exact match (null if not measured); a row of looks is an update with the weights, what was written, and the
share of the weight on the number to be written.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import isnan
from typing import Any, NamedTuple

from regard.app.screens.watch.run_text import announcement, detail, state, titles
from regard.app.training_jobs.job import JobStatus, Moment, RunStatus
from regard.model.synthetic.exact_match import tested
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.tasks import pair
from regard.model.synthetic.trainer import AttentionSnapshot, Note, watched
from regard.model.transformer.transformer import NETWORK as TRANSFORMER

_SYMBOL = re.compile(r"[0-9]+|\S")
DIGITS = 5  # decimals of a weight, a loss, a share


class Sent(NamedTuple):
    """The last updates of one run that were sent to the browser."""

    note: int = 0
    look: int = 0


def payload(run: str, view: JobStatus, sent: Sequence[Sent]) -> dict[str, Any]:
    """Return the payload; `run` names the job."""
    named = zip(view.setups, view.runs, titles(view.setups), [*sent, Sent(), Sent()], strict=False)
    return {
        "id": run,
        "kind": view.state,
        "state": state(view),
        "detail": detail(view),
        "announce": announcement(view),
        "runs": [_run(setup, seen, title, before) for setup, seen, title, before in named],
    }


def sent(view: JobStatus) -> list[Sent]:
    """Return what the browser has received after this payload."""
    return [
        Sent(seen.notes[-1].update if seen.notes else 0, seen.looks[-1].update if seen.looks else 0)
        for seen in view.runs
    ]


def _run(setup: Setup, seen: RunStatus, title: tuple[str, str], before: Sent) -> dict[str, Any]:
    pairs = examples(setup, seen)
    source, target = (text.split() for text in pairs[0])
    return {
        "title": title[0],
        "about": title[1],
        "attends": setup.attends,
        "heads": setup.network == TRANSFORMER,
        "source": source,
        "target": target,
        "examples": [{"source": read.split(), "wanted": wanted.split()} for read, wanted in pairs],
        "notes": _rows(seen.notes, before.note, _note),
        "looks": _rows(seen.looks, before.look, lambda look: _look(look, source, target)),
    }


def examples(setup: Setup, seen: RunStatus) -> Sequence[tuple[str, str]]:
    """Return the watched sequences and their answers; known before the run begins."""
    if seen.looks:
        return [(read, wanted) for read, wanted, _ in seen.looks[-1].predictions]
    return _examples_to_come(setup)


@lru_cache(maxsize=64)
def _examples_to_come(setup: Setup) -> Sequence[tuple[str, str]]:
    return [pair(setup.task, sequence) for sequence in watched(tested(setup))]


def _rows(moments: Sequence[Moment], since: int, row: Callable[[Moment], list[Any]]) -> dict[str, Any]:
    """Return the moments after an update; all of them if a run has gone back to an earlier checkpoint."""
    since = since if moments and moments[-1].update >= since else 0
    return {"since": since, "rows": [row(moment) for moment in moments if moment.update > since]}


def _note(note: Note) -> list[Any]:
    return [note.update, round(note.loss, DIGITS), None if isnan(note.exact) else round(note.exact, DIGITS)]


def _look(look: AttentionSnapshot, source: Sequence[str], target: Sequence[str]) -> list[Any]:
    written = [symbols(text) for _, _, text in look.predictions]
    rounded = [[round(weight, DIGITS) for weight in row] for row in look.weights]
    return [look.update, rounded, written, round(on_wanted(look, source, target), DIGITS)]


def symbols(written: str) -> list[str]:
    """Return the written numbers, and every other character separately, invisible ones as U+FFFD. A network that has
    hardly learned also writes bytes, without blanks between them."""
    return [symbol if symbol.isprintable() else "\ufffd" for symbol in _SYMBOL.findall(written)]


def on_wanted(look: AttentionSnapshot, source: Sequence[str], target: Sequence[str]) -> float:
    """Return the share of the weight on numbers equal to the one to be written, over all rows that write one."""
    shares = [
        sum(weight for weight, read in zip(row, source, strict=False) if read == wanted)  # all columns but `</s>`
        for row, wanted in zip(look.weights, target, strict=False)  # all rows but that of `</s>`
    ]
    return sum(shares) / len(shares)
