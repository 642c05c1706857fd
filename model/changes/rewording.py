"""Words of a person: put in place of a source word, or typed as the next words of the translation.

Changes at other positions stay with their tokens. A new source word may have fewer or more tokens than the old one, so
that all positions after it move:

    old     I | have | a | bl | ue | car        weights  .1 | .1 | .0 | .2 | .4 | .2
    new     I | have | a | red | car            weights  .1 | .1 | .0 | .6 | .2
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from regard.model.changes.intervention import JOINT, Intervention, Moved
from regard.model.input_error import InputError, PlaceError
from regard.model.tokenizer import Encoding, Tokenizer
from regard.model.trace import AnyTrace
from regard.model.word_alignment.detokenize import JOINING
from regard.model.words import Span, normalise, word_texts

OPENING = "("  # no blank follows it, in any language that divides words
VOWEL = "a"  # follows an elision: the tokens of l' are those of l'a


def reword(tokenizer: Tokenizer, sentence: str, changes: Intervention, word: int, text: str) -> Intervention:
    """Return the changes with this word of the sentence replaced by a text; the word's own text restores it.

    Words count from 0. Weights of the old tokens are spread evenly over the new ones; their masks, bonuses, annotations
    and rows in encoder heads are dropped. Raises InputError for a word that the sentence does not have.
    """
    plain = tokenizer.encode(sentence, tokenizer.languages[0])
    if not 0 <= word < len(plain.words):
        raise PlaceError({"source word": word}, f" is past the end: the sentence has {len(plain.words)} words")
    own = plain.text[plain.words[word].start : plain.words[word].stop]
    replaced = {**dict(changes.words), word: normalise(text, tokenizer.languages[0])}
    words = tuple((place, instead) for place, instead in sorted(replaced.items()) if place != word or instead != own)
    old, new = (tokenizer.encode(changed_text(plain, some), tokenizer.languages[0]) for some in (changes.words, words))
    before, after = (spans(plain, some)[word] for some in (changes.words, words))
    moved = Moved(len(old.ids) + 1, len(new.ids) + 1, *_untouched(old, new, before, after))
    return replace(changes.carried(moved), words=words)


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

    def shared(place: int, word: Span) -> int:
        return min(places[place].stop, word.stop) - max(places[place].start, word.start)

    return tuple(max(range(len(places)), key=lambda place: shared(place, word)) for word in words)


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


def tokens_of(tokenizer: Tokenizer, before: Sequence[int], text: str, step: int) -> tuple[int, ...]:
    """Return the tokens of a text that follows those before. Raises InputError if it is blank.

    The text starts a new word, except after an elision (l', qu') and if it begins with closing punctuation (a full
    stop, a comma, a hyphen) or with `JOINT`.
    """
    language = tokenizer.languages[1]
    typed = normalise(text, language)
    close = typed.startswith(JOINT)
    typed = typed.removeprefix(JOINT).strip()
    if not typed:
        raise InputError(f"step {step + 1}: nothing was typed; type a word, or {JOINT} and how the word goes on")
    last = word_texts(tokenizer.read(before, language).text, language)[-1:]
    joining = JOINING.get(language, JOINING["any"])  # matches two texts that no blank separates
    following = VOWEL if joining.search(f"{typed}\n{VOWEL}") else ""
    if not last or not (close or joining.search(f"{last[0]}\n{typed.split(' ')[0]}")):
        begun = _between(tokenizer, "", typed, following)
        return begun if tokenizer.decode(begun) == typed else tokenizer.encode(typed, language).ids
    goes_on = _between(tokenizer, last[0], typed, following)
    return goes_on if tokenizer.decode(goes_on) == typed else _between(tokenizer, OPENING, typed, "")


def written(changes: Intervention, after: AnyTrace, step: int, tokens: Sequence[int]) -> Intervention:
    """Return the changes with these tokens forced from that step on. Tokens already forced there are dropped, with the
    rest of their word."""
    word_of = after.alignment.target.word_of
    rest = {place for place in range(step, len(word_of)) if word_of[place] == word_of[step]}
    forced = {place: index for place, index in changes.tokens if place not in rest}
    forced |= {step + place: index for place, index in enumerate(tokens)}
    return replace(changes, tokens=tuple(sorted(forced.items())))


def _between(tokenizer: Tokenizer, beginning: str, text: str, following: str) -> tuple[int, ...]:
    """Return the tokens of a text that stands between two others without blanks."""
    encoding = tokenizer.encode(beginning + text + following, tokenizer.languages[1])
    places = zip(encoding.ids, encoding.characters, strict=True)
    end = len(beginning + text)
    return tuple(index for index, place in places if len(beginning) <= place.start < end)
