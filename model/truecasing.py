"""Reading a casually typed sentence: truecasing (Lita et al. 2003), contractions and spelling, for English.

    THE CAT IS BLACK  ->  The cat is black        im tired  ->  I'm tired        my freind  ->  my friend

A subword model learned from edited text. A sentence in all capitals is therefore read in lower case, with capitals at
the beginning and for names of days, languages and places; a contraction gets its apostrophe back unless the spelling
without it is another word (`its`, `were`, `well` and `id` are kept); a mistyped word in lower case is read as the
frequent word that differs in one place (Damerau 1964). All other text is read as typed, and so is a whole sentence that
does not look like English, whose words are no misspellings. In any language, invisible characters are left out first.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from regard.model.files import toml_beside
from regard.model.words import visible

ENGLISH = "en"
ACRONYM = 3  # letters: a single word in capitals up to this length is an acronym, such as OK or USA

_CONTRACTED = """
    aren't can't couldn't didn't don't doesn't hadn't hasn't haven't isn't shouldn't wasn't weren't won't wouldn't
    here's how's that's there's what's when's where's who's I'm I've you're you've you'll they're they've they'll we've
    he's she's it'll
""".split()
CONTRACTIONS = {word.replace("'", "").lower(): word for word in _CONTRACTED}

NOT_ENGLISH = "This does not look like English; it is read as typed."
_LISTS = toml_beside(__file__, "spelling_words.toml")
PROPER, MORE = (frozenset(_LISTS[name].split()) for name in ("proper", "more"))  # capitalised; not in the dictionary
OF_ENGLISH, OF_OTHERS = (frozenset(_LISTS[name].split()) for name in ("english", "foreign"))  # function words

SHORTEST, LONGEST = 3, 24  # letters of a word that is corrected
FREQUENT = 15_000  # candidates are that many most frequent words, and `PROPER`
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOWELS = "aeiouy"
ALIKE = {"c": "sk", "s": "cz", "k": "c", "f": "v", "v": "f", "m": "n", "n": "m", "t": "d", "d": "t", "z": "s"}
ALIKE |= {vowel: VOWELS.replace(vowel, "") for vowel in VOWELS}

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CORRECTABLE = re.compile(r"(?<![\w'’@./-])[a-z]+(?![\w'’@/-]|\.\w)")  # no part of an address or a compound
_FIRST_PERSON = re.compile(r"\bi(?=\b(?!\.))")


def read_as(sentence: str, language: str) -> str:
    """Return the sentence in the form the model should read; unchanged if nothing is known to be missing."""
    sentence = visible(sentence, language)
    if language != ENGLISH or not_english(sentence, language):
        return sentence
    if _shouted(sentence):
        sentence = _FIRST_PERSON.sub("I", sentence.lower())
        sentence = _WORD.sub(lambda word: _proper(word[0]), sentence)
        first = next((place for place, letter in enumerate(sentence) if letter.isalpha()), 0)
        sentence = sentence[:first] + sentence[first : first + 1].upper() + sentence[first + 1 :]
    sentence = _WORD.sub(lambda word: _contraction(word[0]), sentence)
    return _CORRECTABLE.sub(lambda word: _spelled(word[0]), sentence)


def not_english(sentence: str, language: str) -> str:
    """Return `NOT_ENGLISH` if a model of English was given another language, otherwise "".

    A sentence of three words or more is foreign if the dictionary lacks one of them, a fifth of them are function words
    of other languages, and fewer are of English; or if the dictionary lacks two thirds of at least four words, none of
    which is a function word of English.
    """
    if language != ENGLISH:
        return ""
    words = [word.lower() for word in _WORD.findall(sentence.replace("’", "'"))]
    strange = sum(not _known(word) for word in words)
    english = sum(word in OF_ENGLISH or word in CONTRACTIONS for word in words)
    others = sum(word in OF_OTHERS or re.sub(r"'.*", "'", word) in OF_OTHERS for word in words)
    borrowed = len(words) >= 3 and strange > 0 and others > english and 5 * others >= len(words)
    unheard = len(words) >= 4 and not english and 3 * strange >= 2 * len(words)
    return NOT_ENGLISH if borrowed or unheard else ""


def _known(word: str) -> bool:
    """Return True for a word of the dictionary, a name in `PROPER` or a contraction."""
    parts = (word, word.partition("'")[0])
    return word in CONTRACTIONS or any(part in dictionary() or part in PROPER for part in parts)


def _shouted(sentence: str) -> bool:
    """Return True if all letters are capitals and the text is more than an acronym."""
    words = [word for word in _WORD.findall(sentence) if any(map(str.isalpha, word))]
    return sentence.isupper() and (len(words) > 1 or len("".join(words)) > ACRONYM)


def _proper(word: str) -> str:
    """Capitalise the name of a day, a month, a language or a place, also in the plural."""
    return word.capitalize() if word in PROPER or word.removesuffix("s") in PROPER else word


def _spelled(word: str) -> str:
    """Correct a word, with the capital of a name if it becomes one."""
    read = corrected(word)
    return word if read == word else _proper(read)


def _contraction(word: str) -> str:
    """Restore the apostrophe of a contraction, keeping its capitals."""
    whole = CONTRACTIONS.get(word.lower())
    if whole is None or word[1:].isupper():
        return word
    return whole[0].upper() + whole[1:] if word[0].isupper() else whole


@cache
def dictionary() -> dict[str, int]:
    """Return the rank of each known word, from 0 for the most frequent; words of `MORE` come last. The words are those
    of pyspellchecker: 160,000 with their frequency in subtitles."""
    from spellchecker import SpellChecker  # 0.2 seconds

    counts = SpellChecker(distance=1).word_frequency.dictionary
    ordered = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: rank for rank, word in enumerate([*ordered, *sorted(MORE - counts.keys())])}


def corrected(word: str) -> str:
    """Return the frequent word that a mistyped one in lower case stands for; itself if it is known or none is near.

        teh -> the        freind -> friend        beautifull -> beautiful        definately -> definitely

    A word is mistyped if neither the dictionary nor `MORE` has it. Its best candidates differ by two swapped letters or
    by a letter doubled or not doubled; next come those with one letter more; last those with one letter less, another
    vowel or a consonant that sounds alike. Among equals the most frequent wins. The first letter is kept, except in a
    swap, and a word of three letters is corrected only by a swap or a doubled letter.
    """
    if word in dictionary() or not SHORTEST <= len(word) <= LONGEST:
        return word
    return nearest(word) or word


def nearest(word: str) -> str | None:
    """Return the likeliest frequent word that is one edit away, or None."""
    ranks = dictionary()
    for edits in _EDITS[: 1 if len(word) == SHORTEST else None]:
        found = [edited for edited in edits(word) if edited in PROPER or ranks.get(edited, FREQUENT) < FREQUENT]
        if found:
            return min(found, key=lambda edited: ranks[edited])
    return None


def _swapped_or_doubled(word: str) -> Iterator[str]:
    for place in range(len(word)):
        before, letter, after = word[:place], word[place], word[place + 1 :]
        yield before + after[:1] + letter + after[1:]
        yield before + letter + letter + after
        if before.endswith(letter):
            yield before + after


def _longer(word: str) -> Iterator[str]:
    for place in range(1, len(word) + 1):
        for letter in LETTERS:
            yield word[:place] + letter + word[place:]


def _shorter_or_alike(word: str) -> Iterator[str]:
    for place in range(1, len(word)):
        for letter in ("", *ALIKE.get(word[place], "")):
            yield word[:place] + letter + word[place + 1 :]


_EDITS: tuple[Callable[[str], Iterator[str]], ...] = (_swapped_or_doubled, _longer, _shorter_or_alike)
