"""Arguments of `import regard`: checked, and read with a warning for each item that is not taken as it is.

They are typed `Any` here, because the public functions say what they should be and callers give something else.
"""

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import Pretrained, named_folder
from regard.model.input_error import InputError, InputWarning, check_choice
from regard.model.linear import decoding_threads
from regard.model.readable import CHARACTERS, MOST, is_cut, remark, shorten
from regard.model.trace import AnyTrace, TraceList
from regard.model.truecasing import not_english, read_as
from regard.model.word_alignment.detokenize import links
from regard.model.word_alignment.from_attention import fits, forced, joined, word_weights
from regard.model.word_alignment.posterior import READINGS
from regard.model.words import visible_note

RECORDS = ("everything", "weights")


def folder_of(model: Any) -> Path:
    """Return the folder of a model, given by path, by name, or as listed. Raises InputError for an empty name."""
    name = str(model if isinstance(model, str | Path) else getattr(model, "name", model))
    if not name.strip():
        raise InputError("the name of the model is empty; regard.models() lists those that are shipped")
    return named_folder(name)


def listed(texts: Any) -> list[Any]:
    """Return the texts as a list. Raises InputError for what is neither a string nor several."""
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise InputError(f"the text is {_type(texts)}; it must be a string or a list of strings")
    return [texts] if isinstance(texts, str) else list(texts)


def pairs(sources: Any, targets: Any) -> list[tuple[Any, Any]]:
    """Return each source with its target. Raises InputError if they do not correspond."""
    given, written = listed(sources), listed(targets)
    if isinstance(sources, str) != isinstance(targets, str) or len(given) != len(written):
        raise InputError("sources and targets must be two strings, or two lists of the same length")
    return list(zip(given, written, strict=True))


def check_intervention(intervention: Any) -> None:
    """Check what `what_if` is given. Raises InputError."""
    if not isinstance(intervention, Intervention):
        raise InputError(f"the intervention is {_type(intervention)}; regard.Intervention(...) makes one")


def check_stream(model: Any, sentences: Any, batch_size: Any, record: Any) -> None:
    """Check what `stream` is given. Raises InputError."""
    check_model(model)
    if isinstance(sentences, str | bytes) or not isinstance(sentences, Iterable):
        raise InputError(f"sentences is {_type(sentences)}; stream takes many strings, and translate one")
    if not isinstance(batch_size, int) or batch_size < 1:
        raise InputError(f"batch_size is {batch_size!r}; it must be a whole number of at least 1")
    if record not in RECORDS:
        raise InputError(f"record is {record!r}; accepted are {', '.join(map(repr, RECORDS))}")


def check_numbers(whole: Mapping[str, Any], others: Mapping[str, Any]) -> None:
    """Check the types of numbers, whose ranges are checked where they are used. Raises InputError."""
    for name, value in {**whole, **others}.items():
        if isinstance(value, bool) or not isinstance(value, Integral if name in whole else Real):
            raise InputError(f"{name} is {value!r}; it must be a {'whole ' * (name in whole)}number")


def check_hooks(hooks: Any) -> None:
    """Check the hooks of `run`. Raises InputError."""
    if not isinstance(hooks, Mapping):
        raise InputError(f"hooks is {_type(hooks)}; it must be a dictionary of functions")
    for name, hook in hooks.items():
        if not callable(hook):
            raise InputError(f"hooks: {name} is {_type(hook)}; it must be a function")


def check_reading(model: Any, reading: Any) -> None:
    """Check what `align` is given. Raises InputError."""
    check_model(model)
    check_choice("reading", reading, tuple(READINGS))
    if reading != "weights" and not isinstance(model, Pretrained):
        raise InputError(f"reading {reading!r} is defined for one attention; {model.name} is a Transformer")


def links_of(model: Any, source: Any, target: Any, index: int, reading: str) -> list[tuple[int, int]]:
    """Return the links of a pair; none, with a warning, if a side is no string or too long."""
    if not isinstance(source, str) or not isinstance(target, str):
        _warn(f"item {index} is no pair of strings; it has no links")
        return []
    pair = joined(model, (source, target))
    if not fits(model, pair):
        _warn(f"item {index} has more than {MOST}; it has no links")
        return []
    (trace,) = forced(model, [pair])
    return links(word_weights(model, trace, pair, reading))


def of_each(model: Any, sentences: Any, as_typed: bool, compute: Callable[[list[str]], Iterable[AnyTrace]]) -> Any:
    """Return the traces that `compute` makes of sentences as the model reads them: one for a string, else a list."""
    read = [read_as_asked(model, sentence, index, 0, as_typed) for index, sentence in enumerate(listed(sentences))]
    with decoding_threads():
        traces = TraceList(compute(read))
    return traces[0] if isinstance(sentences, str) else traces


def read_as_asked(model: Any, sentence: Any, index: int, side: int, as_typed: bool) -> str:
    """Return a sentence as the model reads it: in normal form, and cut to the most tokens it translates. Warns of what
    is changed, and of symbols that a model of sequences does not know."""
    check_model(model)
    called = f"the target of item {index}" if side else f"item {index}"
    if not isinstance(sentence, str):
        _warn(f"{called} is {_type(sentence)}, not a string; it is left empty")
        return ""
    readable = shorten(model.tokenizer, sentence, side)
    if is_cut(sentence, readable):
        _warn(f"{called} has more than {MOST}; only its beginning is read")
    if note := visible_note(sentence[:CHARACTERS], model.tokenizer.languages[side]):
        _warn(f"{called}: {note}")
    read = readable if as_typed else read_as(readable, model.tokenizer.languages[side])
    foreign = "" if as_typed else not_english(readable, model.tokenizer.languages[side])
    for said in filter(None, (remark(model.tokenizer, read, side), foreign)):
        _warn(f"{called}: {said}")
    return read


def check_model(model: Any) -> None:
    """Check that a function is given a model. Raises InputError."""
    if not hasattr(model, "tokenizer"):
        raise InputError(f"the model is {_type(model)}; regard.load(...) gives one")


def _type(value: Any) -> str:
    """Return the name of the value's type with its article."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _warn(message: str) -> None:
    """Warn at the line that called this package, however deep in it the reason was found."""
    packages = [frame.frame.f_globals.get("__name__", "").partition(".")[0] for frame in inspect.stack(0)]
    within = max(depth for depth, package in enumerate(packages) if package == "regard")
    warnings.warn(message, InputWarning, within + 2)
