"""Serialisation of a trace of any network, exact both ways: JSON for scripts, NPZ for NumPy.

JSON has flat keys: `source` and `target` (tokens), every array of the trace as nested lists, such as `states` or a
Transformer's `cross_attention.weights`, and the metadata needed to interpret them. Numbers are written so that reading
them gives the same bits. `translation` is the text with unknown words carried over from the source, and `carried` lists
them: words from `start` to `stop` of the target and the source, and characters of `text.target`. Both formats carry a
version: 2 for a recurrent network, 3 for a Transformer.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from jaxtyping import jaxtyped
from numpy import ndarray

from regard.model.alignment import Alignment, Posterior, Sentence
from regard.model.changes.intervention import Intervention
from regard.model.input_error import InputError
from regard.model.trace import AnyTrace, Maker, Trace
from regard.model.transformer.trace import TransformerTrace
from regard.model.words import Span

KINDS: dict[int, type[AnyTrace]] = {kind.FORMAT: kind for kind in (Trace, TransformerTrace)}
WORDS = "words"  # the entry of NPZ that has all text
ADDED = {"embeddings": "source_ids", "fed_embeddings": "target_ids"}  # arrays that older archives lack: row per id


def to_json(trace: AnyTrace) -> str:
    """Return the trace as one line of JSON."""
    arrays = _arrays(trace)
    values = {name: array.tolist() for name, array in arrays.items()}
    types = {name: str(array.dtype) for name, array in arrays.items()}
    shapes = {name: array.shape for name, array in arrays.items()}
    return json.dumps({**_words(trace), **values, "types": types, "shapes": shapes}, ensure_ascii=False)


def to_json_afterwards(trace: Trace, posterior: Posterior) -> str:
    """Return the trace as JSON with `likelihood` and `posterior`, which `from_json` ignores."""
    arrays = {"likelihood": posterior.likelihood.tolist(), "posterior": posterior.posterior.tolist()}
    return json.dumps({**json.loads(to_json(trace)), **arrays}, ensure_ascii=False)


def from_json(text: str) -> AnyTrace:
    """Read a trace of any network from JSON. Raises InputError for anything else."""
    try:
        values = json.loads(text)
        kind = _kind(values)
        types, shapes = values["types"], values["shapes"]
        stored = [name for name in kind.array_types() if name not in ADDED or name in values]
        arrays = {name: np.array(values[name], dtype=types[name]).reshape(shapes[name]) for name in stored}
        return _build(kind, values, arrays)
    except InputError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise InputError(f"not a trace: {error}") from error


def to_npz(trace: AnyTrace) -> bytes:
    """Return a compressed NPZ file: the arrays by name, and all text as JSON under `WORDS`."""
    buffer = io.BytesIO()
    words = np.array(json.dumps(_words(trace)))
    np.savez_compressed(buffer, allow_pickle=False, **{WORDS: words}, **_arrays(trace))
    return buffer.getvalue()


def from_npz(content: bytes) -> AnyTrace:
    """Read a trace of any network from NPZ, never unpickling. Raises InputError for anything else."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            values = json.loads(str(file[WORDS]))
            kind = _kind(values)
            stored = [name for name in kind.array_types() if name not in ADDED or name in file]
            return _build(kind, values, {name: file[name] for name in stored})
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


def _arrays(trace: AnyTrace) -> dict[str, ndarray]:
    return dict(zip(trace.array_types(), trace.arrays(), strict=True))


def _kind(values: Mapping[str, Any]) -> type[AnyTrace]:
    """Return the kind of trace that these values are. Raises InputError for another format."""
    if values["format"] not in KINDS:
        read = " and ".join(map(str, KINDS))
        raise InputError(f"trace format {values['format']} cannot be read; this program reads {read}")
    return KINDS[values["format"]]


def _words(trace: AnyTrace) -> dict[str, Any]:
    """Return everything in a trace that is not an array, ready for JSON."""
    source, target = trace.alignment.source, trace.alignment.target
    return {
        "format": trace.FORMAT,
        "model": trace.maker.told(),
        "text": {"source": source.text, "target": target.text},
        "languages": {"source": source.language, "target": target.language},
        "source": source.tokens,
        "target": target.tokens,
        "words": {"source": source.words, "target": target.words},
        "word_of": {"source": source.word_of, "target": target.word_of},
        "characters": {
            side: [(s.start, s.stop) for s in part.characters]
            for side, part in {"source": source, "target": target}.items()
        },
        "translation": trace.text,
        "carried": [asdict(one) for one in trace.carried],
        "stop": trace.stop,
        "intervention": json.loads(trace.intervention.to_json()),
        "log_probability": trace.log_probability,
        "entropy": trace.entropy.tolist(),
        "top_tokens": trace.top_tokens,
    }


def _build(kind: type[AnyTrace], values: dict[str, Any], arrays: dict[str, ndarray]) -> AnyTrace:
    missing = (name for name in ADDED if name in kind.array_types() and name not in arrays)
    arrays |= {name: np.zeros((len(arrays[ADDED[name]]), 0), np.float32) for name in missing}
    parts: dict[str, dict[str, ndarray]] = defaultdict(dict)
    for name, array in arrays.items():
        group, _, own = name.rpartition(".")
        parts[group][own] = array
    types = kind.array_types()
    groups: dict[str, Any] = {field.name: field.type for field in fields(kind)}
    for group, members in parts.items():
        _check(group and f"{group}.", types, members)
    whole = parts.pop("")
    made: dict[str, Any] = {group: groups[group](**members) for group, members in parts.items()}
    maker = values["model"]
    return kind(
        maker=Maker(**{**maker, "gates": tuple(maker["gates"])}),
        alignment=Alignment(_sentence(values, "source"), _sentence(values, "target"), whole.pop("weights")),
        stop=values["stop"],
        intervention=Intervention.from_json(json.dumps(values["intervention"])),
        top_tokens=tuple(map(tuple, values["top_tokens"])),
        **whole,
        **made,
    )


def _check(place: str, types: Mapping[str, Any], arrays: Mapping[str, ndarray]) -> None:
    """Check types and shapes against the declaration of the trace; each letter stands for one size throughout."""
    with jaxtyped("context"):
        for name, array in arrays.items():
            if not isinstance(array, types[place + name]):
                shown = f"an array of {array.dtype} and shape {array.shape}"
                raise InputError(f"{place}{name} is {shown}, which does not fit")


def _sentence(values: dict[str, Any], side: str) -> Sentence:
    return Sentence(
        values["text"][side],
        values["languages"][side],
        tuple(values[side]),
        tuple(values["words"][side]),
        tuple(values["word_of"][side]),
        tuple(Span(*pair) for pair in values["characters"][side]),
    )
