"""Numbers of every kind that a translation has, at the ends and in the middle."""

import itertools
from collections.abc import Iterator

from regard.model.alignment import ROWS, STEP
from regard.model.arithmetic.kinds import KINDS
from regard.model.arithmetic.quantity import DIRECTIONS, Quantity
from regard.model.trace import Trace


def places(kind: str, trace: Trace) -> Iterator[Quantity]:
    """The numbers of one kind at the ends and in the middle of every range."""
    steps, positions = trace.weights.shape
    choices: dict[str, list] = {
        "step": [0, 1, steps - 1] + [-1] * (kind in ("state", "cell")),
        "position": [0, positions // 2, positions - 1],
        "component": [0, 11, 12, 15, 23],
        "token": [int(trace.target_ids[0]), *trace.top_ids[0].tolist()[-2:]],
        "rows": [*ROWS, STEP],
        "row": [0, 1],
        "column": [0, 2],
        "gate": list(trace.maker.gates),
        "direction": list(DIRECTIONS),
    }
    names = KINDS[kind].indices
    for values in itertools.product(*(choices[name] for name in names)):
        yield Quantity(kind, **dict(zip(names, values, strict=True)))


def is_there(asked: Quantity, trace: Trace) -> bool:
    """Some models have no such vector, or a shorter one."""
    try:
        asked.check(trace)
    except ValueError:
        return False
    return True
