"""Payload of the network's picture: how the model is wired, and the coordinates by which its vectors are recognised."""

from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.app.components.shared.packed import Array, encode
from regard.model.trace import Trace

PROFILE = 16  # components of a gate that are drawn


def network(trace: Trace) -> dict[str, Any] | None:
    """Return the picture's part of a trace's payload; None for a model whose principal axes were never measured."""
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
        **gates(trace),
    }


def gates(trace: Trace) -> dict[str, Any]:
    """Return the mean of each gate of the decoder's cell, and `PROFILE` of its components, most closed first."""
    names = [name for name in trace.maker.gates if name != "candidate"]  # the candidate is what the gates let through
    opening = trace.gates[:, [trace.maker.gates.index(name) for name in names]]
    size = opening.shape[2]
    places = (2 * np.arange(PROFILE) + 1) * size // (2 * PROFILE)
    profile = np.sort(opening, axis=2)[:, :, places].reshape(len(opening), len(names) * PROFILE)
    return {"gates": names, "openness": encode(opening.mean(2, dtype=np.float64)), "profile": encode(profile)}


def coordinates(trace: Trace) -> dict[str, Array]:
    """Return the coordinates of every vector drawn, by kind, with a row for each token or step.

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
        "initial_attentional": ("attentional", trace.initial_attentional[np.newaxis]),
        "attentional": ("attentional", trace.attentional),
        "embedding": ("embedding", trace.embeddings),
        "fed_embedding": ("fed_embedding", trace.fed_embeddings),
    }
    axes = trace.maker.axes
    return {kind: encode(axes[of].coordinates(values)) for kind, (of, values) in vectors.items() if of in axes}
