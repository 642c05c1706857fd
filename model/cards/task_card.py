"""Model card of a network trained on a task of numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.model.cards.markdown import paragraphs, table
from regard.model.evaluation import scores_record

DOES = {  # by the task's name
    "reverse": "Reverses sequences of numbers (`2 5 9` becomes `9 5 2`)",
    "copy": "Copies sequences of numbers (`2 5 9` stays `2 5 9`)",
    "sort": "Sorts sequences of numbers (`5 9 2` becomes `2 5 9`)",
    "shift": "Shifts sequences of numbers by one (`2 5 9` becomes `5 9 2`)",
}
LIMITS = """\
- It knows the numbers from 0 to {greatest} and nothing else; words and larger numbers are read as bytes that it has
  never seen.
- It has seen sequences of {shortest} to {longest} numbers. It has not learned longer ones; most come out wrong.
- {attention}

It is made for watching attention emerge, and for nothing else."""


WITHOUT_POSITIONS = """\
It was trained without positions: its encoder cannot tell the orders of the same numbers apart, so it cannot learn
anything that depends on order."""


def about(setup: Mapping[str, Any], built: str) -> str:
    """Describe the model; `built` is the network in words."""
    blind = setup.get("network") == "transformer" and setup["positions"] == "none"
    told = (
        f"{DOES[setup['task']]}: {built}, small enough that every "
        "number of it can be shown and recomputed. This card is generated from the records beside it."
    )
    return f"{told}\n\n{WITHOUT_POSITIONS}" if blind else told


def exactness(scores: Mapping[str, Any]) -> str:
    """Report how many sequences are exact, by length if measured."""
    task, how = scores_record.part(scores, "task"), scores_record.part(scores, "how")
    if not task:
        return ""
    exact, (shortest, longest) = task["exact"], task["lengths"]
    rows = [
        [str(row["length"]), str(row["sequences"]), f"{row['share']:.1%}", _percent(row["interval"])]
        for row in task.get("by_length", [])
    ]
    return paragraphs(
        f"{exact['share']:.1%} [{_percent(exact['interval'])}] of {exact['sequences']:,} held-out sequences of "
        f"{shortest} to {longest} numbers are written exactly.",
        f"Exactly: {how['exact']}. Held out: {how['held_out']}.",
        table(["numbers", "sequences", "exact", "95% interval"], rows) if rows else "",
    )


def limits(setup: Mapping[str, Any], attention: str) -> str:
    return LIMITS.format(
        greatest=setup["symbols"] - 1, shortest=setup["shortest"], longest=setup["longest"], attention=attention
    )


def trained(training: Mapping[str, Any], rows: Sequence[Mapping[str, str]]) -> str:
    """Describe the training run."""
    versions = ", ".join(f"{name} {version}" for name, version in training["versions"].items())
    drawn = f"{training['pairs']['for training']:,} sequences, sampled at random as the run went on"
    parts = [f"```\n{training['command']}\n```\n\n{drawn}. Computed with {versions}."]
    if rows:
        last = rows[-1]
        parts.append(
            f"{int(last['update']):,} updates, {int(last['tokens']):,} tokens, {float(last['seconds']):.0f} seconds on "
            f"one thread; validation loss {float(last['validation_loss']):.3f} nats per target token at the end "
            f"({training['ended'] or 'stopped before its end'})."
        )
    return "\n\n".join(parts)


def _percent(interval: Sequence[float]) -> str:
    return "–".join(f"{100 * end:.1f}" for end in interval) + "%"
