"""Attention in JSON and NPZ: plain matrices, Inseq's files, and traces of Regard.

Plain JSON, an object per line or one object; NPZ with the same names is read, too:

    {"source": ["I", "see"], "target": ["je", "vois"], "weights": [[0.9, 0.1], [0.2, 0.8]]}

The names are the arguments of `regard.show`, so weights may be layers × heads × a matrix, without target those of
self-attention, and the optional arguments are accepted. In NPZ, three of them may have the names of Hugging Face's
`generate`.

Inseq 0.7, `FeatureAttributionOutput.save` (Sarti et al. 2023):

    {"attributes": {"sequence_attributions": [{"attributes": {"source": [{"attributes": {"token": ...}}], "target": ...,
    "source_attributions": base64 of a safetensors file with one tensor, "attribution"}}]}}

The tensor is source × target, for the method `attention` followed by layers × heads. With `use_primitives=True` there
is no "attributes" level.

A trace is a line, or NPZ, as `regard.model.archive` writes it. Files are untrusted, so a trace is checked before and
after it is built: types and sizes that would need much memory, invalid numbers, words without tokens.
"""

import base64
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from safetensors import SafetensorError
from safetensors.numpy import load

from regard.model import archive
from regard.model.input_error import InputError, naming
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.given_attention import (
    ATTENTIONS,
    CELLS,
    HIGHEST,
    LARGEST_MATRIX,
    LONGEST_NAME,
    TOKENS,
    GivenAttention,
    show,
)
from regard.model.soft_alignments.record import NUMBERED, File, ForeignSentence, Found, LineError, SecondFile, each
from regard.model.soft_alignments.tokens import marked, numbered
from regard.model.trace import AnyTrace
from regard.model.uploads.arrays import NUMBERS, TEXT, Bound, array, read_npz

REQUIRED = {"source", "weights"}
NAMES = REQUIRED | {"target", "scores", "probabilities", "next_tokens", "name", *ATTENTIONS}
HUGGING_FACE = {"cross_attentions": "weights", "decoder_attentions": "decoder", "encoder_attentions": "encoder"}
NPZ, NPY = b"PK\x03\x04", b"\x93NUMPY"  # the first bytes of a zip file, and of an array alone
LARGEST_ARRAYS = 4 * CELLS * 8  # bytes of all arrays of NPZ, unpacked
ARRAYS = {  # of NPZ
    **dict.fromkeys((*ATTENTIONS, *HUGGING_FACE, "scores"), Bound(NUMBERS, LARGEST_MATRIX, CELLS)),
    "probabilities": Bound(NUMBERS, 1, 2 * TOKENS),
    **dict.fromkeys(("source", "target"), Bound(TEXT, 1, 2 * TOKENS)),
    "next_tokens": Bound(TEXT, 3, 100 * TOKENS),
    "name": Bound(TEXT, 0, 1),
}
INSEQ = (
    'accepted is "source" and "target", whose tokens have a "token", and "source_attributions", source × target, '
    'perhaps × layers × heads, as a list or a safetensors file in base64 with an "attribution"'
)
TRACE = {  # the arrays of a trace in NPZ
    **{name: Bound(NUMBERS, 5, CELLS) for kind in archive.KINDS.values() for name in kind.array_types()},
    archive.WORDS: Bound(TEXT, 0, 1, longest=10**6),
}
BRACKETS = 100_000  # opening brackets in the JSON of a sentence
INSEQ_BRACKETS = 500_000  # in a file of Inseq; each of its tokens has three
DIMENSIONS = (2, 4)  # of Inseq's tensor: a matrix, or one for each layer and head
PREFIX = "Attributions to the target's own beginning are left out."
WRONG = ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, SafetensorError
TYPES = {"float32", "float64", "int32", "int64", "bool"}  # of the arrays that a trace may have


@contextmanager
def _untrusted(accepted: str = "") -> Iterator[None]:
    """Turn the errors that values of a wrong kind cause into an InputError, which says what is accepted."""
    try:
        yield
    except WRONG as error:
        reason = f"there is no {error} in it" if isinstance(error, KeyError) else str(error)[:400]
        raise InputError(f"{reason}{accepted}") from error


def parse_json(text: str, most: int = BRACKETS) -> Any:
    """Parse JSON. Raises InputError if it is none, or could hold too much: a list takes twenty times as much memory as
    its two characters, a million names a second."""
    for count, limit, of in (
        (text.count("[") + text.count("{"), most, "lists and objects"),
        (text.count(":"), 2 * most, "names"),
        (text.count(","), CELLS, "values"),
    ):
        if count > limit:
            raise InputError(f"{count:,} {of}; up to {limit:,} are read")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise LineError(f"this is not JSON at column {error.colno} ({error.msg})", error.lineno - 1) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON ({error})") from error


