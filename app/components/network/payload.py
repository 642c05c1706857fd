"""Payload of the network's picture: how the model is wired, and the coordinates by which its vectors are recognised."""

from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.shared.packed import Array, encode
from regard.model.trace import Trace


def network(trace: Trace) -> dict[str, Any] | None:
    """The picture's own part of a trace's payload; None for a model whose principal axes were never measured."""
    maker = trace.maker
    if not maker.axes:
        return None
    return {
        "score": maker.score,
        "wiring": maker.wiring,
        "cell": maker.cell,
        "input_feeding": maker.input_feeding,
        "shares": {kind: axes.share for kind, axes in maker.axes.items()},
        "coordinates": coordinates(trace),
    }


def coordinates(trace: Trace) -> dict[str, Array]:
    """The coordinates of every vector that is drawn, a row for each token or step, by the kind of vector.

    A context has the axes of annotations, so its coordinates are the weighted sum of theirs.
    """
    half = trace.annotations.shape[1] // 2
    vectors: dict[str, tuple[str, Float[ndarray, "N E"]]] = {
        "forwards": ("forwards", trace.annotations[:, :half]),
        "backwards": ("backwards", trace.annotations[:, half:]),
        "annotation": ("annotation", trace.annotations),
        "initial_state": ("state", trace.initial_state[np.newaxis]),
        "state": ("state", trace.states),
        "initial_cell": ("cell", trace.initial_cell[np.newaxis]),
        "cell": ("cell", trace.cells),
        "context": ("annotation", trace.contexts),
        "attentional": ("attentional", trace.attentional),
    }
    axes = trace.maker.axes
    return {kind: encode(axes[of].coordinates(values)) for kind, (of, values) in vectors.items() if of in axes}
