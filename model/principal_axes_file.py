"""File of principal axes: `axes.safetensors` beside a model's weights, in float16, with the hash of that model."""

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as unpacked
from safetensors.numpy import save as packed

from regard.model.files import at_once
from regard.model.principal_axes import Axes, ModelAxes

AXES = "axes.safetensors"
_LENGTH = 8  # bytes of the header's length
_log = logging.getLogger("uvicorn.error")


def save(axes: ModelAxes, fingerprint: str, sentences: int, folder: Path) -> None:
    """Write the axes of the model whose files have this hash, measured over so many sentences."""
    tensors = {f"{kind}.{name}": value for kind, one in axes.items() for name, value in _tensors(one).items()}
    metadata = {"model": fingerprint, "sentences": str(sentences)}
    at_once(folder / AXES, lambda path: path.write_bytes(packed(tensors, metadata)))


def load(folder: Path, fingerprint: str) -> ModelAxes:
    """Read the axes beside a model; empty where there are none, or the file is broken or of other weights.

    A model translates without them, so what is wrong with the file goes into the log.
    """
    path = folder / AXES
    if not path.is_file():
        return {}
    try:
        content = path.read_bytes()
        length = int.from_bytes(content[:_LENGTH], "little")
        measured = json.loads(content[_LENGTH : _LENGTH + length])["__metadata__"]["model"]
        if measured != fingerprint:
            raise ValueError(f"it is of a model with the hash {measured}, and this one has {fingerprint}")
        tensors = {name: value.astype(np.float32) for name, value in unpacked(content).items()}
        return {kind: _axes(tensors, kind) for kind in sorted({name.partition(".")[0] for name in tensors})}
    except (SafetensorError, OSError, ValueError, LookupError, TypeError) as error:
        _log.warning("%s is left out: %s", path, error)
        return {}


def _tensors(axes: Axes) -> dict[str, Any]:
    values = {"mean": axes.mean, "directions": axes.directions, "deviations": axes.deviations}
    return {name: value.astype(np.float16) for name, value in {**values, "share": np.array([axes.share])}.items()}


def _axes(tensors: dict[str, Any], kind: str) -> Axes:
    mean, directions, deviations, share = (
        tensors[f"{kind}.{name}"] for name in ("mean", "directions", "deviations", "share")
    )
    if directions.shape != (len(deviations), len(mean)) or not np.all(deviations > 0):
        raise ValueError(f"the tensors of {kind} do not fit each other")
    return Axes(mean, directions, deviations, float(share[0]))
