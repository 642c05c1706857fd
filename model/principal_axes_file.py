"""File of principal axes: `axes.safetensors` beside a model's weights, in float16, with the hash of that model."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy import ndarray

from regard.model import companion_file
from regard.model.files import write_file
from regard.model.principal_axes import Axes, ModelAxes

AXES = "axes.safetensors"
NAMES = tuple(field.name for field in fields(Axes))  # of the tensors of one kind


def save(axes: ModelAxes, fingerprint: str, sentences: int, folder: Path) -> None:
    """Write the axes of the model with this hash, measured over `sentences` sentences."""
    tensors = {
        f"{kind}.{name}": np.atleast_1d(getattr(one, name)).astype(np.float16)
        for kind, one in axes.items()
        for name in NAMES
    }
    write_file(folder / AXES, companion_file.content(tensors, fingerprint, sentences=sentences))


def load(folder: Path, fingerprint: str) -> ModelAxes:
    """Read the axes beside a model; empty if they are missing, broken or for other weights."""
    return companion_file.read(folder / AXES, fingerprint, _model_axes) or {}


def _model_axes(tensors: dict[str, ndarray], facts: Mapping[str, str]) -> ModelAxes:
    singles = {name: value.astype(np.float32) for name, value in tensors.items()}
    return {kind: _axes(singles, kind) for kind in sorted({name.partition(".")[0] for name in singles})}


def _axes(tensors: dict[str, Any], kind: str) -> Axes:
    mean, directions, deviations, share = (tensors[f"{kind}.{name}"] for name in NAMES)
    if directions.shape != (len(deviations), len(mean)) or not np.all(deviations > 0):
        raise ValueError(f"the tensors of {kind} do not fit each other")
    return Axes(mean, directions, deviations, float(share[0]))
