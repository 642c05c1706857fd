"""Our own traces: one line of JSON each, as `regard.model.archive` writes them.

A file is untrusted, so a trace is checked before and after it is built: types and sizes that would need much memory,
invalid numbers, words without tokens.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from regard.model.alignment import Sentence
from regard.model.archive import from_json, to_json
from regard.model.input_error import InputError
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import HIGHEST, TOKENS, File
from regard.model.trace import Trace

TYPES = {"float32", "float64", "int32", "int64", "bool"}  # of the arrays that a trace may have
NAMES = 200  # characters of a token or a word


def read(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read one trace per line; a single trace may be spread over several lines."""
    return (_sentence(file, *each) for each in file.objects())


def write(sentences: list[ForeignSentence]) -> str:
    """Write a line for each sentence that has a trace."""
    return "".join(to_json(one.trace) + "\n" for one in sentences if one.trace is not None)


def _sentence(file: File, line: int, text: str, values: Any) -> ForeignSentence:
    try:
        types = values["types"].values()
        if not set(types) <= TYPES:
            raise InputError(f"its arrays are of the types {', '.join(sorted(map(str, set(types))))[:80]}")
        trace = from_json(text)
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
    for name, array in {**arrays, "weights": trace.weights}.items():
        if isinstance(array, np.ndarray) and not np.isfinite(array).all():
            raise InputError(f"{name} has numbers that are not finite")
    least, most = trace.weights.min(), trace.weights.max()
    if not 0 <= least <= most <= HIGHEST:
        raise InputError(f"weights lie between {least:g} and {most:g}, not 0 and 1")
    texts: list[Any] = [token for likeliest in trace.top_tokens for token in likeliest]
    if not all(isinstance(text, str) and len(text) <= NAMES for text in texts):
        raise InputError(f"top_tokens must be texts of up to {NAMES} characters")
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
        or len(side.text) > TOKENS * NAMES
        or not all(isinstance(text, str) and len(text) <= NAMES for text in texts)
    ):
        raise InputError(f"tokens and words must be texts of up to {NAMES} characters")
    if not all(type(word) is int for word in side.word_of) or list(side.word_of) != sorted(side.word_of):
        raise InputError("word_of must be whole numbers in order")
    if set(side.word_of) != set(range(len(side.words))):
        raise InputError(f"{len(side.words)} words, some without a token")
