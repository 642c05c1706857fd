"""Companion file: tensors measured on a model, kept beside its weights with the model's hash.

A model translates without them. A file for other weights or a broken one is ignored, and the reason is logged.
"""

import logging
import lzma
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from numpy import ndarray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load as unpacked
from safetensors.numpy import save as packed

from regard.model.files import in_order

Content = TypeVar("Content")
_log = logging.getLogger("uvicorn.error")


def content(tensors: dict[str, ndarray], fingerprint: str, **facts: object) -> bytes:
    """Return the bytes of a companion file for the model with this hash, with metadata."""
    return in_order(packed(tensors, {"model": fingerprint, **{name: str(value) for name, value in facts.items()}}))


def read(
    path: Path, fingerprint: str, build: Callable[[dict[str, ndarray], Mapping[str, str]], Content]
) -> Content | None:
    """Build a value from a file's tensors and metadata; None if it is missing, broken or for another model."""
    if not path.is_file():
        return None
    try:
        facts = _facts(path)
        if facts["model"] != fingerprint:
            raise ValueError(f"it is of a model with the hash {facts['model']}, and this one has {fingerprint}")
        return build(unpacked(path.read_bytes()), facts)
    except (SafetensorError, lzma.LZMAError, OSError, ValueError, LookupError, TypeError) as error:
        _log.warning("%s is left out: %s", path, error)
        return None


def belongs(path: Path, fingerprint: str) -> bool:
    """Return True if a file's metadata names this model, without reading its tensors."""
    try:
        return _facts(path)["model"] == fingerprint
    except (SafetensorError, OSError, LookupError, TypeError):
        return False


def _facts(path: Path) -> Mapping[str, str]:
    with safe_open(path, "np") as file:
        return file.metadata()
