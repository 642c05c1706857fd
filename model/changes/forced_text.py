"""Forced decoding of typed text: its tokens, and their effect on tokens that were forced before."""

from collections.abc import Sequence
from dataclasses import replace

from regard.model.changes.intervention import Intervention
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace
from regard.model.word_alignment.detokenize import JOINING
from regard.model.words import normalise, word_texts

JOINT = "·"  # a text that begins with it continues the word before
OPENING = "("  # no blank follows it, in any language that divides words
VOWEL = "a"  # follows an elision: the tokens of l' are those of l'a


def tokens_of(tokenizer: Tokenizer, before: Sequence[int], text: str, step: int) -> tuple[int, ...]:
    """Return the tokens of a text that follows those before. Raises InputError if it is blank.

    The text starts a new word, except after an elision (l', qu') and if it begins with closing punctuation (a full
    stop, a comma, a hyphen) or with `JOINT`.
    """
    language = tokenizer.languages[1]
    asked = normalise(text)
    close = asked.startswith(JOINT)
    asked = asked.removeprefix(JOINT).strip()
    if not asked:
        raise InputError(f"step {step + 1}: nothing was typed; type a word, or {JOINT} and how the word goes on")
    last = word_texts(tokenizer.read(before, language).text, language)[-1:]
    joining = JOINING.get(language, JOINING["any"])  # matches two texts that no blank separates
    following = VOWEL if joining.search(f"{asked}\n{VOWEL}") else ""
    if not last or not (close or joining.search(f"{last[0]}\n{asked.split(' ')[0]}")):
        begun = _between(tokenizer, "", asked, following)
        return begun if tokenizer.decode(begun) == asked else tokenizer.encode(asked, language).ids
    goes_on = _between(tokenizer, last[0], asked, following)
    return goes_on if tokenizer.decode(goes_on) == asked else _between(tokenizer, OPENING, asked, "")


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
