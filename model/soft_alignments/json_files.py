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

A trace is a line as `regard.model.archive` writes it. Files are untrusted, so a trace is checked before and after it is
built: types and sizes that would need much memory, invalid numbers, words without tokens.
"""

import base64
import io
import json
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from safetensors import SafetensorError
from safetensors.numpy import load

from regard.model import archive
from regard.model.alignment import Alignment, Sentence
from regard.model.input_error import InputError
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.given_attention import ATTENTIONS, LARGEST_MATRIX, GivenAttention, show
from regard.model.soft_alignments.record import (
    NUMBERED,
    TURNED,
    ForeignSentence,
    Read,
    SecondFile,
    Shape,
    each,
    oriented,
)
from regard.model.soft_alignments.text_file import CELLS, HIGHEST, LONGEST_NAME, TOKENS, File
from regard.model.soft_alignments.tokens import marked, numbered
from regard.model.trace import Trace
from regard.model.uploads.npz import NUMBERS, TEXT, Bound, array, read_npz

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
    'accepted is "source" and "target", whose tokens have a "token", and "source_attributions", a list of numbers or '
    'a safetensors file in base64 with an "attribution"'
)
BRACKETS = 500_000  # opening brackets in a file of Inseq; each of its tokens has three
DIMENSIONS = (2, 4)  # of Inseq's tensor: a matrix, or one for each layer and head
PREFIX = "Attributions to the target's own beginning are left out."
TYPES = {"float32", "float64", "int32", "int64", "bool"}  # of the arrays that a trace may have


def plain(file: File, second: SecondFile) -> Iterator[Read]:
    """Read one object per line, a single one over several lines, or a list of objects."""

    def objects() -> Iterator[tuple[int, Any] | InputError]:
        for parsed in each(file.objects(), lambda one: (one[0], file.parse_json(*one))):
            if isinstance(parsed, tuple) and isinstance(parsed[1], list):
                yield from ((parsed[0], one) for one in parsed[1])
            else:
                yield parsed

    def sentence(one: tuple[int, Any], by_source: bool) -> ForeignSentence:
        try:
            return of(one[1], one[0], by_source)
        except InputError as error:
            raise file.wrong(one[0], str(error)) from error

    return oriented(objects(), lambda one: _shape(one[1]), sentence)


def _shape(values: Any) -> Shape:
    """Return the matrix of an object and the numbers of its tokens; an empty one if there is none."""
    try:
        rows = np.asarray(values["weights"], np.float32)
        return Shape(
            rows.reshape(-1, *rows.shape[-2:]),
            len(values.get("target", values["source"])),
            len(values["source"]),
            spare=0,
        )
    except (TypeError, ValueError, LookupError, OverflowError, AttributeError):
        return Shape(np.zeros((0, 0), np.float32), 1, 1, spare=0)


def of(values: Any, line: int = 1, by_source: bool = False) -> ForeignSentence:
    """Build a sentence from such an object. Raises InputError if a name is unknown or missing."""
    known = isinstance(values, dict) and REQUIRED <= values.keys() <= NAMES
    if not known:
        more = ", ".join(sorted(NAMES - REQUIRED))
        raise InputError(f"accepted is an object with source and weights, and perhaps {more}")
    try:
        if by_source:
            turned = (name for name in ("scores", *ATTENTIONS) if values.get(name) is not None)
            values = {**values, **{name: np.swapaxes(np.asarray(values[name], np.float32), -1, -2) for name in turned}}
        given = show(**values)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise InputError(str(error)) from error
    return ForeignSentence(given.alignment, line, given=given)


def from_npz(name: str, content: bytes) -> ForeignSentence:
    """Read one sentence from NPZ. Raises InputError naming the file; nothing pickled is loaded."""
    if len(content) > ATTENTION_BYTES:
        raise InputError(f"{name} has {len(content):,} bytes; up to {ATTENTION_BYTES:,} are read")
    try:
        found = read_npz(content, ARRAYS, LARGEST_ARRAYS)
        arrays = {HUGGING_FACE.get(key, key): values for key, values in found.items()}
        texts = {key: arrays[key].tolist() for key in ("source", "target", "name", "next_tokens") if key in arrays}
        values = {**arrays, **texts}
        (read,) = oriented(iter([values]), _shape, lambda one, by_source: of(one, 1, by_source))
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    if isinstance(read, InputError):
        raise InputError(f"{name}: {read}") from read
    return read


def from_npy(name: str, content: bytes, second: SecondFile) -> ForeignSentence:
    """Read the weights of one sentence from an array of `numpy.save`; its tokens are those of the second file, or
    numbered."""
    try:
        weights = array("the array", content, ARRAYS["weights"])
        rows, columns = weights.shape[-2:] if weights.ndim > 1 else (1, 1)
        values = {"weights": weights, "source": [*second.source(0)], "target": [*second.target(0)]}
        turned = _shape(values).way > 0
        rows, columns = (columns, rows) if turned else (rows, columns)
        unknown = [side for side in ("source", "target") if not values[side]]
        values |= {"source": values["source"] or [*numbered(columns)], "target": values["target"] or [*numbered(rows)]}
        read = of(values, 1, turned)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    notes = (NUMBERED.format(" and the ".join(unknown)),) if unknown else ()
    return replace(read, notes=((TURNED.format("source"),) if turned else ()) + notes)


def inseq(file: File, second: SecondFile) -> Iterator[Read]:
    """Read each sequence of a file of Inseq."""
    values = file.parse_json(1, "\n".join(file.lines), BRACKETS)
    sequences = _inside(values).get("sequence_attributions")
    if not isinstance(sequences, list):
        raise file.wrong(1, 'not an output of Inseq; accepted is JSON with a list of "sequence_attributions"')

    def sentence(one: tuple[int, Any]) -> ForeignSentence:
        called = f"{file.name}, sequence {one[0]}"
        try:
            return _of_inseq(_inside(one[1]))
        except InputError as error:
            raise InputError(f"{called}: {error}") from error
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, SafetensorError) as error:
            reason = f"there is no {error} in it" if isinstance(error, KeyError) else f"it cannot be read ({error})"
            raise InputError(f"{called}: {reason}; {INSEQ}") from error

    return each(enumerate(sequences, 1), sentence)


def _of_inseq(values: dict[str, Any]) -> ForeignSentence:
    source, target = ([str(_inside(token)["token"]) for token in values[side]] for side in ("source", "target"))
    target = target[values.get("attr_pos_start") or 0 : values.get("attr_pos_end")]
    attributions = _tensor(values["source_attributions"])
    if attributions.ndim not in DIMENSIONS:
        raise InputError(
            f"source_attributions have the shape {attributions.shape}; accepted are source × target, perhaps × layers "
            "× heads. Aggregate others, such as those of gradients, before saving"
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


def traces(file: File, second: SecondFile) -> Iterator[Read]:
    """Read one trace per line; a single trace may be spread over several lines."""
    return each(file.objects(), lambda one: _of_trace(file, *one))


def _of_trace(file: File, line: int, text: str) -> ForeignSentence:
    values = file.parse_json(line, text)
    try:
        types = values["types"].values()
        if not set(types) <= TYPES:
            raise InputError(f"its arrays are of the types {', '.join(sorted(map(str, set(types))))[:80]}")
        trace = archive.from_json(text)
        _check(trace)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else f"not a trace ({error!r})"
        if isinstance(error, KeyError):
            reason = f"not a trace: there is no {error.args[0]!r} in it"
        accepted = "accepted is a download of “Trace (JSON)” on the Translate screen"
        raise file.wrong(line, f"{reason[:200]}; {accepted}") from error
    return ForeignSentence(trace.alignment, line, trace=trace)


def _check(trace: Trace) -> None:
    """Check the trace's values. Raises InputError for any that our traces cannot have."""
    for side in (trace.alignment.source, trace.alignment.target):
        _check_sentence(side)
    arrays = {field.name: getattr(trace, field.name) for field in fields(Trace)}
    for name, values in {**arrays, "weights": trace.weights}.items():
        if isinstance(values, np.ndarray) and not np.isfinite(values).all():
            raise InputError(f"{name} has numbers that are not finite")
    least, most = trace.weights.min(), trace.weights.max()
    if not 0 <= least <= most <= HIGHEST:
        raise InputError(f"weights lie between {least:g} and {most:g}, not 0 and 1")
    texts: list[Any] = [token for likeliest in trace.top_tokens for token in likeliest]
    if not all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in texts):
        raise InputError(f"top_tokens must be texts of up to {LONGEST_NAME} characters")
    if [len(likeliest) for likeliest in trace.top_tokens] != [trace.top_ids.shape[1]] * len(trace.top_ids):
        raise InputError("top_tokens and top_ids do not correspond")
    maker = trace.maker
    if not all(isinstance(name, str) for name in (maker.name, maker.fingerprint, maker.score, maker.wiring)):
        raise InputError("model must hold texts only")


