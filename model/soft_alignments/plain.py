"""Plain JSON: an object with source, target and weights per line, or one object; NPZ with the same names is read, too.

    {"source": ["I", "see"], "target": ["je", "vois"], "weights": [[0.9, 0.1], [0.2, 0.8]]}

The names are the arguments of `regard.show`, so weights may be layers × heads × a matrix, and the optional arguments
are accepted. In NPZ, three of them may have the names of Hugging Face's `generate`.
"""

import json
from collections.abc import Iterator
from typing import Any

from regard.model.input_error import InputError
from regard.model.readable import ATTENTION_BYTES
from regard.model.soft_alignments.given_attention import ATTENTIONS, LARGEST_MATRIX, GivenAttention, show
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import CELLS, TOKENS, File
from regard.model.soft_alignments.tokens import marked
from regard.model.uploads.npz import NUMBERS, TEXT, Bound, read_npz

REQUIRED = {"source", "target", "weights"}
NAMES = REQUIRED | {"scores", "probabilities", "next_tokens", "name", *ATTENTIONS}
HUGGING_FACE = {"cross_attentions": "weights", "decoder_attentions": "decoder", "encoder_attentions": "encoder"}
NPZ = b"PK\x03\x04"  # the first bytes of a zip file
LARGEST_ARRAYS = 4 * CELLS * 8  # bytes of all arrays of NPZ, unpacked
ARRAYS = {  # of NPZ
    **dict.fromkeys((*ATTENTIONS, *HUGGING_FACE, "scores"), Bound(NUMBERS, LARGEST_MATRIX, CELLS)),
    "probabilities": Bound(NUMBERS, 1, 2 * TOKENS),
    **dict.fromkeys(("source", "target"), Bound(TEXT, 1, 2 * TOKENS)),
    "next_tokens": Bound(TEXT, 3, 100 * TOKENS),
    "name": Bound(TEXT, 0, 1),
}


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
        found = read_npz(content, ARRAYS, LARGEST_ARRAYS)
        arrays = {HUGGING_FACE.get(key, key): values for key, values in found.items()}
        texts = {key: arrays[key].tolist() for key in ("source", "target", "name") if key in arrays}
        return of({**arrays, **texts})
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
