"""Posterior attention, computed only for visitors who choose it; the question stores the choice."""

from collections.abc import Sequence
from dataclasses import replace

from regard.app.models.analyses import afterwards
from regard.app.visitor.visit_state import visit
from regard.model.alignment import AFTER, READ_AS, Posterior
from regard.model.trace import AnyTrace, Trace


def hear_rows(sent: str) -> None:
    """Set how rows are read from the browser's message; unknown values change nothing."""
    if sent in READ_AS:
        visit().question = replace(visit().question, rows=sent)


def rows() -> str:
    """Return how rows are read."""
    return visit().question.rows


def asked_for(traces: Sequence[AnyTrace]) -> list[Posterior]:
    """Return the posterior of each trace if it is chosen, else none: it takes as long as the translation or longer. It
    is defined for a single attention; traces with many heads have none."""
    recurrent = [trace for trace in traces if isinstance(trace, Trace)]
    return [afterwards(trace) for trace in recurrent] if rows() == AFTER and len(recurrent) == len(traces) else []
