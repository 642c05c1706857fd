"""Function words: the words of a translation that carry grammar rather than content.

This is a closed list, not a tagger: an ambiguous word (`son`, his or sound; `est`, is or east) counts as its usual
kind, and forms of `être` and `avoir` count as auxiliaries even if they are the only verb. A language without a list has
words and punctuation only.
"""

import re

from regard.model.files import toml_beside

KINDS = ("function", "content", "word", "punctuation")

_LISTS = toml_beside(__file__, "function_words.toml")
FUNCTION_WORDS = {language: frozenset(" ".join(groups.values()).split()) for language, groups in _LISTS.items()}


def kind(word: str, language: str) -> str:
    """Return one of KINDS. The pronoun of a French inversion (`-tu`, `-t-il`) counts without its hyphens."""
    if not re.search(r"\w", word):
        return "punctuation"
    if language not in FUNCTION_WORDS:
        return "word"
    plain = re.sub(r"^-(?:t-)?", "", word.lower())
    return "function" if plain in FUNCTION_WORDS[language] else "content"