def objects(file: File) -> list[tuple[int, str]]:
    """Return the number and the text of each line of JSON; a single object may be spread over lines."""
    lines = [(number, text) for number, text in enumerate(file.lines, 1) if text.strip()]
    if len(lines) > 1 and not lines[0][1].rstrip().endswith("}"):
        lines = [(lines[0][0], "\n".join(file.lines[lines[0][0] - 1 :]))]
    return lines


def plain(file: File, second: SecondFile) -> Iterator[Found | InputError]:
    """Read one object per line, a single one over several lines, or a list of objects."""

    def found(text: str) -> Iterator[Found]:
        values = parse_json(text)
        yield from map(_found, values if isinstance(values, list) else [values])

    return each(file, objects(file), found)


def keeps_trace(content: bytes) -> bool:
    """True for a trace in NPZ."""
    return content.startswith(NPZ) and f"{archive.WORDS}.npy".encode() in content


def npz(name: str, content: bytes, second: SecondFile) -> Found:
    """Read one sentence or trace from NPZ, or its weights alone from an array of `numpy.save`, whose tokens are those
    of the second file, or numbered. Raises InputError naming the file; nothing pickled is loaded."""
    with naming(name), _untrusted():
        if content.startswith(NPY):
            source, target = second.sides(0)
            weights = array("the array", content, ARRAYS["weights"])
            return _found({"weights": weights, "source": [*source], "target": [*target]}, name, number=True)
        if len(content) > ATTENTION_BYTES:
            raise InputError(f"it has {len(content):,} bytes; up to {ATTENTION_BYTES:,} are read")
        if keeps_trace(content):
            read_npz(content, TRACE, LARGEST_ARRAYS)  # raises InputError beyond its bounds
            return _of_trace(archive.from_npz(content))
        arrays = {
            HUGGING_FACE.get(key, key): values for key, values in read_npz(content, ARRAYS, LARGEST_ARRAYS).items()
        }
    texts = {key: arrays[key].tolist() for key in ("source", "target", "name", "next_tokens") if key in arrays}
    return _found({**arrays, **texts}, name)


def _found(values: Any, where: str = "", number: bool = False) -> Found:
    """Return the weights of an object that has the arguments of `show`; those that it lacks are found missing when its
    sentence is built. `number` numbers the tokens of a side that has none."""

    def build(by_source: bool) -> ForeignSentence:
        with _untrusted():
            return _sentence(values, by_source, number)

    try:
        rows = np.asarray(values["weights"], np.float32)
        source, target = (tuple(values[side]) for side in ("source", "target" if "target" in values else "source"))
        return Found(source, target, rows=rows.reshape(-1, *rows.shape[-2:]), spare=0, build=build, where=where)
    except (TypeError, ValueError, LookupError, OverflowError, AttributeError):
        return Found(build=build, where=where)


def _sentence(values: Any, by_source: bool, number: bool) -> ForeignSentence:
    """Build a sentence of the arguments of `show`. Raises InputError if a name is unknown or missing."""
    if not isinstance(values, dict) or not REQUIRED <= values.keys() <= NAMES:
        more = ", ".join(sorted(NAMES - REQUIRED))
        raise InputError(f"accepted is an object with source and weights, and perhaps {more}")
    notes: tuple[str, ...] = ()
    if by_source:
        turned = (name for name in ("scores", *ATTENTIONS) if values.get(name) is not None)
        values = {**values, **{name: np.swapaxes(np.asarray(values[name], np.float32), -1, -2) for name in turned}}
    if number:
        counts: dict[str, int] = dict(zip(("target", "source"), values["weights"].shape[-2:], strict=False))
        unknown = [side for side in ("source", "target") if not values[side]]
        values = {**values, **{side: [*numbered(counts.get(side, 1))] for side in unknown}}
        notes = (NUMBERED.format(" and the ".join(unknown)),) if unknown else ()
    given = show(**values)
    return ForeignSentence(given.alignment, 1, notes=notes, given=given)


def inseq(file: File, second: SecondFile) -> Iterator[Found | InputError]:
    """Read each sequence of a file of Inseq."""

    def found(text: str) -> Iterator[Found]:
        sequences = _inside(parse_json(text, INSEQ_BRACKETS)).get("sequence_attributions")
        if not isinstance(sequences, list):
            raise InputError('not an output of Inseq; accepted is JSON with a list of "sequence_attributions"')
        for number, sequence in enumerate(sequences, 1):
            where = f"{file.name}, sequence {number}"
            yield Found(build=lambda _, one=sequence: _of_inseq(_inside(one)), where=where)

    return each(file, [(1, "\n".join(file.lines))], found)


