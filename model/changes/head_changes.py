"""Head changes: heads of a Transformer that a person switches off or gives weights, as values.

A head is named by its attention ("encoder", "decoder" or "cross"), its layer and its number there, both from 0. A head
that is off adds nothing to the residual stream (Michel, Levy and Neubig 2019, section 2.3): its weights are all 0. A
row of weights belongs to a source token in the encoder and to a step in the others: it runs over the source tokens in
cross-attention and over the tokens fed so far in the decoder's self-attention.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from regard.model.input_error import InputError, PlaceError
from regard.model.reference.formulas import NumpyHeadChange

ATTENTIONS = ("encoder", "decoder", "cross")

Head = tuple[str, int, int]  # attention, layer, number
HeadRow = tuple[str, int, int, int, tuple[float, ...]]  # a head, one of its rows, the weights
Layout = Mapping[str, tuple[int, int]]  # layers, and heads of each, by attention


def head_name(of: Head) -> str:
    """Return the head's name for a person, counted from 1."""
    attention, layer, head = of
    return f"{attention} attention, layer {layer + 1}, head {head + 1}"


def head_places(of: Head) -> dict[str, int]:
    """Return the places that name the head in a `PlaceError`."""
    attention, layer, head = of
    return {f"{attention} attention, layer": layer, "head": head}


def check_heads(off: Sequence[Head], rows: Sequence[HeadRow]) -> None:
    """Check the values, without a model. Raises InputError."""
    for attention, *_ in (*off, *rows):
        if attention not in ATTENTIONS:
            raise InputError(f"attention is {attention[:40]!r}; accepted are {', '.join(ATTENTIONS)}")
    both = {*off} & {row[:3] for row in rows}
    if both:
        raise PlaceError(head_places(min(both)), " is switched off and given weights; only one can be")


def check_heads_fit(
    off: Sequence[Head], rows: Sequence[HeadRow], layout: Layout, open_positions: Bool[ndarray, " S"]
) -> None:
    """Check that a model of this layout has these heads, and that each row has a weight for each position. Raises
    InputError naming the head and the model's layout."""
    for named in (*off, *(row[:3] for row in rows)):
        attention, layer, head = named
        if attention not in layout:
            raise InputError(
                "the intervention changes single heads, which only a Transformer has; this model is recurrent"
            )
        layers, heads = layout[attention]
        if layer >= layers or head >= heads:
            problem = f" does not exist; the model has layers: {layers}, heads of each: {heads}"
            raise PlaceError(head_places(named), problem)
    positions = len(open_positions)
    for attention, layer, head, row, weights in rows:
        places = head_places((attention, layer, head))
        if attention == "encoder" and row >= positions:
            problem = f" is past the end: the source has {positions} tokens"
            raise PlaceError(places | {"source token": row}, problem)
        most = row + 1 if attention == "decoder" else positions
        if len(weights) != most:
            problem = f": there are {len(weights)} weights; {most} tokens can be looked at"
            raise PlaceError(places | {"row": row}, problem)
        masked = np.flatnonzero((np.array(weights) > 0) & ~open_positions) if attention == "cross" else []
        if len(masked):
            place = places | {"row": row, "source token": int(masked[0])}
            raise PlaceError(place, ": it has a weight and is masked; its weight must be 0")


def head_changes(
    off: Sequence[Head], rows: Sequence[HeadRow], attention: str, shape: tuple[int, int], first: int = 0
) -> tuple[NumpyHeadChange, ...]:
    """Return the changes of one attention as arrays; `shape` is its rows, from `first` on, and its columns."""
    none = [
        NumpyHeadChange(*head, np.zeros((1, 1)), np.ones((1, 1), dtype=bool)) for head in off if head[0] == attention
    ]
    given: dict[Head, NumpyHeadChange] = {}
    for name, layer, head, row, weights in rows:
        if name == attention and first <= row < first + shape[0]:
            fresh = NumpyHeadChange(name, layer, head, np.zeros(shape), np.zeros((shape[0], 1), dtype=bool))
            change = given.setdefault((name, layer, head), fresh)
            change.weights[row - first, : len(weights)] = weights
            change.replaced[row - first] = True
    return (*none, *given.values())
