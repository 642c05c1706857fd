"""Sentence pairs short enough for a model; the others are reported by file and line."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from regard.model.checkpoint import AnyModel
from regard.model.commands.text_lines import tell
from regard.model.data.corpus import Pair, read_lines
from regard.model.input_error import InputError
from regard.model.line_length import LINE_TOKENS
from regard.model.word_alignment.alignment_error_rate import GoldPair
from regard.model.words import normalise

AnyPair = TypeVar("AnyPair", Pair, GoldPair)


def readable(model: AnyModel, pairs: Sequence[AnyPair], files: Sequence[Path]) -> list[AnyPair]:
    """Return the short pairs. Reports file and line of every other; `files` are those the pairs were read from."""
    kept = []
    for pair in pairs:
        sides = zip((pair.source, pair.target), model.tokenizer.languages, strict=True)
        lengths = {text: len(model.tokenizer.encode(text, language).ids) for text, language in sides}
        longest = max(lengths, key=lengths.__getitem__)
        if lengths[longest] <= LINE_TOKENS:
            kept.append(pair)
        else:
            message = f"{lengths[longest]} tokens are too many for {model.name}, which is given at most {LINE_TOKENS}"
            tell(f"{_place(longest, files)}: {message}; the pair is left out")
    return kept


def _place(text: str, files: Sequence[Path]) -> str:
    """Return the file and line that a text is from."""
    for path in files:
        for number, line in enumerate(read_lines(path), start=1):
            if normalise(text) in normalise(line):
                return f"{path}, line {number}"
    raise InputError(f"{text!r} stands in none of {', '.join(map(str, files))}")
