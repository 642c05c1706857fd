"""Serialisation of a trace, exact both ways: JSON for scripts, NPZ for NumPy.

JSON has flat keys: `source` and `target` (tokens), every array of `Trace` as nested lists, and the metadata needed to
interpret them. Numbers are written so that reading them gives the same bits. Both formats carry a version.
"""

import csv
import io
import json
from dataclasses import fields
from typing import Any

import numpy as np
from jaxtyping import Float, jaxtyped
from numpy import ndarray

from regard.model.alignment import Alignment, Sentence
from regard.model.changes.intervention import Intervention
from regard.model.input_error import InputError
from regard.model.posterior_attention import Posterior
from regard.model.trace import AnyTrace, Maker, Trace
from regard.model.words import Span

VERSION = 2

_ARRAYS: dict[str, Any] = {
    field.name: field.type
    for field in fields(Trace)
    if field.name not in ("maker", "alignment", "stop", "top_tokens", "intervention")
}
_TYPES = {"weights": Float[ndarray, "T S"], **_ARRAYS}


def to_json(trace: Trace) -> str:
    """Return the trace as one line of JSON."""
    arrays = {name: array.tolist() for name, array in _arrays(trace).items()}
    types = {name: str(array.dtype) for name, array in _arrays(trace).items()}
    shapes = {name: array.shape for name, array in _arrays(trace).items()}
    return json.dumps({**words_of(trace, VERSION), **arrays, "types": types, "shapes": shapes}, ensure_ascii=False)


def to_json_afterwards(trace: Trace, posterior: Posterior) -> str:
    """Return the trace as JSON with `likelihood` and `posterior`, which `from_json` ignores."""
    arrays = {"likelihood": posterior.likelihood.tolist(), "posterior": posterior.posterior.tolist()}
    return json.dumps({**json.loads(to_json(trace)), **arrays}, ensure_ascii=False)


def from_json(text: str) -> Trace:
    """Read a trace from JSON. Raises InputError for anything but a trace of this format version."""
    try:
        values = json.loads(text)
        _check(values)
        arrays = {
            name: np.array(values[name], dtype=values["types"][name]).reshape(values["shapes"][name]) for name in _TYPES
        }
        return _build(values, arrays)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise InputError(f"not a trace: {error}") from error


def to_npz(trace: Trace) -> bytes:
    """Return a compressed NPZ file: the arrays by name, and all text as JSON under `words`."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer, allow_pickle=False, words=np.array(json.dumps(words_of(trace, VERSION))), **_arrays(trace)
    )
    return buffer.getvalue()


def from_npz(content: bytes) -> Trace:
    """Read a trace from NPZ, never unpickling. Raises InputError for anything but a trace of this format version."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            values = json.loads(str(file["words"]))
            _check(values)
            return _build(values, {name: file[name] for name in _TYPES})
    except Exception as error:  # NumPy's reader raises many kinds of error for a damaged file
        raise InputError(f"not a trace: {error}") from error


def weights_csv(trace: AnyTrace) -> str:
    """Return the weights as a CSV table: a row per step with the token it produced, a column per source token. A token
    that a spreadsheet would read as a formula is prefixed with an apostrophe."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["target", *map(no_formula, trace.source)])
    for token, row in zip(trace.target, trace.weights.tolist(), strict=True):
        writer.writerow([no_formula(token), *row])
    return buffer.getvalue()


def no_formula(token: str) -> str:
    """Prefix a token with an apostrophe if a spreadsheet would read it as a formula."""
    return f"'{token}" if token.lstrip().startswith(("=", "+", "-", "@")) else token


def _check(values: dict[str, Any]) -> None:
    if values["format"] != VERSION:
        raise InputError(f"trace format {values['format']} cannot be read; this program reads {VERSION}")


def _check_arrays(arrays: dict[str, ndarray]) -> None:
    """Check types and shapes against the declaration of `Trace`; each letter stands for one size throughout."""
    with jaxtyped("context"):
        for name, array in arrays.items():
            if not isinstance(array, _TYPES[name]):
                raise InputError(f"{name} is an array of {array.dtype} and shape {array.shape}, which does not fit")


def _arrays(trace: Trace) -> dict[str, ndarray]:
    return {"weights": trace.weights} | {name: getattr(trace, name) for name in _ARRAYS}


def words_of(trace: AnyTrace, version: int) -> dict[str, Any]:
    """Return everything in a trace that is not an array, ready for JSON."""
    source, target = trace.alignment.source, trace.alignment.target
    return {
        "format": version,
        "model": trace.maker.told(),
        "text": {"source": source.text, "target": target.text},
        "languages": {"source": source.language, "target": target.language},
        "source": source.tokens,
        "target": target.tokens,
        "words": {"source": source.words, "target": target.words},
        "word_of": {"source": source.word_of, "target": target.word_of},
        "characters": {side: [(s.start, s.stop) for s in part.characters] for side, part in _sides(trace)},
        "stop": trace.stop,
        "intervention": json.loads(trace.intervention.to_json()),
        "log_probability": trace.log_probability,
        "entropy": trace.entropy.tolist(),
        "top_tokens": trace.top_tokens,
    }


def _sides(trace: AnyTrace) -> list[tuple[str, Sentence]]:
    return [("source", trace.alignment.source), ("target", trace.alignment.target)]


def _build(values: dict[str, Any], arrays: dict[str, ndarray]) -> Trace:
    _check_arrays(arrays)
    return Trace(**{**from_words(values, arrays["weights"]), **{name: arrays[name] for name in _ARRAYS}})


def from_words(values: dict[str, Any], weights: Float[ndarray, "T S"]) -> dict[str, Any]:
    """Return the fields of a trace that `words_of` wrote, by name."""
    maker = values["model"]
    return {
        "maker": Maker(**{**maker, "gates": tuple(maker["gates"])}),
        "alignment": Alignment(_sentence(values, "source"), _sentence(values, "target"), weights),
        "stop": values["stop"],
        "intervention": Intervention.from_json(json.dumps(values["intervention"])),
        "top_tokens": tuple(map(tuple, values["top_tokens"])),
    }


def _sentence(values: dict[str, Any], side: str) -> Sentence:
    return Sentence(
        values["text"][side],
        values["languages"][side],
        tuple(values[side]),
        tuple(values["words"][side]),
        tuple(values["word_of"][side]),
        tuple(Span(*pair) for pair in values["characters"][side]),
    )
