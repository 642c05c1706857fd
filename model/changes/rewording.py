"""Rewording: a source word is replaced, and the changes of other positions stay with their tokens.

The new word may have fewer or more tokens than the old one, so that all positions after it move:

    old     I | have | a | bl | ue | car        weights  .1 | .1 | .0 | .2 | .4 | .2
    new     I | have | a | red | car            weights  .1 | .1 | .0 | .6 | .2
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from regard.model.changes.head_changes import HeadRow
from regard.model.changes.intervention import ANNOTATION, Intervention
from regard.model.input_error import PlaceError
from regard.model.tokenizer import Encoding, Tokenizer
from regard.model.words import Span, normalise


def reword(tokenizer: Tokenizer, sentence: str, changes: Intervention, word: int, text: str) -> Intervention:
    """Return the changes with this word of the sentence replaced by a text; the word's own text restores it.

    Words count from 0. Weights of the old tokens are spread evenly over the new ones; their masks, bonuses, annotations
    and rows in encoder heads are dropped. Raises InputError for a word that the sentence does not have.
    """
    plain = tokenizer.encode(sentence, tokenizer.languages[0])
    if not 0 <= word < len(plain.words):
        raise PlaceError({"source word": word}, f" is past the end: the sentence has {len(plain.words)} words")
    own = plain.text[plain.words[word].start : plain.words[word].stop]
    asked = {**dict(changes.words), word: normalise(text)}
    words = tuple((place, instead) for place, instead in sorted(asked.items()) if place != word or instead != own)
    old, new = (tokenizer.encode(changed_text(plain, some), tokenizer.languages[0]) for some in (changes.words, words))
    before, after = (spans(plain, some)[word] for some in (changes.words, words))
    first, last = _untouched(old, new, before, after)
    return replace(carried(changes, len(old.ids) + 1, len(new.ids) + 1, first, last), words=words)


def changed_text(plain: Encoding, words: Sequence[tuple[int, str]]) -> str:
    """Return the sentence with some words replaced. Raises InputError for a word that it does not have."""
    text = plain.text
    for word, instead in sorted(words, reverse=True):
        if word >= len(plain.words):
            raise PlaceError({"source word": word}, f" is past the end: the sentence has {len(plain.words)} words")
        span = plain.words[word]
        text = text[: span.start] + normalise(instead) + text[span.stop :]
    return text


def spans(plain: Encoding, words: Sequence[tuple[int, str]]) -> tuple[Span, ...]:
    """Return the characters of each word in the normal form of the changed text, where a mark joins the letter before
    it."""
    text, instead, moved, places = changed_text(plain, words), dict(words), 0, []
    for place, span in enumerate(plain.words):
        length = len(normalise(instead[place])) if place in instead else span.stop - span.start
        ends = (span.start + moved, span.start + moved + length)
        places.append(Span(*(len(normalise(f"{text[:end]}|")) - 1 for end in ends)))  # "|" keeps a blank at the end
        moved += length - (span.stop - span.start)
    return tuple(places)


def origins(places: Sequence[Span], words: Sequence[Span]) -> tuple[int, ...]:
    """Return, for each word of the changed text, the word of the sentence that it overlaps most."""
    return tuple(max(range(len(places)), key=lambda place: _shared(places[place], word)) for word in words)


def carried(changes: Intervention, old: int, new: int, first: int, last: int) -> Intervention:
    """Return the changes moved to a sentence that shares its `first` first and `last` last positions with the old one.
    `old` and `new` count all positions. Changes at positions without a successor are dropped, as is a row whose weight
    was on such positions."""
    between = range(first, new - last)
    places = {place: place + (new - old) * (place >= first) for place in (*range(first), *range(old - last, old))}

    def fits(weights: Sequence[float]) -> bool:
        return bool(between) or not sum(weights[first : old - last])

    def row(weights: Sequence[float]) -> tuple[float, ...]:
        share = sum(weights[first : old - last]) / max(1, len(between))
        return (*weights[:first], *[share] * len(between), *weights[old - last :])

    def of_head(given: HeadRow) -> Iterator[HeadRow]:
        attention, layer, head, place, weights = given
        if attention == "decoder":
            yield given
        elif fits(weights) and (attention == "cross" or place in places):
            yield attention, layer, head, place if attention == "cross" else places[place], row(weights)

    return replace(
        changes,
        weights=tuple((step, row(weights)) for step, weights in changes.weights if fits(weights)),
        hidden=tuple(places[position] for position in changes.hidden if position in places),
        bonus=tuple((step, places[position], value) for step, position, value in changes.bonus if position in places),
        head_weights=tuple(moved for given in changes.head_weights for moved in of_head(given)),
        vectors=tuple(
            (name, places[at] if name == ANNOTATION else at, values)
            for name, at, values in changes.vectors
            if name != ANNOTATION or at in places
        ),
    )


def _untouched(old: Encoding, new: Encoding, before: Span, after: Span) -> tuple[int, int]:
    """Count the tokens before and after the word that both encodings share, with `</s>`."""
    both = (old, before), (new, after)
    head = min(_count(token.stop <= word.start for token in one.characters) for one, word in both)
    tail = min(_count(token.start >= word.stop for token in reversed(one.characters)) for one, word in both)
    first = _count(one == other for one, other in zip(old.ids[:head], new.ids[:head], strict=True))
    ends = zip(old.ids[::-1][:tail], new.ids[::-1][:tail], strict=True)
    return first, _count(one == other for one, other in ends) + 1


def _count(holds: Iterator[bool]) -> int:
    """Count the true values before the first false one."""
    return sum(1 for _ in takewhile(bool, holds))


def _shared(one: Span, other: Span) -> int:
    return min(one.stop, other.stop) - max(one.start, other.start)
