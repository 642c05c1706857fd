"""Plain JSON: an object with source, target and weights per line, or one object; NPZ with the same names is read, too.

    {"source": ["I", "see"], "target": ["je", "vois"], "weights": [[0.9, 0.1], [0.2, 0.8]]}

The names are the arguments of `regard.show`, so weights may be layers × heads × a matrix, and the optional arguments
are accepted. In NPZ, three of them may have the names of Hugging Face's `generate`.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy import ndarray

from regard.model.input_error import InputError
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.given_attention import ATTENTIONS, GivenAttention, show
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import CELLS, File
from regard.model.soft_alignments.tokens import marked

REQUIRED = {"source", "target", "weights"}
NAMES = REQUIRED | {"scores", "probabilities", "next_tokens", "name", *ATTENTIONS}
HUGGING_FACE = {"cross_attentions": "weights", "decoder_attentions": "decoder", "encoder_attentions": "encoder"}
NPZ = b"PK\x03\x04"  # the first bytes of a zip file
LARGEST_MEMBER = 4 * CELLS * 8  # bytes of an array of NPZ, unpacked


def read(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read one object per line; a single one may be spread over several lines."""
    for line, _, values in file.objects():
        try:
            yield of(values, line)
        except InputError as error:
            raise file.wrong(line, str(error)) from error


def of(values: Any, line: int = 1) -> ForeignSentence:
    """Build a sentence from such an object. Raises InputError if a name is unknown or missing."""
    known = isinstance(values, dict) and REQUIRED <= values.keys() <= NAMES
    if not known:
        more = ", ".join(sorted(NAMES - REQUIRED))
        raise InputError(f"accepted is an object with source, target and weights, and perhaps {more}")
    try:
        given = show(values.pop("weights"), values.pop("source"), values.pop("target"), **values)
    except (TypeError, ValueError, LookupError) as error:
        raise InputError(str(error)) from error
    return ForeignSentence(given.alignment, line, given=given)


def write(sentences: list[ForeignSentence]) -> str:
    """Write one object per line."""
    return "".join(f"{_object(one.alignment, one.given)}\n" for one in sentences)


def written(given: GivenAttention) -> str:
    """Return one attention as such an object."""
    return _object(given.alignment, given)


def _object(alignment: Any, given: GivenAttention | None) -> str:
    values: dict[str, Any] = {"source": marked(alignment.source), "target": marked(alignment.target)}
    if given is None:
        return json.dumps({**values, "weights": alignment.weights.tolist()}, ensure_ascii=False)
    for argument, attention in ATTENTIONS.items():
        if attention in given.weights:
            values[argument] = given.weights[attention].tolist()
    if given.scores:
        values["scores"] = given.scores["cross"].tolist()
    if given.probabilities is not None:
        values["probabilities"] = given.probabilities.tolist()
    return json.dumps({**values, "next_tokens": given.next_tokens, "name": given.name}, ensure_ascii=False)


def from_npz(name: str, content: bytes) -> ForeignSentence:
    """Read one sentence from NPZ. Raises InputError naming the file; nothing pickled is loaded."""
    if len(content) > ATTENTION_BYTES:
        raise InputError(f"{name} has {len(content):,} bytes; up to {ATTENTION_BYTES:,} are read")
    try:
        arrays = _arrays(content)
        texts = {key: arrays[key].tolist() for key in ("source", "target", "name") if key in arrays}
        return of({**arrays, **texts})
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def _arrays(content: bytes) -> dict[str, ndarray]:
    """Return the arrays of an NPZ file by their names in `show`. Raises InputError for a file that is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > LARGEST_MEMBER:
            raise InputError(f"its arrays have {size:,} bytes; up to {LARGEST_MEMBER:,} are read")
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {HUGGING_FACE.get(key, key): file[key] for key in map(str, file.files)}
    except InputError:
        raise
    except Exception as error:  # NumPy's reader raises many kinds of error for a damaged file
        raise InputError(f"its arrays cannot be read ({error}); accepted is a file of numpy.savez") from error
    for key, array in arrays.items():
        if not isinstance(array, ndarray):  # NumPy returns the bytes of a member of another kind
            raise InputError(f"{key} is no array; accepted is a file of numpy.savez")
    return arrays
