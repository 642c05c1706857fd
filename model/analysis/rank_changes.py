"""Rank changes of the likeliest next tokens: at each step their probabilities and ranks, after and before."""

from typing import NamedTuple

from model.trace import Trace


class Against(NamedTuple):
    """Of one token: its rank before, from 0, and how much likelier it is now."""

    rank: int
    change: float


def against(before: Trace, after: Trace) -> list[list[Against | None]]:
    """For each step that both came to by the same tokens: the likeliest tokens after, as they were before.

    None stands for a token that was not among the likeliest before, whose probability was not kept.
    """
    changes = []
    for step in range(min(same_until(before, after) + 1, len(before.target_ids), len(after.target_ids))):
        ranks = {token: rank for rank, token in enumerate(before.top_ids[step].tolist())}
        then, now = before.top_probabilities[step], after.top_probabilities[step]
        changes.append(
            [
                Against(ranks[token], float(now[rank] - then[ranks[token]])) if token in ranks else None
                for rank, token in enumerate(after.top_ids[step].tolist())
            ]
        )
    return changes


def same_until(before: Trace, after: Trace) -> int:
    """How many tokens both begin with."""
    pairs = zip(before.target_ids.tolist(), after.target_ids.tolist(), strict=False)
    return next((step for step, (one, other) in enumerate(pairs) if one != other),
                min(len(before.target_ids), len(after.target_ids)))  # fmt: skip
