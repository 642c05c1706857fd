import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.model.spelling import FREQUENT, PROPER, corrected, dictionary

LETTERS = st.characters(codec="ascii", categories=["Ll"])


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("teh", "the"),
        ("becuase", "because"),
        ("untill", "until"),
        ("speling", "spelling"),
        ("windo", "window"),  # "wind" would be a letter less
        ("enviroment", "environment"),
        ("seperate", "separate"),
        ("saterday", "saturday"),  # a name is a candidate without being frequent
    ],
)
def test_a_misspelt_word_becomes_the_frequent_word_one_edit_away(typed: str, read: str) -> None:
    assert corrected(typed) == read


@pytest.mark.parametrize("word", ["colour", "wifi", "realise", "qat", "xq", "tge", "asdfghjkl", "lo" * 13])
def test_a_known_word_and_one_that_is_near_none_are_kept(word: str) -> None:
    assert corrected(word) == word


@given(st.sampled_from(sorted(dictionary())))
def test_no_known_word_is_corrected(word: str) -> None:
    assert corrected(word) == word


@given(st.text(LETTERS, max_size=30))
def test_what_replaces_a_word_is_known_frequent_and_about_as_long(word: str) -> None:
    read = corrected(word)
    if read != word:
        assert dictionary()[read] < FREQUENT or read in PROPER
        assert abs(len(read) - len(word)) <= 1
        assert sorted(read[:2]) == sorted(word[:2]) or read[0] == word[0]
