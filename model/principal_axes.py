"""Principal axes of one kind of vector: the directions in which such vectors differ most. Hotelling (1933).

    a_k = v_k · (x − mean) / σ_k

x is a vector, `mean` that of its kind over ordinary sentences, v_k the k-th eigenvector of their covariance, and σ_k²
its eigenvalue. Coordinates are affine in x and attention weights sum to 1, so the coordinates of a context are exactly
the weighted sum of the annotations' coordinates: a(Σ α_i h_i) = Σ α_i a(h_i).

`axes.safetensors` beside a model's weights keeps its axes in float16, with the hash of that model.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from regard.model.files import companion_content, read_companion, write_file

KEPT = 12  # with 12, the annotation nearest to a context has a weight above .6 in 99.8% of the steps that have one
QUIETEST = float(np.finfo(np.float16).tiny)  # deviation; files hold float16, and less is mostly rounding
LEAST = 1e-6  # share of the largest eigenvalue; along a smaller one, vectors hardly differ

AXES = "axes.safetensors"
ADDED = ("embedding", "fed_embedding")  # kinds that files measured before 0.7 lack


@dataclass(frozen=True, eq=False)
class Axes:
    """The mean of a kind of vector, the directions in which it varies most, and its deviation along each."""

    mean: Float[ndarray, " E"]
    directions: Float[ndarray, "K E"]  # of length 1, the largest variance first
    deviations: Float[ndarray, " K"]
    share: float  # share of the variance along these directions

    def coordinates(self, vectors: Float[ndarray, "N E"]) -> Float[ndarray, "N K"]:
        """Return the coordinates of each vector, in standard deviations from the mean."""
        return ((vectors - self.mean) @ self.directions.T / self.deviations).astype(np.float32)


ModelAxes = Mapping[str, Axes]  # by kind of vector; empty if the model's axes were never measured


class Moments:
    """The count, the sum and the sum of products of vectors, from which their axes follow."""

    def __init__(self, width: int) -> None:
        self.width, self.count = width, 0
        self.sum, self.products = np.zeros(width), np.zeros((width, width))

    def add(self, vectors: Float[ndarray, "N E"]) -> None:
        """Add vectors to the counts."""
        wide = vectors.astype(np.float64)
        self.count += len(wide)
        self.sum += wide.sum(0)
        self.products += wide.T @ wide

    def axes(self) -> Axes:
        """Return at most `KEPT` principal axes; the largest component of each direction is positive."""
        mean = self.sum / self.count
        variances, vectors = np.linalg.eigh(self.products / self.count - np.outer(mean, mean))
        order = np.argsort(-variances)[:KEPT]
        kept = order[variances[order] > max(LEAST * variances.max(), QUIETEST**2)]
        directions = vectors.T[kept]
        largest = np.take_along_axis(directions, np.abs(directions).argmax(1)[:, None], 1)
        share = float(variances[kept].sum() / variances.clip(0).sum()) if len(kept) else 0.0
        deviations = np.sqrt(variances[kept]).astype(np.float32)
        return Axes(mean.astype(np.float32), (directions * np.sign(largest)).astype(np.float32), deviations, share)


NAMES = tuple(field.name for field in fields(Axes))  # of the tensors of one kind


def save_axes(axes: ModelAxes, fingerprint: str, sentences: int, folder: Path) -> None:
    """Write the axes of the model with this hash, measured over `sentences` sentences."""
    tensors = {
        f"{kind}.{name}": np.atleast_1d(getattr(one, name)).astype(np.float16)
        for kind, one in axes.items()
        for name in NAMES
    }
    write_file(folder / AXES, companion_content(tensors, fingerprint, sentences=sentences))


def load_axes(folder: Path, fingerprint: str) -> ModelAxes:
    """Read the axes beside a model; empty if they are missing, broken or for other weights."""
    return read_companion(folder / AXES, fingerprint, _model_axes) or {}


def _model_axes(tensors: dict[str, ndarray], facts: Mapping[str, str]) -> ModelAxes:
    singles = {name: value.astype(np.float32) for name, value in tensors.items()}
    found: dict[str, Axes] = {}
    for kind in sorted({name.partition(".")[0] for name in singles}):
        mean, directions, deviations, share = (singles[f"{kind}.{name}"] for name in NAMES)
        if directions.shape != (len(deviations), len(mean)) or not np.all(deviations > 0):
            raise ValueError(f"the tensors of {kind} do not fit each other")
        found[kind] = Axes(mean, directions, deviations, float(share[0]))
    return found