def _check_sentence(side: Sentence) -> None:
    if not 0 < len(side.tokens) <= TOKENS:
        raise InputError(f"a side of {len(side.tokens)} tokens; 1 to {TOKENS} can be shown")
    texts: tuple[Any, ...] = (side.language, *side.tokens, *side.words)
    if (
        not isinstance(side.text, str)
        or len(side.text) > TOKENS * LONGEST_NAME
        or not all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in texts)
    ):
        raise InputError(f"tokens and words must be texts of up to {LONGEST_NAME} characters")
    if not all(type(word) is int for word in side.word_of) or list(side.word_of) != sorted(side.word_of):
        raise InputError("word_of must be whole numbers in order")
    if set(side.word_of) != set(range(len(side.words))):
        raise InputError(f"{len(side.words)} words, some without a token")


def arrays_of(alignment: Alignment, given: GivenAttention | None) -> dict[str, Any]:
    """Return the arguments of `show` that make this attention; tokens have the marks of SentencePiece."""
    values: dict[str, Any] = {"source": marked(alignment.source), "target": marked(alignment.target)}
    if given is None:
        return {**values, "weights": alignment.weights}
    for argument, attention in {**ATTENTIONS, "weights": given.main}.items():
        if attention in given.weights:
            values[argument] = given.weights[attention]
    if given.main == "self":
        del values["target"]
    values |= {"scores": given.scores[given.main]} if given.scores else {}
    values |= {"probabilities": given.probabilities} if given.probabilities is not None else {}
    return {**values, "next_tokens": given.next_tokens, "name": given.name}


def to_json(given: GivenAttention) -> str:
    """Return one attention as a line of plain JSON."""
    return _line(arrays_of(given.alignment, given))


def _line(values: dict[str, Any]) -> str:
    return json.dumps(
        {name: value.tolist() if isinstance(value, ndarray) else value for name, value in values.items()},
        ensure_ascii=False,
    )


def to_npz(given: GivenAttention) -> bytes:
    """Return one attention as NPZ."""
    return _packed(arrays_of(given.alignment, given))


def _packed(values: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    arrays: dict[str, Any] = {name: np.array(value) for name, value in values.items() if len(value)}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def write_json(sentence: ForeignSentence) -> str:
    """Write a sentence as plain JSON, or the line of its trace."""
    if sentence.trace is not None:
        return archive.to_json(sentence.trace) + "\n"
    return _line(arrays_of(sentence.alignment, sentence.given)) + "\n"


def write_npz(sentence: ForeignSentence) -> bytes:
    """Write a sentence as NPZ, or its trace as an archive."""
    if sentence.trace is not None:
        return archive.to_npz(sentence.trace)
    return _packed(arrays_of(sentence.alignment, sentence.given))
