"""Companion file: tensors that were measured on a model and stand beside its weights, with the hash of that model.

A model translates without them. A file of other weights is worthless, so it is left out, as is a broken one; the log
says why.
"""

import json
import logging
import lzma
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from numpy import ndarray
from safetensors import SafetensorError
from safetensors.numpy import load as unpacked
from safetensors.numpy import save as packed

from regard.model.files import in_order

Content = TypeVar("Content")
_LENGTH = 8  # bytes of the header's length
_LONGEST = 2**20  # bytes of a header
_log = logging.getLogger("uvicorn.error")


def content(tensors: dict[str, ndarray], fingerprint: str, **facts: object) -> bytes:
    """Return the bytes of a file of the model whose files have this hash, with facts about it."""
    return in_order(packed(tensors, {"model": fingerprint, **{name: str(value) for name, value in facts.items()}}))


def read(
    path: Path, fingerprint: str, build: Callable[[dict[str, ndarray], Mapping[str, str]], Content]
) -> Content | None:
    """Build a value of a file's tensors and facts; None where there is no file of this model, or it is broken."""
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
    """Return True if a file says that it is of this model, without reading its tensors."""
    try:
        return _facts(path)["model"] == fingerprint
    except (OSError, ValueError, LookupError, TypeError):
        return False


def _facts(path: Path) -> Mapping[str, str]:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH), "little")
        if length > _LONGEST:
            raise ValueError(f"its header of {length} bytes is too long")
        return json.loads(file.read(length))["__metadata__"]
