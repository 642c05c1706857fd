"""How much two translations have in common, word by word."""

from difflib import SequenceMatcher

from model.alignment import Sentence


def likeness(one: Sentence, other: Sentence) -> float:
    """2 M / N for M words that both have in the same order, among N words of both: 1 for the same, 0 for none.

    The longest run of words that both have is taken first, then the longest before it and after it, and so on
    (Ratcliff and Obershelp; `difflib`). Capitals count. Two sentences without a word are alike.
    """
    words, other_words = one.words[: one.spoken], other.words[: other.spoken]
    return SequenceMatcher(None, other_words, words, False).ratio()