def _of_inseq(values: dict[str, Any]) -> ForeignSentence:
    with _untrusted(f"; {INSEQ}"):
        source, target = ([str(_inside(token)["token"]) for token in values[side]] for side in ("source", "target"))
        target = target[values.get("attr_pos_start") or 0 : values.get("attr_pos_end")]
        attributions = _tensor(values["source_attributions"])
        if attributions.ndim not in DIMENSIONS:
            raise InputError(
                f"source_attributions have the shape {attributions.shape}, which has to be aggregated before saving"
            )
        weights = attributions.T if attributions.ndim == 2 else attributions.transpose(2, 3, 1, 0)
        chances = (values.get("step_scores") or {}).get("probability")
        given = show(weights, source, target, probabilities=None if chances is None else _tensor(chances), name="Inseq")
    notes = (PREFIX,) if values.get("target_attributions") else ()
    return ForeignSentence(given.alignment, 1, notes=notes, given=given)


def _tensor(value: Any) -> Float[ndarray, "..."]:
    """Return a tensor in any of the forms that versions of Inseq write."""
    if isinstance(value, str):
        return load(base64.b64decode(value, validate=True))["attribution"].astype(np.float32)
    return np.array(value["__ndarray__"] if isinstance(value, dict) else value, dtype=np.float32)


def _inside(value: Any) -> dict[str, Any]:
    """Return the attributes of an instance, or none of what is no object."""
    inside = value.get("attributes", value) if isinstance(value, dict) else {}
    return inside if isinstance(inside, dict) else {}


def traces(file: File, second: SecondFile) -> Iterator[Found | InputError]:
    """Read one trace per line; a single trace may be spread over several lines."""

    def found(text: str) -> Iterator[Found]:
        values = parse_json(text)
        with naming("not a trace"), _untrusted("; accepted is a download of “Trace (JSON)” on the Translate screen"):
            types = values["types"].values()
            if not set(types) <= TYPES:
                raise InputError(f"its arrays are of the types {', '.join(sorted(map(str, set(types))))[:80]}")
            yield _of_trace(archive.from_json(text))

    return each(file, objects(file), found)


def _of_trace(trace: AnyTrace) -> Found:
    """Return the sentence of a trace. Raises InputError for values that our traces cannot have."""
    texts: list[Any] = [token for likeliest in trace.top_tokens for token in likeliest]
    for side in (trace.alignment.source, trace.alignment.target):
        if not 0 < len(side.tokens) <= TOKENS:
            raise InputError(f"a side of {len(side.tokens)} tokens; 1 to {TOKENS:,} can be shown")
        texts += [side.language, *side.tokens, *side.words]
        if [*side.word_of] != sorted(side.word_of) or {*side.word_of} != {*range(len(side.words))}:
            raise InputError("word_of must give each word its tokens, in order")
    maker = trace.maker
    texts += [maker.name, maker.fingerprint, maker.score, maker.wiring]
    if not all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in texts):
        raise InputError(f"tokens, words and names must be texts of up to {LONGEST_NAME} characters")
    if [len(likeliest) for likeliest in trace.top_tokens] != [trace.top_ids.shape[1]] * len(trace.top_ids):
        raise InputError("top_tokens and top_ids do not correspond")
    for name, values in zip(trace.array_types(), trace.arrays(), strict=True):
        if not np.isfinite(values).all():
            raise InputError(f"{name} has numbers that are not finite")
    least, most = trace.weights.min(), trace.weights.max()
    if not 0 <= least <= most <= HIGHEST:
        raise InputError(f"weights lie between {least:g} and {most:g}, not 0 and 1")
    return Found(build=lambda _: ForeignSentence(trace.alignment, 1, trace=trace))


def to_json(written: GivenAttention | ForeignSentence) -> str:
    """Return one attention as a line of plain JSON."""
    arrays = _arguments(written)
    values = {name: value.tolist() if isinstance(value, ndarray) else value for name, value in arrays.items()}
    return json.dumps(values, ensure_ascii=False)


def to_npz(written: GivenAttention | ForeignSentence) -> bytes:
    """Return one attention as NPZ."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {name: np.array(value) for name, value in _arguments(written).items() if len(value)}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _arguments(written: GivenAttention | ForeignSentence) -> dict[str, Any]:
    """Return the arguments of `show` that make this attention; tokens have the marks of SentencePiece."""
    source, target = map(marked, (written.alignment.source, written.alignment.target))
    given = written if isinstance(written, GivenAttention) else written.given
    if given is None:
        return {"source": source, "target": target, "weights": written.alignment.weights}
    values: dict[str, Any] = {"source": source, "target": None if given.main == "self" else target}
    values |= {argument: given.heads.get(attention) for argument, attention in ATTENTIONS.items()}
    values |= {"weights": given.heads[given.main], "scores": given.scores.get(given.main)}
    values |= {"probabilities": given.probabilities, "next_tokens": given.next_tokens, "name": given.name}
    return {name: value for name, value in values.items() if value is not None}
