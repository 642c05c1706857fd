"""Serialisation of traces of any network, exact both ways: JSON for scripts, NPZ for NumPy.

Recurrent traces use `regard.model.archive`, format version 2. A Transformer's use version 3: the same keys for numbers
that both have, and for each part of its layers keys such as `cross_attention.weights`.
"""

import io
import json
from dataclasses import fields
from typing import Any

import numpy as np
from jaxtyping import Float, jaxtyped
from numpy import ndarray

from regard.model import archive
from regard.model.archive import from_words, words_of
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.trace import TracePart, TransformerTrace

VERSION = 3
PARTS: dict[str, type[TracePart]] = {
    field.name: field.type
    for field in fields(TransformerTrace)
    if isinstance(field.type, type) and issubclass(field.type, TracePart)
}
TEXT = ("maker", "alignment", "stop", "top_tokens", "intervention")
WHOLE: dict[str, Any] = {"weights": Float[ndarray, "T S"]} | {
    field.name: field.type for field in fields(TransformerTrace) if field.name not in (*TEXT, *PARTS)
}
NAMES = (*WHOLE, *(f"{part}.{name}" for part, kind in PARTS.items() for name in kind.names()))


def to_json(trace: AnyTrace) -> str:
    """Return the trace as one line of JSON."""
    if isinstance(trace, Trace):
        return archive.to_json(trace)
    arrays = _arrays(trace)
    values = {name: array.tolist() for name, array in arrays.items()}
    types = {name: str(array.dtype) for name, array in arrays.items()}
    shapes = {name: array.shape for name, array in arrays.items()}
    return json.dumps({**words_of(trace, VERSION), **values, "types": types, "shapes": shapes}, ensure_ascii=False)


def from_json(text: str) -> AnyTrace:
    """Read a trace from JSON. Raises InputError for anything but a trace of a known format version."""
    try:
        values = json.loads(text)
        if values["format"] != VERSION:
            return archive.from_json(text)
        arrays = {
            name: np.array(values[name], dtype=values["types"][name]).reshape(values["shapes"][name]) for name in NAMES
        }
        return _build(values, arrays)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise InputError(f"not a trace: {error}") from error


def to_npz(trace: AnyTrace) -> bytes:
    """Return a compressed NPZ file: the arrays by name, and all text as JSON under `words`."""
    if isinstance(trace, Trace):
        return archive.to_npz(trace)
    buffer = io.BytesIO()
    words = np.array(json.dumps(words_of(trace, VERSION)))
    np.savez_compressed(buffer, allow_pickle=False, words=words, **_arrays(trace))
    return buffer.getvalue()


def from_npz(content: bytes) -> AnyTrace:
    """Read a trace from NPZ, never unpickling. Raises InputError for anything but a trace of a known format version."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            values = json.loads(str(file["words"]))
            if values["format"] != VERSION:
                return archive.from_npz(content)
            return _build(values, {name: file[name] for name in NAMES})
    except Exception as error:  # NumPy's reader raises many kinds of error for a damaged file
        raise InputError(f"not a trace: {error}") from error


def _arrays(trace: AnyTrace) -> dict[str, ndarray]:
    whole = {name: getattr(trace, name) for name in WHOLE}
    return whole | {
        f"{part}.{name}": getattr(getattr(trace, part), name) for part, kind in PARTS.items() for name in kind.names()
    }


def _build(values: dict[str, Any], arrays: dict[str, ndarray]) -> TransformerTrace:
    _check("", WHOLE, arrays)
    parts = {}
    for part, kind in PARTS.items():
        own = {name: arrays[f"{part}.{name}"] for name in kind.names()}
        _check(f"{part}.", kind.types(), own)
        parts[part] = kind(**own)
    whole = {name: arrays[name] for name in WHOLE if name != "weights"}
    trace = TransformerTrace(**{**from_words(values, arrays["weights"]), **whole, **parts})
    S, T = len(trace.source_ids), len(trace.target_ids)
    for part, size in (("encoder", (S, S)), ("decoder", (T, T)), ("cross", (T, S))):
        if trace.attention(part).weights.shape[2:] != size:
            raise InputError(f"the weights of {part} attention do not fit {S} source and {T} target tokens")
    return trace


def _check(place: str, types: dict[str, Any], arrays: dict[str, ndarray]) -> None:
    """Check types and shapes against the declaration; each letter stands for one size throughout."""
    with jaxtyped("context"):
        for name, expected in types.items():
            if not isinstance(arrays[name], expected):
                array = arrays[name]
                raise InputError(f"{place}{name} is of {array.dtype} and shape {array.shape}, which does not fit")
