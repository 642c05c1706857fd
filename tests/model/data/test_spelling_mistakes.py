from random import Random

from hypothesis import given
from hypothesis import strategies as st

from regard.model.data.corpus import Pair
from regard.model.data.spelling_mistakes import misspelt

PAIR = Pair("My friend Tom is sleeping, isn't he?", "Mon ami Tom dort, n'est-ce pas ?")


@given(st.integers(0, 10**6))
def test_only_words_in_small_letters_change_and_the_target_never(seed: int) -> None:
    copy = misspelt(PAIR, set(), Random(seed))
    assert copy.target == PAIR.target
    assert {"My", "Tom"} <= set(copy.source.split())
    assert "isn't he?" in copy.source
    assert len(copy.source.split()) == len(PAIR.source.split())


@given(st.integers(0, 10**6))
def test_a_mistake_is_no_word_that_is_known(seed: int) -> None:
    copy = misspelt(Pair("form", "forme"), {"from", "for", "firm", "farm"}, Random(seed))
    assert copy.source not in {"from", "for", "firm", "farm"}


def test_a_sentence_without_words_stays() -> None:
    assert misspelt(Pair("5 + 5", "5 + 5"), set(), Random(1)) == Pair("5 + 5", "5 + 5")
