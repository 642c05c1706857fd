"""Fingerprints a_k = v_k · (x − mean) / σ_k of every vector that the picture of a step draws. Hotelling (1933).

x is a vector of a recomputation; mean, v_k and σ_k are in `axes.safetensors` beside the weights. Contexts use the axes
of annotations.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from regard.model.input_error import InputError
from regard.model.reference.recompute import Recomputation

StoredAxes = Mapping[str, Float[ndarray, "..."]]  # by `kind.name`, such as `annotation.directions`


def load_axes(folder: Path | str) -> StoredAxes:
    """Read `axes.safetensors`, in double precision. Raises InputError naming the folder if it cannot be used."""
    try:
        return {name: array.astype(np.float64) for name, array in load_file(Path(folder) / "axes.safetensors").items()}
    except (OSError, SafetensorError) as error:
        raise InputError(f"{folder} has no principal axes that can be read: {error}") from error


def fingerprint(axes: StoredAxes, kind: str, vectors: Float[ndarray, "N E"]) -> Float[ndarray, "N K"]:
    """Return the cells of each vector: its distance from the mean along each axis, in standard deviations."""
    return (vectors - axes[f"{kind}.mean"]) @ axes[f"{kind}.directions"].T / axes[f"{kind}.deviations"]


def fingerprints(axes: StoredAxes, found: Recomputation) -> dict[str, Float[ndarray, "N K"]]:
    """Return the cells of all vectors of a forward pass, a row for each token or step, by the kind of vector."""
    vectors = {
        "forwards": ("forwards", found.forwards.states),
        "backwards": ("backwards", found.backwards.states),
        "annotation": ("annotation", found.annotations),
        "initial_state": ("state", found.initial_state[np.newaxis]),
        "state": ("state", found.states),
        "initial_cell": ("cell", found.initial_cell[np.newaxis]),
        "cell": ("cell", found.cells),
        "context": ("annotation", found.contexts),
        "initial_attentional": ("attentional", found.initial_attentional[np.newaxis]),
        "attentional": ("attentional", found.attentional),
        "embedding": ("embedding", found.embeddings),
        "fed_embedding": ("fed_embedding", found.fed_embeddings),
    }
    known = {name: of for name, of in vectors.items() if f"{of[0]}.mean" in axes}
    return {name: fingerprint(axes, kind, rows) for name, (kind, rows) in known.items()}
