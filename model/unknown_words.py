"""Unknown words: characters that are in no token, carried over from the source to where attention looks most at them.

Jean et al. (2015) and Luong et al. (2015, "Addressing the Rare Word Problem") replace each unknown word of a
translation by the source word that it is aligned to. The models here have no unknown token: a character outside the
vocabulary is spelled in bytes, and what the decoder writes where it looks at bytes that it never learned is noise. So
the run of target words that look most at such a source word is replaced by that source word:

    I love 🐱.  ->  J'adore Z���.  ->  J'adore 🐱.

A neighbour at either end of the run stays if it also looks at a source word that no other target word looks at most:
*est* in *Le C's�� est noir*, which looks at 🐱 and at *is*. Letters of the Latin alphabet (Ł, ế) are replaced only
where the bytes written form no character: models learned to copy them. The trace keeps what the decoder wrote; only the
text of the translation changes.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from regard.model.alignment import BROKEN, Alignment, Sentence
from regard.model.words import Span

BYTE = re.compile(r"<0x[0-9A-F]{2}>")
SHARED = 0.15  # least weight of a neighbour on the source word that it is left in its place for


@dataclass(frozen=True)
class Replacement:
    """Words `source` of the source, put in place of the words `target`, which cover the characters `span`."""

    target: Span
    source: Span
    span: Span
    text: str  # with the blanks around it that the text needs


class UnknownRun(NamedTuple):
    unknown: int
    words: list[int]
    weight: float


def carried_over(alignment: Alignment) -> tuple[Replacement, ...]:
    """Return what is carried over, in the order of the target; each unknown word goes to the run of target words that
    looks at it with the largest weight in all."""
    source, target = alignment.source, alignment.target
    unknown, spoken = _unknown(source), target.spoken
    if not unknown or not spoken:
        return ()
    weights = alignment.by_words().weights[:spoken].astype(np.float64)
    on_unknown = np.stack([weights[:, word.start : word.stop].sum(1) for word in unknown], 1)
    for word in unknown:
        weights[:, word.start : word.stop] = 0
    broken = np.array([BROKEN in word for word in target.words[:spoken]])
    most = np.where((on_unknown.max(1) > weights.max(1)) | broken, on_unknown.argmax(1), -1)
    looks_at, weight = weights[:, : source.spoken].argmax(1), weights[:, : source.spoken].max(1)
    ends = np.array([word == spoken - 1 and not any(map(str.isalnum, target.words[word])) for word in range(spoken)])
    stays = ~broken & (ends | (weight >= SHARED) & ~np.isin(looks_at, looks_at[most < 0]))
    runs: dict[int, UnknownRun] = {}
    for place, words in groupby(range(spoken), key=lambda word: int(most[word])):
        if place < 0:  # looks at nothing unknown
            continue
        run = list(words)
        own = [at for at, word in enumerate(run) if not stays[word]] or [0]
        run = run[own[0] : own[-1] + 1]  # without words at its ends that stay, such as the mark that ends the sentence
        noise = any(broken[word] for word in run) or any(map(_foreign, _text(source, unknown[place])))
        found = UnknownRun(place, run, on_unknown[run, place].sum())
        if noise and (place not in runs or found.weight > runs[place].weight):
            runs[place] = found
    ordered = sorted(runs.values(), key=lambda run: run.words)
    carried = (_carried(source, target, unknown[run.unknown], Span(run.words[0], run.words[-1] + 1)) for run in ordered)
    return tuple(one for one in carried if target.text[one.span.start : one.span.stop] != one.text)


def with_carried(text: str, carried: Sequence[Replacement]) -> str:
    """Return the text of a translation with what is carried over."""
    for one in reversed(carried):
        text = text[: one.span.start] + one.text + text[one.span.stop :]
    return text


def note(alignment: Alignment, carried: Sequence[Replacement], attends: bool) -> str:
    """Say what was carried over, or could not be for want of attention, or ""."""
    foreign = (text for word in _unknown(alignment.source) if any(map(_foreign, text := _text(alignment.source, word))))
    texts = [one.text.strip() for one in carried] if attends else list(foreign)
    if not texts:
        return ""
    many, named = len(texts) > 1, [f"“{text}”" for text in texts]
    listed = f"{', '.join(named[:-1])} and {named[-1]}" if many else named[0]
    if not attends:
        return f"{listed} cannot be carried over without attention"
    are, them = ("are", "them") if many else ("is", "it")
    return f"{listed} {are} carried over from the source, to where attention looks most at {them}"


def _unknown(source: Sentence) -> list[Span]:
    """Return the unknown words of a source: those with a byte, joined where no blank divides them."""
    spelled = {word for token, word in zip(source.tokens, source.word_of, strict=True) if BYTE.fullmatch(token)}
    spans, found = source.spans if spelled else (), list[Span]()
    for word in sorted(spelled):
        if found and found[-1].stop == word and spans[word - 1].stop == spans[word].start:
            found[-1] = Span(found[-1].start, word + 1)
        else:
            found.append(Span(word, word + 1))
    return found


def _foreign(character: str) -> bool:
    """Return True for a letter of another script, a digit of one, or a symbol such as an emoji."""
    name = unicodedata.name(character, "")
    return not character.isascii() and unicodedata.category(character)[0] in "LMNS" and not name.startswith("LATIN ")


def _text(sentence: Sentence, words: Span) -> str:
    spans = sentence.spans
    return sentence.text[spans[words.start].start : spans[words.stop - 1].stop]


def _carried(source: Sentence, target: Sentence, unknown: Span, run: Span) -> Replacement:
    """Return one replacement, with a blank on either side where the source has one and the target lacks it."""
    span = Span(target.spans[run.start].start, target.spans[run.stop - 1].stop)
    begin, end = source.spans[unknown.start].start, source.spans[unknown.stop - 1].stop
    before, after = target.text[: span.start][-1:], target.text[span.stop :][:1]
    left = " " if before.isalnum() and source.text[:begin].endswith(" ") else ""
    right = " " if after.isalnum() and source.text[end:].startswith(" ") else ""
    return Replacement(run, unknown, span, left + source.text[begin:end] + right)
